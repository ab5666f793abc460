package dev.sluice.autoconfigure.throttle;

import java.util.List;
import java.util.function.Consumer;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.ThrottleListener;
import org.jspecify.annotations.Nullable;

/**
 * Calls several listeners one after another. An exception of one listener does not affect
 * the others; it is thrown when all were called, so that it is counted.
 */
record ThrottleListeners(List<ThrottleListener> listeners) implements ThrottleListener {

	@Override
	public void admitted(String resource, String key, int permits, long waitNanos) {
		forEach((listener) -> listener.admitted(resource, key, permits, waitNanos));
	}

	@Override
	public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
		forEach((listener) -> listener.rejected(resource, key, permits, reason, waitNanos));
	}

	@Override
	public void released(String resource, String key, int permits, long heldNanos) {
		forEach((listener) -> listener.released(resource, key, permits, heldNanos));
	}

	private void forEach(Consumer<ThrottleListener> call) {
		Failures failures = new Failures();
		for (ThrottleListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				failures.add(ex);
			}
		}
		failures.throwFirst();
	}

	/** What was thrown: the first, and the others as suppressed by it. */
	private static final class Failures {

		private @Nullable Throwable first;

		void add(Throwable failure) {
			if (this.first == null) {
				this.first = failure;
			}
			else if (this.first != failure) {
				this.first.addSuppressed(failure);
			}
		}

		void throwFirst() {
			if (this.first instanceof Error error) {
				throw error;
			}
			if (this.first instanceof RuntimeException exception) {
				throw exception;
			}
		}

	}

}
