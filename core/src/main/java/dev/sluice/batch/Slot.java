package dev.sluice.batch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.internal.FieldHandles;
import dev.sluice.internal.WaitingThreads;
import org.jspecify.annotations.Nullable;

/** One slot, as pushers use it; {@link SlotTurns} is the side for its worker. */
final class Slot<T> {

	/*
	 * Arrival. A pusher publishes its item by one CAS on "inbox", linking it above the
	 * newest one. The newest item stays in the stack, even when it has left the slot, so
	 * every item finds its position, one above, and positions order all items of the
	 * slot. The number of waiting items is the number pushed minus the number taken.
	 *
	 * Bound. Both numbers only grow, and so does "limit", the highest position known to
	 * be free: a pusher below it writes only "inbox". The limit may be too low but never
	 * too high, so the bound is exact.
	 *
	 * Signal. Pushers are many and turns are few: only the pusher whose item has the
	 * position that the last turn requested calls the next one (see SlotTurns). It reads
	 * that position after its push, and a turn reads the inbox after it has written the
	 * position. At least one of the two finds the other, so no signal is lost.
	 *
	 * Slots share no state on this path. Pushers and turns write to fields of different
	 * objects, so that these fields are not on one cache line.
	 *
	 * Attacked by BatchConsumerLincheckTests (model checking), PushAgainstTurn and
	 * PushAgainstDrop (jcstress), LostSignalTests and OverflowTests.
	 */

	private static final VarHandle INBOX = FieldHandles.find(MethodHandles.lookup(), "inbox", Item.class);

	final int number;

	final WaitingItems<T> waiting;

	final SlotTurns<T> turns;

	private final ConsumerState<T> consumer;

	private final int maxWaiting;

	private final SlotOverflow overflow;

	private final long maxBlockNanos;

	/** Pushers that wait for a place; only with {@link SlotOverflow#BLOCK}. */
	private final @Nullable WaitingThreads line;

	private final LongAdder rejected = new LongAdder();

	private final LongAdder dropped = new LongAdder();

	private volatile Item<T> inbox = new Item<>(null);

	private int limit;

	Slot(ConsumerState<T> consumer, int number, BatchSettings<T> settings) {
		this.number = number;
		this.consumer = consumer;
		this.waiting = new WaitingItems<>(this.inbox);
		this.maxWaiting = settings.maxWaiting();
		this.limit = settings.maxWaiting();
		this.overflow = settings.overflow();
		this.maxBlockNanos = BatchSettings.nanos(settings.maxBlock());
		this.line = (settings.overflow() == SlotOverflow.BLOCK) ? new WaitingThreads() : null;
		this.turns = new SlotTurns<>(consumer, this, settings);
	}

	/** Accepts the item, or ends its future if the slot is full. */
	void push(Item<T> item) {
		if ((this.line != null && !this.line.isEmpty()) || !offer(item)) {
			makeRoom(item);
		}
	}

	private boolean offer(Item<T> item) {
		for (;;) {
			Item<T> top = this.inbox;
			int position = top.position + 1;
			if (position - this.limit > 0 && !raiseLimit(position)) {
				return false;
			}
			item.next = top;
			item.position = position;
			if (INBOX.compareAndSet(this, top, item)) {
				this.turns.arrived(position);
				return true;
			}
		}
	}

	private boolean raiseLimit(int position) {
		int raised = this.waiting.taken() + this.maxWaiting;
		this.limit = raised;
		return position - raised <= 0;
	}

	private void makeRoom(Item<T> item) {
		switch (this.overflow) {
			case REJECT -> reject(item);
			case DROP_NEWEST -> drop(item);
			case DROP_OLDEST -> replaceOldest(item);
			case BLOCK -> waitForPlace(item);
		}
	}

	/** If there is no item to drop, a turn has just taken it, and a place is free. */
	private void replaceOldest(Item<T> item) {
		while (!offer(item)) {
			Item<T> oldest = this.waiting.takeOldest(this.inbox);
			if (oldest != null) {
				drop(oldest);
			}
		}
	}

	private void waitForPlace(Item<T> item) {
		if (this.line == null || this.turns.isPumping(Thread.currentThread())) {
			reject(item);
			return;
		}
		AtomicBoolean completing = new AtomicBoolean(); // it may start again meanwhile
		boolean placed = this.line.await(() -> offer(item), () -> {
			completing.setPlain(this.consumer.isCompleting());
			return completing.getPlain();
		}, this.maxBlockNanos);
		if (!placed && completing.getPlain()) {
			dropLate(item);
		}
		else if (!placed) {
			reject(item);
		}
	}

	/** Drops the items of pushers that wait, as the consumer is completing. */
	void releasePushers() {
		if (this.line != null) {
			this.line.wakeAll();
		}
	}

	private void reject(Item<T> item) {
		this.rejected.increment();
		item.completeExceptionally(new SlotFullException(this.number, this.maxWaiting));
	}

	private void drop(Item<T> item) {
		this.dropped.increment();
		item.completeExceptionally(new ItemDroppedException(this.number,
				"by " + this.overflow + " because slot " + this.number + " was full"));
	}

	/** Ends an item that was pushed after the consumer was completed. */
	void dropLate(Item<T> item) {
		this.dropped.increment();
		item.completeExceptionally(late());
	}

	ItemDroppedException late() {
		return new ItemDroppedException(this.number, "because the consumer was completed before");
	}

	/** Returns the item pushed last, whether or not it still waits. */
	Item<T> newest() {
		return this.inbox;
	}

	/**
	 * Moves the oldest items up to a position to the batch; returns whether it moved any.
	 */
	boolean take(Batch<T> batch, Item<T> newest, int end, int maxItems) {
		boolean any = this.waiting.take(batch, newest, end, maxItems);
		if (any && this.line != null) {
			this.line.wakeFirst();
		}
		return any;
	}

	void countDiscarded(int items) {
		this.dropped.add(items);
	}

	SlotSnapshot snapshot() {
		int taken = this.waiting.taken();
		return this.turns.snapshot(Math.max(0, this.inbox.position - taken), this.rejected.sum(), this.dropped.sum());
	}

}
