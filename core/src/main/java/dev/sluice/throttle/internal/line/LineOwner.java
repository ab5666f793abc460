package dev.sluice.throttle.internal.line;

/** Throttle as seen by those who wait in one of its lines. */
public interface LineOwner {

	/** Tells the listener how a wait ended. */
	void tell(Waiter waiter, String key, int permits, Object outcome);

	/** Takes a waiter out of the line whose caller has completed it. */
	void leave(Waiter waiter, Place place);

}
