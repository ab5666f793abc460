package dev.sluice.throttle.internal;

import java.util.concurrent.atomic.LongAdder;

import dev.sluice.throttle.Decision.Reason;
import dev.sluice.throttle.ThrottleListener;

/** Calls of the listener, whose exceptions are contained. */
public final class Listening {

	private final ThrottleListener listener;

	private final LongAdder failures = new LongAdder();

	public Listening(ThrottleListener listener) {
		this.listener = listener;
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
		try {
			this.listener.admitted(resource, key, permits, waitNanos);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	public void rejected(String resource, String key, int permits, Reason reason, long waitNanos) {
		try {
			this.listener.rejected(resource, key, permits, reason, waitNanos);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	public void released(String resource, String key, int permits, long heldNanos) {
		try {
			this.listener.released(resource, key, permits, heldNanos);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	public long failures() {
		return this.failures.sum();
	}

}
