package dev.sluice.throttle;

/** A permit that can be undone, as if it had never been granted. */
interface Refundable extends Permit {

	/** Gives back exactly what was taken. */
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
