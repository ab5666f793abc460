package dev.sluice.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that wait for a place in something full, first come, first served. */
public final class WaitingThreads {

	/*
	 * A thread joins the line before it tries to get a place, and a thread that frees a
	 * place checks the line afterwards, so no free place is missed. Only the first thread
	 * in line tries. When it leaves, for any reason, it wakes the next: one freed place
	 * wakes one thread, and several wake as many as they can serve. Attacked by
	 * OverflowTests of execution and of batches.
	 */

	private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();

	public boolean isEmpty() {
		return this.threads.isEmpty();
	}

	/**
	 * Parks until the calling thread is first and has a place, until it should give up or
	 * is interrupted (its interrupt status is kept), or until the time has passed.
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
