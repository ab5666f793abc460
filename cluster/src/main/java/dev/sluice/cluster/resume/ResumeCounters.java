package dev.sluice.cluster.resume;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.cluster.ResumeOutcome;

/** Counters of attempts to resume sessions, by outcome. */
public final class ResumeCounters {

	private final Map<ResumeOutcome, LongAdder> counts = new EnumMap<>(ResumeOutcome.class);

	ResumeCounters() {
		for (ResumeOutcome outcome : ResumeOutcome.values()) {
			this.counts.put(outcome, new LongAdder());
		}
	}

	/** Counts an attempt. */
	public void add(ResumeOutcome outcome) {
		this.counts.computeIfPresent(outcome, (counted, count) -> {
			count.increment();
			return count;
		});
	}

	Map<ResumeOutcome, Long> counts() {
		Map<ResumeOutcome, Long> counts = new EnumMap<>(ResumeOutcome.class);
		this.counts.forEach((outcome, count) -> counts.put(outcome, count.sum()));
		return counts;
	}

}
