package dev.sluice.batch;

import dev.sluice.internal.SpinGuard;
import org.jspecify.annotations.Nullable;

/** Waiting items of a slot, in order of arrival, for the threads that take them. */
final class WaitingItems<T> extends SpinGuard {

	/*
	 * Pushers leave the items as a stack, newest first, whose bottom is the item absorbed
	 * last. Absorbing reverses the new part and appends it to the list. The list,
	 * "absorbed" and "taken" are written only under the guard, which is held while nodes
	 * are absorbed and unlinked. A turn of the slot takes the guard once a batch, other
	 * threads only to drop items. Pushing does not need it.
	 *
	 * "taken" is the number of items that left. It grows before the line of waiting
	 * pushers is checked (see WaitingThreads). The absorbed item stays at the top of the
	 * stack after it has left the list, without its content, until another item is
	 * pushed; its "next" is not read again.
	 *
	 * Attacked by BatchConsumerLincheckTests (model checking) and PushAgainstDrop
	 * (jcstress).
	 */

	private volatile int taken;

	private @Nullable Item<T> first;

	private Item<T> absorbed;

	/** Creates the list for a stack with only the given item, which does not count. */
	WaitingItems(Item<T> bottom) {
		this.absorbed = bottom;
	}

	/** Returns the number of items that have left the slot. */
	int taken() {
		return this.taken;
	}

	/**
	 * Moves the oldest items to a batch.
	 * @param top the newest item of the slot; read before
	 * @param end the position of the last item that may be taken
	 * @param maxItems the maximum number of items to take
	 * @return whether any item was taken
	 */
	boolean take(Batch<T> batch, Item<T> top, int end, int maxItems) {
		lock();
		try {
			int count = Math.min(maxItems, end - this.taken);
			if (count <= 0) {
				return false;
			}
			if (this.absorbed.position - this.taken < count) {
				absorb(top);
			}
			Item<T> oldest = this.first;
			if (oldest == null) {
				return false;
			}
			this.first = batch.fill(oldest, count);
			this.taken += count;
			return true;
		}
		finally {
			unlock();
		}
	}

	/** Removes and returns the oldest item, or null. */
	@Nullable Item<T> takeOldest(Item<T> top) {
		lock();
		try {
			if (this.first == null && top.position - this.taken > 0) {
				absorb(top);
			}
			Item<T> oldest = this.first;
			if (oldest != null) {
				this.first = oldest.next;
				oldest.next = null;
				oldest.value = null;
				this.taken++;
			}
			return oldest;
		}
		finally {
			unlock();
		}
	}

	private void absorb(Item<T> top) {
		Item<T> oldest = null;
		for (Item<T> item = top; item != this.absorbed && item != null;) {
			Item<T> older = item.next;
			item.next = oldest;
			oldest = item;
			item = older;
		}
		if (this.first == null) {
			this.first = oldest;
		}
		else {
			this.absorbed.next = oldest;
		}
		this.absorbed = top;
	}

}
