package dev.sluice.sample;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Stands for the time-consuming work of a real application. */
final class Work {

	private Work() {
	}

	/** Blocks for a random time, in milliseconds, as a ledger or a stove would. */
	static void take(int least, int most) {
		int time = ThreadLocalRandom.current().nextInt(least, most + 1);
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(time));
	}

}
