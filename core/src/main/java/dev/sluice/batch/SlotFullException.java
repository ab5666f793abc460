package dev.sluice.batch;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when an item is rejected because its slot is full. It has no stack trace: it is
 * made on the pusher's path, as often as a flood demands.
 *
 * @since 0.1.0
 */
public class SlotFullException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	private final int slot;

	private final int maxWaiting;

	/**
	 * Creates the exception.
	 * @param slot the full slot
	 * @param maxWaiting how many items may wait in it
	 */
	public SlotFullException(int slot, int maxWaiting) {
		super("Slot " + slot + " is full; the limit of waiting items is " + maxWaiting);
		this.slot = slot;
		this.maxWaiting = maxWaiting;
	}

	/**
	 * Returns the full slot.
	 * @return the slot's number
	 */
	public int slot() {
		return this.slot;
	}

	/**
	 * Returns how many items may wait in the slot.
	 * @return the limit, greater than 0
	 */
	public int maxWaiting() {
		return this.maxWaiting;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
