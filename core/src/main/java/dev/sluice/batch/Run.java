package dev.sluice.batch;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/** Run of a consumer, from one start to its completion. */
final class Run<T> {

	/*
	 * Completing seals each slot at the position of its newest item. Items after the seal
	 * were pushed too late and are dropped. A slot is over when it has reached its seal
	 * and has no batch in flight; the last slot to be over ends the run. Seals belong to
	 * the run, so a late completion cannot seal the next run. Discarding may follow
	 * draining, but not the reverse. Attacked by BatchConsumerLincheckTests (model
	 * checking), PushAgainstComplete and EndAgainstComplete (jcstress).
	 */

	final BatchPump<T> pump;

	private final AtomicReferenceArray<@Nullable SlotEnd> seals;

	private final AtomicInteger openSlots;

	/** Signals of calls in flight that have callbacks. */
	private final Set<PumpSignal> signals = ConcurrentHashMap.newKeySet();

	private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

	private volatile boolean completing;

	private volatile boolean discarding;

	private volatile boolean over;

	Run(BatchPump<T> pump, int slots) {
		this.pump = pump;
		this.seals = new AtomicReferenceArray<>(slots);
		this.openSlots = new AtomicInteger(slots);
	}

	/** Seals a slot, unless it is sealed. */
	void seal(int slot, int position) {
		this.seals.compareAndSet(slot, null, new SlotEnd(position, false));
	}

	boolean isSealed(int slot) {
		return this.seals.get(slot) != null;
	}

	/** Returns the position of the last item of a slot that belongs to this run. */
	int end(int slot, int newest) {
		SlotEnd seal = this.seals.get(slot);
		return (seal != null) ? seal.position() : newest;
	}

	/** Marks a sealed slot as over in this run; may be called more than once. */
	void over(int slot) {
		SlotEnd seal = this.seals.get(slot);
		if (seal != null && !seal.over() && this.seals.compareAndSet(slot, seal, new SlotEnd(seal.position(), true))
				&& this.openSlots.decrementAndGet() == 0) {
			this.over = true;
			this.end.complete(null);
		}
	}

	/** Accepts no more items, except those pushed before their slot is sealed. */
	void complete() {
		this.completing = true;
	}

	boolean isCompleting() {
		return this.completing;
	}

	/** Registers a call of the pump with callbacks for the case that the run discards. */
	void listening(PumpSignal signal) {
		this.signals.add(signal);
	}

	/** Removes a call of the pump that has ended. */
	void forget(PumpSignal signal) {
		this.signals.remove(signal);
	}

	/** Returns whether every slot is over, so that another run may begin. */
	boolean isOver() {
		return this.over;
	}

	void discard() {
		this.discarding = true;
		this.signals.forEach(PumpSignal::cancel);
	}

	boolean isDiscarding() {
		return this.discarding;
	}

	CompletableFuture<@Nullable Void> end() {
		return this.end.copy();
	}

	/**
	 * The end of a slot in this run.
	 *
	 * @param position the position of its last item
	 * @param over whether all items up to it have ended
	 */
	private record SlotEnd(int position, boolean over) {
	}

}
