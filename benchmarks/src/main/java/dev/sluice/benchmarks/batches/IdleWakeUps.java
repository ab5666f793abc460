package dev.sluice.benchmarks.batches;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints how often the threads of one contender woke up in two seconds in which nothing
 * was pushed, after they had dealt with some load. Argument: the contender.
 */
final class IdleWakeUps {

	private static final Duration INTERVAL = Duration.ofMillis(10);

	private static final int SLOTS = 4;

	private IdleWakeUps() {
	}

	public static void main(String[] args) {
		CountingPump pump = new CountingPump(SLOTS);
		Batcher batcher = Contender.valueOf(args[0]).create(SLOTS, Load.ITEMS, INTERVAL, pump);
		new Load(SLOTS, 1).run(batcher, pump);
		batcher.push(1, 0);
		sleep(500);
		long before = Threads.sleeps();
		sleep(2_000);
		System.out.println(Threads.sleeps() - before);
		System.exit(0);
	}

	private static void sleep(long millis) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (end - System.nanoTime() > 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
