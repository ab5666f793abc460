package dev.sluice.throttle.internal;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import dev.sluice.throttle.Decision.Reason;
import dev.sluice.throttle.ThrottleListener;

/**
 * Calls of the listeners. An exception of one is counted, and does not affect the others.
 */
public final class Listening {

	private final List<ThrottleListener> listeners;

	private final LongAdder failures = new LongAdder();

	public Listening(List<ThrottleListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Tells of a decision without a wait. */
	public void decided(String resource, String key, int permits, long verdict) {
		if (verdict == Verdict.ADMITTED) {
			admitted(resource, key, permits, 0);
		}
		else {
			rejected(resource, key, permits, Verdict.reason(verdict), 0);
		}
	}

	public void admitted(String resource, String key, int permits, long waitNanos) {
		forEach((listener) -> listener.admitted(resource, key, permits, waitNanos));
	}

	public void rejected(String resource, String key, int permits, Reason reason, long waitNanos) {
		forEach((listener) -> listener.rejected(resource, key, permits, reason, waitNanos));
	}

	public void released(String resource, String key, int permits, long heldNanos) {
		forEach((listener) -> listener.released(resource, key, permits, heldNanos));
	}

	private void forEach(Consumer<ThrottleListener> call) {
		for (ThrottleListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				this.failures.increment();
			}
		}
	}

	public long failures() {
		return this.failures.sum();
	}

}
