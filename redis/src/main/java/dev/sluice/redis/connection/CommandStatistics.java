package dev.sluice.redis.connection;

import java.util.concurrent.atomic.LongAdder;

/** Number and total time of the commands that callers have waited for. */
public final class CommandStatistics {

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

	public long answered() {
		return this.answered.sum();
	}

	public long answerNanos() {
		return this.answerNanos.sum();
	}

	public long failed() {
		return this.failed.sum();
	}

}
