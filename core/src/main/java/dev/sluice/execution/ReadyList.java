package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import org.jspecify.annotations.Nullable;

/** A list of queues, first in, first out, in which each queue is its own node. */
final class ReadyList {

	/*
	 * Arrivals are a stack that anybody pushes to by CAS. The departures, in order, are
	 * written under "guard" only, which is held for the turning round of the stack and
	 * the taking of one queue. A queue is in the list once at most, since only its owner
	 * adds it, and its node may be used again: a push needs the top as it is, not as it
	 * was. While the arrivals move, the guard is held, which counts as not empty; they
	 * are looked for in the order in which they move, so that none is overlooked.
	 */

	private static final VarHandle ARRIVALS;

	private static final VarHandle GUARD;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			ARRIVALS = lookup.findVarHandle(ReadyList.class, "arrivals", SequentialQueue.class);
			GUARD = lookup.findVarHandle(ReadyList.class, "guard", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private volatile @Nullable SequentialQueue arrivals;

	private volatile @Nullable SequentialQueue departures;

	@SuppressWarnings("unused")
	private volatile int guard;

	void add(SequentialQueue queue) {
		SequentialQueue top;
		do {
			top = this.arrivals;
			queue.nextReady = top;
		}
		while (!ARRIVALS.compareAndSet(this, top, queue));
	}

	@Nullable SequentialQueue poll() {
		if (isEmpty()) {
			return null;
		}
		lock();
		try {
			SequentialQueue first = this.departures;
			if (first == null) {
				first = turnRound((SequentialQueue) ARRIVALS.getAndSet(this, null));
			}
			if (first != null) {
				this.departures = first.nextReady;
				first.nextReady = null;
			}
			return first;
		}
		finally {
			unlock();
		}
	}

	boolean isEmpty() {
		return this.arrivals == null && this.guard == 0 && this.departures == null;
	}

	/** Takes the queue out; false if it is not there. */
	boolean remove(SequentialQueue queue) {
		lock();
		try {
			SequentialQueue first = join(this.departures, turnRound((SequentialQueue) ARRIVALS.getAndSet(this, null)));
			SequentialQueue before = null;
			SequentialQueue each = first;
			while (each != null && each != queue) {
				before = each;
				each = each.nextReady;
			}
			if (before == null) {
				this.departures = (each != null) ? each.nextReady : first;
			}
			else {
				this.departures = first;
				before.nextReady = (each != null) ? each.nextReady : null;
			}
			if (each != null) {
				each.nextReady = null;
			}
			return each != null;
		}
		finally {
			unlock();
		}
	}

	private static @Nullable SequentialQueue join(@Nullable SequentialQueue older, @Nullable SequentialQueue newer) {
		if (older == null) {
			return newer;
		}
		SequentialQueue last = older;
		while (last.nextReady != null) {
			last = last.nextReady;
		}
		last.nextReady = newer;
		return older;
	}

	private static @Nullable SequentialQueue turnRound(@Nullable SequentialQueue newest) {
		SequentialQueue oldest = null;
		for (SequentialQueue queue = newest; queue != null;) {
			SequentialQueue older = queue.nextReady;
			queue.nextReady = oldest;
			oldest = queue;
			queue = older;
		}
		return oldest;
	}

	private void lock() {
		for (int spins = 0; !GUARD.compareAndSet(this, 0, 1); spins++) {
			QueueOwner.pause(spins);
		}
	}

	private void unlock() {
		GUARD.setRelease(this, 0);
	}

}
