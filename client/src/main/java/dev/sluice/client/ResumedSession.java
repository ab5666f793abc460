package dev.sluice.client;

import java.time.Duration;
import java.util.Map;

/**
 * A session that continues on another connection.
 *
 * @param id the id of the session's connection, another one after each resume
 * @param window for how long the session may be resumed after a lost connection
 * @param recovered for each topic of the session, whether it continues without a loss; if
 * not, a {@link TopicGap} follows
 * @param direct whether all direct messages that were not received follow; if not, some
 * are lost, now or at an earlier resume for which the listener was not called
 * @since 0.1.0
 */
public record ResumedSession(String id, Duration window, Map<String, Boolean> recovered, boolean direct) {

	/**
	 * Creates the description of a resumed session.
	 */
	public ResumedSession {
		recovered = Map.copyOf(recovered);
	}

}
