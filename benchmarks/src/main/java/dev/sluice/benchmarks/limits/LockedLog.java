package dev.sluice.benchmarks.limits;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/** The exact limiter that anybody would write first. */
final class LockedLog implements Limiter {

	private final ReentrantLock lock = new ReentrantLock();

	private final ArrayDeque<Long> times = new ArrayDeque<>();

	private final int limit;

	private final long periodNanos;

	LockedLog(int limit, Duration period) {
		this.limit = limit;
		this.periodNanos = period.toNanos();
	}

	@Override
	public boolean tryAcquire(String key) {
		this.lock.lock();
		try {
			long now = System.nanoTime();
			Long first;
			while ((first = this.times.peekFirst()) != null && now - first >= this.periodNanos) {
				this.times.removeFirst();
			}
			if (this.times.size() >= this.limit) {
				return false;
			}
			this.times.addLast(now);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

}
