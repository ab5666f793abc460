package dev.sluice.redis;

import java.util.concurrent.atomic.LongAdder;

/**
 * How many commands that somebody waited for were answered, how fast, and how many not.
 */
final class LinkStatistics {

	private final LongAdder answered = new LongAdder();

	private final LongAdder answerNanos = new LongAdder();

	private final LongAdder failed = new LongAdder();

	void answer(long nanos) {
		this.answered.increment();
		this.answerNanos.add(nanos);
	}

	void fail() {
		this.failed.increment();
	}

	long answered() {
		return this.answered.sum();
	}

	long answerNanos() {
		return this.answerNanos.sum();
	}

	long failed() {
		return this.failed.sum();
	}

}
