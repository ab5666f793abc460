package dev.sluice.benchmarks.limits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What any exact limiter has to do: one successful compare-and-set, and read the clock.
 */
final class CasFloor implements Limiter {

	private static final VarHandle COUNT;

	static {
		try {
			COUNT = MethodHandles.lookup().findVarHandle(CasFloor.class, "count", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final boolean readsClock;

	private final boolean answer;

	private volatile long count;

	CasFloor(boolean readsClock, boolean answer) {
		this.readsClock = readsClock;
		this.answer = answer;
	}

	@Override
	public boolean tryAcquire(String key) {
		long now = this.readsClock ? System.nanoTime() : 1;
		for (;;) {
			long current = this.count;
			if (COUNT.compareAndSet(this, current, current + 1)) {
				return (now != 0) == this.answer;
			}
		}
	}

}
