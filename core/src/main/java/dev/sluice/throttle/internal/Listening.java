package dev.sluice.throttle.internal;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.internal.FatalErrors;
import dev.sluice.throttle.Decision.Reason;
import dev.sluice.throttle.ThrottleListener;

/**
 * Calls of the listeners. A failure of one is counted, and does not affect the others.
 * They are called with each decision, so a call allocates neither an iterator nor a
 * lambda.
 */
public final class Listening {

	private final ThrottleListener[] listeners;

	private final LongAdder failures = new LongAdder();

	public Listening(List<ThrottleListener> listeners) {
		this.listeners = listeners.toArray(ThrottleListener[]::new);
	}

	/** Notifies the listeners of a decision without a wait. */
	public void decided(String resource, String key, int permits, long verdict) {
		if (verdict == Verdict.ADMITTED) {
			admitted(resource, key, permits, 0);
		}
		else {
			rejected(resource, key, permits, Verdict.reason(verdict), 0);
		}
	}

	public void admitted(String resource, String key, int permits, long waitNanos) {
		for (ThrottleListener listener : this.listeners) {
			try {
				listener.admitted(resource, key, permits, waitNanos);
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}
	}

	public void rejected(String resource, String key, int permits, Reason reason, long waitNanos) {
		for (ThrottleListener listener : this.listeners) {
			try {
				listener.rejected(resource, key, permits, reason, waitNanos);
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}
	}

	public void released(String resource, String key, int permits, long heldNanos) {
		for (ThrottleListener listener : this.listeners) {
			try {
				listener.released(resource, key, permits, heldNanos);
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}
	}

	private void failed(Throwable failure) {
		this.failures.increment();
		FatalErrors.passOn(failure);
	}

	public long failures() {
		return this.failures.sum();
	}

}
