package dev.sluice.cluster.resume;

import java.time.Duration;

/**
 * Limits of sessions that may be resumed.
 *
 * @param window maximum time for a session to be without a connection
 * @param buffer maximum bytes of the direct messages of one session that its client has
 * not acknowledged
 * @param maxSuspended maximum number of sessions of this node without a connection
 * @param totalBuffer maximum bytes of all data kept for sessions of this node
 * @param writesThrough whether direct messages are kept on the bus before they are sent
 */
public record ResumeSettings(Duration window, int buffer, int maxSuspended, long totalBuffer, boolean writesThrough) {

	/** Maximum default of the total buffer. */
	private static final long MAX_TOTAL = 256L * 1024 * 1024;

	/** Two minutes, 100 KB, 10,000 sessions, and an eighth of the heap, up to 256 MB. */
	public static final ResumeSettings DEFAULTS = new ResumeSettings(Duration.ofMinutes(2), 100 * 1024, 10_000,
			Math.min(MAX_TOTAL, Runtime.getRuntime().maxMemory() / 8), false);

}
