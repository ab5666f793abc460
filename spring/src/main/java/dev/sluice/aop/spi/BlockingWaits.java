package dev.sluice.aop.spi;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * Bound for the threads of a pool that may block at the same time, in line for a permit
 * or until a client has received a message. The bound keeps the pool from being blocked
 * as a whole, because the tasks that would release permits may need its threads. A call
 * that may not block is rejected at once. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class BlockingWaits {

	/*
	 * A thread of the pool reserves a place without waiting before it blocks, and
	 * releases it in any case, so that at most the limit of these threads block. Attacked
	 * by BlockedWorkersTests and WhenThrottledTests.
	 */

	private final BooleanSupplier inPool;

	private final Semaphore threads;

	private final LongAdder rejected = new LongAdder();

	private BlockingWaits(int limit, BooleanSupplier inPool) {
		this.threads = new Semaphore(limit);
		this.inPool = inPool;
	}

	/**
	 * Lets every thread block.
	 * @return no bound
	 */
	public static BlockingWaits unbounded() {
		return atMost(0, () -> false);
	}

	/**
	 * Limits the number of threads of a pool that may block at the same time; threads
	 * outside of the pool may always block.
	 * @param limit the maximum number of blocked threads
	 * @param inPool returns whether the current thread belongs to the pool
	 * @return the bound
	 */
	public static BlockingWaits atMost(int limit, BooleanSupplier inPool) {
		return new BlockingWaits(limit, Objects.requireNonNull(inPool, "'inPool' must not be null"));
	}

	/**
	 * Returns how many calls were rejected because too many threads were blocked.
	 * @return the count since the bound was created
	 */
	public long workersExhausted() {
		return this.rejected.sum();
	}

	/**
	 * Counts a call that was rejected because it could not be admitted without blocking.
	 */
	public void rejected() {
		this.rejected.increment();
	}

	/**
	 * Blocks the current thread in a wait, if allowed.
	 * @param wait the blocking operation
	 * @return whether it was allowed to block
	 * @throws InterruptedException if the thread is interrupted while it is blocked
	 * @throws ExecutionException if the wait fails
	 */
	public boolean block(Wait wait) throws InterruptedException, ExecutionException {
		if (!this.inPool.getAsBoolean()) {
			wait.run();
			return true;
		}
		if (!this.threads.tryAcquire()) {
			return false;
		}
		try {
			wait.run();
			return true;
		}
		finally {
			this.threads.release();
		}
	}

	/** Action that blocks. */
	@FunctionalInterface
	public interface Wait {

		/**
		 * Blocks the current thread.
		 * @throws InterruptedException if the thread is interrupted while it is blocked
		 * @throws ExecutionException if the operation it waits for fails
		 */
		void run() throws InterruptedException, ExecutionException;

	}

}
