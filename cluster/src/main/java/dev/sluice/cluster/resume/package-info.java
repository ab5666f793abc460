/**
 * Sessions that are resumed on another connection: their kept content, and the frames of
 * {@code docs/protocol.md}. Internal.
 * <p>
 * Start at {@link dev.sluice.cluster.resume.ResumableSessions}.
 */
@NullMarked
package dev.sluice.cluster.resume;

import org.jspecify.annotations.NullMarked;
