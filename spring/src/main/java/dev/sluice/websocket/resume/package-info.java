/**
 * Sessions that are resumed on another connection: their kept content, and the frames of
 * {@code docs/protocol.md}. Internal.
 * <p>
 * Start at {@link dev.sluice.websocket.resume.ResumableSessions}.
 */
@NullMarked
package dev.sluice.websocket.resume;

import org.jspecify.annotations.NullMarked;
