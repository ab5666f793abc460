package dev.sluice.execution;

import org.jspecify.annotations.Nullable;

/** Task whose wait is measured or limited. */
final class TimedTask<T extends @Nullable Object> extends LeveledTask<T> {

	/** For a task that may wait for ever. */
	static final long NO_LIMIT = Long.MAX_VALUE;

	private final long submittedAt;

	private final long timeToLiveNanos;

	private long startedAt;

	TimedTask(Kind kind, Level level, Object body, long now, long timeToLiveNanos) {
		super(kind, level, body);
		this.submittedAt = now;
		this.startedAt = now;
		this.timeToLiveNanos = timeToLiveNanos;
	}

	boolean mayExpire() {
		return this.timeToLiveNanos != NO_LIMIT;
	}

	boolean isExpired(long now) {
		return mayExpire() && now - this.submittedAt >= this.timeToLiveNanos;
	}

	void startAt(long now) {
		this.startedAt = now;
	}

	long waitNanos(long now) {
		return now - this.submittedAt;
	}

	/** Calls the listeners with the times of this task, which ends now. */
	void reportTimes(OutcomeRecorder outcomes, String queueId, TaskOutcome outcome) {
		long now = outcomes.now();
		boolean ran = outcome == TaskOutcome.COMPLETED || outcome == TaskOutcome.FAILED;
		long waitNanos = ran ? this.startedAt - this.submittedAt : waitNanos(now);
		outcomes.notifyListeners(queueId, level(), outcome, waitNanos, ran ? now - this.startedAt : 0);
	}

}
