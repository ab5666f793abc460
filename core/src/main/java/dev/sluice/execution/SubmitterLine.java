package dev.sluice.execution;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that wait for a place in a full queue, first come first served. */
final class SubmitterLine {

	/*
	 * A thread joins the line before it tries for a place, and whoever frees a place
	 * looks at the line afterwards, so no free place goes unseen. Only the first in line
	 * tries; when it leaves, whatever the reason, it wakes the next. Attacked by
	 * OverflowTests.
	 */

	private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();

	boolean isEmpty() {
		return this.threads.isEmpty();
	}

	/**
	 * Parks until the calling thread is first and got a place, it should give up, it is
	 * interrupted (which it stays), or the time has passed.
	 */
	boolean await(BooleanSupplier place, BooleanSupplier giveUp, long maxNanos) {
		Thread thread = Thread.currentThread();
		long start = System.nanoTime();
		this.threads.add(thread);
		try {
			for (;;) {
				if (giveUp.getAsBoolean()) {
					return false;
				}
				if (this.threads.peek() == thread && place.getAsBoolean()) {
					return true;
				}
				long remaining = maxNanos - (System.nanoTime() - start);
				if (remaining <= 0 || thread.isInterrupted()) {
					return false;
				}
				LockSupport.parkNanos(this, remaining);
			}
		}
		finally {
			this.threads.remove(thread);
			wakeFirst();
		}
	}

	void wakeFirst() {
		LockSupport.unpark(this.threads.peek());
	}

	void wakeAll() {
		this.threads.forEach(LockSupport::unpark);
	}

}
