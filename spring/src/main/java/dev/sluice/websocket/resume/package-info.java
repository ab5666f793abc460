/**
 * Sessions that go on behind another connection: what is kept of them, and the frames of
 * {@code docs/protocol.md}. Internal.
 * <p>
 * Start at {@link dev.sluice.websocket.resume.ResumableSessions}.
 */
@NullMarked
package dev.sluice.websocket.resume;

import org.jspecify.annotations.NullMarked;
