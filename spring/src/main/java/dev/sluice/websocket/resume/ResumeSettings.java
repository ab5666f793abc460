package dev.sluice.websocket.resume;

import java.time.Duration;

/**
 * Limits of sessions that may be resumed.
 *
 * @param window how long a session may be without a connection
 * @param buffer bytes of the direct messages of one session that its client has not
 * acknowledged
 * @param maxSuspended how many sessions of this node may be without a connection
 * @param totalBuffer bytes of all that is kept for sessions of this node
 * @param writesThrough whether direct messages are kept on the bus before they are sent
 */
public record ResumeSettings(Duration window, int buffer, int maxSuspended, long totalBuffer, boolean writesThrough) {

	/** The largest total buffer by default. */
	private static final long MAX_TOTAL = 256L * 1024 * 1024;

	/** Two minutes, 100 KB, 10,000 sessions, and an eighth of the heap or 256 MB. */
	public static final ResumeSettings DEFAULTS = new ResumeSettings(Duration.ofMinutes(2), 100 * 1024, 10_000,
			Math.min(MAX_TOTAL, Runtime.getRuntime().maxMemory() / 8), false);

}
