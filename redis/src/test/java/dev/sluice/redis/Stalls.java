package dev.sluice.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** How long this process was stopped, by its garbage collector or for lack of a core. */
public final class Stalls implements AutoCloseable {

	private final AtomicLong longest = new AtomicLong();

	private volatile boolean closed;

	private Stalls() {
	}

	public static Stalls watch() {
		Stalls stalls = new Stalls();
		Thread thread = new Thread(stalls::look, "stalls");
		thread.setDaemon(true);
		thread.start();
		return stalls;
	}

	private void look() {
		long before = System.nanoTime();
		while (!this.closed) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			long now = System.nanoTime();
			this.longest.accumulateAndGet(now - before, Math::max);
			before = now;
		}
	}

	public Duration longest() {
		return Duration.ofNanos(this.longest.get());
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
