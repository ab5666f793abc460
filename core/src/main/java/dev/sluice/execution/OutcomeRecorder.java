package dev.sluice.execution;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.internal.FatalErrors;
import dev.sluice.time.NanoClock;

/** Counters of how the tasks of one executor end, and the calls of its listeners. */
final class OutcomeRecorder {

	private final NanoClock clock;

	private final List<ExecutionListener> listeners;

	private final LongAdder[] counts = new LongAdder[TaskOutcome.values().length];

	private final LongAdder listenerFailures = new LongAdder();

	OutcomeRecorder(NanoClock clock, List<ExecutionListener> listeners) {
		this.clock = clock;
		this.listeners = listeners;
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] = new LongAdder();
		}
	}

	/** Counts a task that ended otherwise than by its return. */
	void count(TaskOutcome outcome) {
		this.counts[outcome.ordinal()].increment();
	}

	long sum(TaskOutcome outcome) {
		return this.counts[outcome.ordinal()].sum();
	}

	long listenerFailures() {
		return this.listenerFailures.sum();
	}

	/** Returns whether there are listeners for the end of tasks. */
	boolean hasListeners() {
		return !this.listeners.isEmpty();
	}

	long now() {
		return this.clock.nanoTime();
	}

	/** Calls the listeners for a claimed task that ends. */
	void notifyListeners(String queueId, Level level, TaskOutcome outcome, long waitNanos, long runNanos) {
		this.listeners.forEach((listener) -> call(listener, queueId, level, outcome, waitNanos, runNanos));
	}

	private void call(ExecutionListener listener, String queueId, Level level, TaskOutcome outcome, long waitNanos,
			long runNanos) {
		try {
			listener.taskEnded(queueId, level, outcome, waitNanos, runNanos);
		}
		catch (Throwable ex) {
			this.listenerFailures.increment();
			FatalErrors.passOn(ex);
		}
	}

}
