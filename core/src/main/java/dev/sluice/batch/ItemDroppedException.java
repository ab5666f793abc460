package dev.sluice.batch;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when an item goes into no batch: its slot's {@link SlotOverflow} has dropped it,
 * {@link BatchConsumer#complete(boolean)} has discarded it, or it was pushed after that.
 * It has no stack trace, like {@link SlotFullException}.
 *
 * @since 0.1.0
 */
public class ItemDroppedException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	private final int slot;

	/**
	 * Creates the exception.
	 * @param slot the slot in which the item waited
	 * @param reason why it was dropped, to be read after "Item dropped "
	 */
	public ItemDroppedException(int slot, String reason) {
		super("Item dropped " + reason);
		this.slot = slot;
	}

	/**
	 * Returns the slot in which the item waited.
	 * @return the slot's number
	 */
	public int slot() {
		return this.slot;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
