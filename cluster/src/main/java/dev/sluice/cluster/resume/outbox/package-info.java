/**
 * Direct messages to a session that resumes, which are kept until the client has
 * acknowledged them: their numbers, the bound of their bytes, and their text. Internal.
 * <p>
 * Knows neither sessions nor nodes. Start at
 * {@link dev.sluice.cluster.resume.outbox.Outbox}.
 */
@NullMarked
package dev.sluice.cluster.resume.outbox;

import org.jspecify.annotations.NullMarked;
