package dev.sluice.client;

import java.time.Duration;
import java.util.Map;

/**
 * A session that goes on with another connection.
 *
 * @param id the id of the session's connection, another one after each resume
 * @param window for how long the session may be resumed after a lost connection
 * @param recovered for each topic of the session, whether it goes on where it was; where
 * it does not, a {@link TopicGap} follows
 * @param direct whether all direct messages follow that were not received; if not, some
 * are lost, or were at a resume before of which the listener was not told
 * @since 0.1.0
 */
public record ResumedSession(String id, Duration window, Map<String, Boolean> recovered, boolean direct) {

	/**
	 * Creates the description of a session that goes on.
	 */
	public ResumedSession {
		recovered = Map.copyOf(recovered);
	}

}
