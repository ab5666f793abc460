package dev.sluice.cluster;

import java.util.Map;
import java.util.Objects;

/**
 * Sessions of this node that may be resumed; values may be stale when read.
 *
 * @param resumable number of sessions that may be resumed, with a connection or without
 * @param suspended number of these sessions without a connection
 * @param bytes size of the messages kept for their clients
 * @param outcomes how often clients have tried to resume at this node since the start, by
 * outcome
 * @since 0.1.0
 */
public record ResumeSnapshot(int resumable, int suspended, long bytes, Map<ResumeOutcome, Long> outcomes) {

	/** Copies the outcomes. */
	public ResumeSnapshot {
		outcomes = Map.copyOf(outcomes);
	}

	/**
	 * Returns how often an attempt to resume had an outcome.
	 * @param outcome the outcome
	 * @return the number, since the start
	 */
	public long count(ResumeOutcome outcome) {
		return this.outcomes.getOrDefault(Objects.requireNonNull(outcome, "'outcome' must not be null"), 0L);
	}

}
