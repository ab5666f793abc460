package dev.sluice.throttle;

import java.util.concurrent.atomic.LongAdder;

import dev.sluice.throttle.Decision.Reason;

/** Calls the listener and contains its exceptions. */
final class Listening {

	private final ThrottleListener listener;

	private final LongAdder failures = new LongAdder();

	Listening(ThrottleListener listener) {
		this.listener = listener;
	}

	/** Tells of a decision without a wait. */
	void decided(String resource, String key, int permits, long verdict) {
		if (verdict == Verdict.ADMITTED) {
			admitted(resource, key, permits, 0);
		}
		else {
			rejected(resource, key, permits, Verdict.reason(verdict), 0);
		}
	}

	void admitted(String resource, String key, int permits, long waitNanos) {
		try {
			this.listener.admitted(resource, key, permits, waitNanos);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	void rejected(String resource, String key, int permits, Reason reason, long waitNanos) {
		try {
			this.listener.rejected(resource, key, permits, reason, waitNanos);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	void released(String resource, String key, int permits, long heldNanos) {
		try {
			this.listener.released(resource, key, permits, heldNanos);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	long failures() {
		return this.failures.sum();
	}

}
