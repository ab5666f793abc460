package dev.sluice.throttle.internal;

import dev.sluice.throttle.Permit;

/** Permit whose acquisition can be undone. */
public interface Refundable extends Permit {

	/** Refunds exactly the acquired permits. */
	void refund();

	/** Undoes a permit; one of a mutex or semaphore is closed. */
	static void refund(Permit permit) {
		if (permit instanceof Refundable refundable) {
			refundable.refund();
		}
		else {
			permit.close();
		}
	}

}
