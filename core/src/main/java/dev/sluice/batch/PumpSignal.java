package dev.sluice.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Cancellation of one call of the pump. */
final class PumpSignal implements CancellationSignal {

	/*
	 * A run holds the signals that have callbacks until their calls end. A thread that
	 * adds a callback first registers it with the run and then checks whether the run
	 * discards. A thread that discards first sets that state and then reads the
	 * registered signals. At least one of the two finds the other, and the thread that
	 * removes the callbacks calls them outside the monitor, each once. Attacked by
	 * CancellationTests.
	 */

	private final Run<?> run;

	private final Consumer<Runnable> caller;

	// Both guarded by this

	private @Nullable List<Runnable> callbacks;

	private boolean ended;

	/**
	 * Creates the signal.
	 * @param run the run that may begin to discard
	 * @param caller calls a callback and catches its exceptions
	 */
	PumpSignal(Run<?> run, Consumer<Runnable> caller) {
		this.run = run;
		this.caller = caller;
	}

	@Override
	public boolean isCancelled() {
		return this.run.isDiscarding();
	}

	@Override
	public void onCancel(Runnable callback) {
		Objects.requireNonNull(callback, "'callback' must not be null");
		if (add(callback) && isCancelled()) {
			cancel();
		}
	}

	private synchronized boolean add(Runnable callback) {
		if (this.ended) {
			return false;
		}
		if (this.callbacks == null) {
			this.callbacks = new ArrayList<>(1);
			this.run.listening(this);
		}
		return this.callbacks.add(callback);
	}

	/** Calls the callbacks that were added. */
	void cancel() {
		take().forEach(this.caller);
	}

	/** Notes that the call of the pump has ended. */
	synchronized void end() {
		this.ended = true;
		take();
	}

	private synchronized List<Runnable> take() {
		List<Runnable> taken = this.callbacks;
		if (taken == null) {
			return List.of();
		}
		this.callbacks = null;
		this.run.forget(this);
		return taken;
	}

}
