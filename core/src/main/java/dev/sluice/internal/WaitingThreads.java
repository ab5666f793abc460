package dev.sluice.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that wait for a place in something full, first come, first served. */
public final class WaitingThreads {

	/*
	 * A thread joins the line before it tries for a place, and whoever frees a place
	 * looks at the line afterwards, so no free place goes unseen. Only the first in line
	 * tries; when it leaves, whatever the reason, it wakes the next: one place freed
	 * wakes one, many wake as many as they serve. Attacked by OverflowTests of execution
	 * and of batches.
	 */

	private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();

	public boolean isEmpty() {
		return this.threads.isEmpty();
	}

	/**
	 * Parks until the calling thread is first and got a place, it should give up, it is
	 * interrupted (which it stays), or the time has passed.
	 * @param place tries to take a place
	 * @param giveUp whether to wait no longer
	 * @param maxNanos the longest wait
	 * @return whether it got a place
	 */
	public boolean await(BooleanSupplier place, BooleanSupplier giveUp, long maxNanos) {
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

	public void wakeFirst() {
		LockSupport.unpark(this.threads.peek());
	}

	public void wakeAll() {
		this.threads.forEach(LockSupport::unpark);
	}

}
