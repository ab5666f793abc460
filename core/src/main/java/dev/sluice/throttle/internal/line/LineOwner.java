package dev.sluice.throttle.internal.line;

/** Throttle with the operations that its waiters need. */
public interface LineOwner {

	/** Notifies the listeners of the outcome of a wait. */
	void report(Waiter waiter, String key, int permits, Object outcome);

	/** Removes a waiter from the line after its caller has completed it. */
	void leave(Waiter waiter, Place place);

}
