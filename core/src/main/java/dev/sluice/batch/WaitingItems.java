package dev.sluice.batch;

import dev.sluice.internal.SpinGuard;
import org.jspecify.annotations.Nullable;

/** The items of a slot that wait, in order of arrival, as those who take them see it. */
final class WaitingItems<T> extends SpinGuard {

	/*
	 * Pushers leave the items as a stack, newest first, whose bottom is the item last
	 * absorbed. Absorbing turns the new part round and appends it. The list, "absorbed"
	 * and "taken" are written under the guard only, which is held for the absorbing and
	 * unlinking of nodes. A slot's turn takes it once a batch; others only to drop items.
	 * Pushers never need it to push.
	 *
	 * "taken" says how many items left, and moves before the waiting pushers are looked
	 * for (see WaitingThreads). The absorbed item stays at the top of the stack when it
	 * has left the list, emptied, until another is pushed; its "next" is not read any
	 * more.
	 */

	private volatile int taken;

	private @Nullable Item<T> first;

	private Item<T> absorbed;

	/** For a stack that holds nothing but the item given, which does not count. */
	WaitingItems(Item<T> bottom) {
		this.absorbed = bottom;
	}

	/** How many items left the slot since it was made. */
	int taken() {
		return this.taken;
	}

	/**
	 * Moves the oldest items to a batch.
	 * @param top the newest item of the slot; read before
	 * @param end the position of the last item that may be taken
	 * @param most how many may be taken
	 * @return whether there was any
	 */
	boolean take(Batch<T> batch, Item<T> top, int end, int most) {
		lock();
		try {
			int count = Math.min(most, end - this.taken);
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

	/** Takes the oldest item out, if there is one. */
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
