package dev.sluice.batch;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.internal.FatalErrors;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** State that the slots of a consumer share: its run and its callbacks. */
final class ConsumerState<T> {

	/*
	 * "run" is null until the first start, while items wait for it, and then the latest
	 * run, until the next start replaces a run that is over. A run that completes accepts
	 * no more items. Pushers check this before and after their push. An item that is
	 * pushed in between is drained if it is below the seal of its slot, and otherwise
	 * dropped by a turn. Attacked by LifecycleTests, BatchConsumerLincheckTests and
	 * PushAgainstComplete (jcstress).
	 */

	/** Runs the turns of the slots. */
	final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final List<PumpListener> listeners;

	private final @Nullable BatchErrorHandler<? super T> errorHandler;

	private final AtomicReference<@Nullable Run<T>> run = new AtomicReference<>();

	private final LongAdder callbackFailures = new LongAdder();

	ConsumerState(BatchSettings<T> settings) {
		this.turns = SequentialLeveledTaskExecutor.builder(settings.executor()).build();
		this.clock = settings.clock();
		this.listeners = settings.listeners();
		this.errorHandler = settings.errorHandler();
	}

	/** Begins a run, unless one has begun and is not over. */
	boolean begin(Run<T> next) {
		Run<T> before = this.run.get();
		return (before == null || before.isOver()) && this.run.compareAndSet(before, next);
	}

	/** Returns the current run, or {@code null} if none is active. */
	@Nullable Run<T> run() {
		Run<T> run = this.run.get();
		return (run != null && !run.isOver()) ? run : null;
	}

	/** Returns the current run, or the last one if it is over. */
	@Nullable Run<T> latestRun() {
		return this.run.get();
	}

	/** Returns whether the consumer has been completed and not started since. */
	boolean isCompleting() {
		Run<T> run = this.run.get();
		return run != null && run.isCompleting();
	}

	boolean hasListeners() {
		return !this.listeners.isEmpty();
	}

	/** Calls the listeners, if there are any, at the end of a call of the pump. */
	void notifyListeners(int slot, Batch<T> batch, PumpOutcome outcome) {
		for (PumpListener listener : this.listeners) {
			callBack(() -> listener.pumpEnded(slot, batch.size(), outcome, this.clock.nanoTime() - batch.calledAt()));
		}
	}

	/** Passes a batch to the error handler, if there is one. */
	void handle(int slot, Batch<T> batch, Throwable failure) {
		BatchErrorHandler<? super T> handler = this.errorHandler;
		if (handler != null) {
			callBack(() -> handler.handle(cast(batch), slot, failure));
		}
	}

	/** Calls a callback of the application; its exceptions are counted. */
	void callBack(Runnable callback) {
		try {
			callback.run();
		}
		catch (Throwable ex) {
			this.callbackFailures.increment();
			FatalErrors.passOn(ex);
		}
	}

	long callbackFailures() {
		return this.callbackFailures.sum();
	}

	/** Casts a list to a supertype, which is safe as it is unmodifiable. */
	@SuppressWarnings("unchecked")
	private static <S> List<S> cast(List<? extends S> items) {
		return (List<S>) items;
	}

}
