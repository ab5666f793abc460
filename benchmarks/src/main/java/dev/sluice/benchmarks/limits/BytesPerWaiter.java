package dev.sluice.benchmarks.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;

/**
 * Prints the bytes that one more call keeps that waits for a mutex, its future included.
 * Argument: how many wait in one line. Meant for a JVM with a serial collector.
 */
final class BytesPerWaiter {

	private static final Duration LONG = Duration.ofHours(1);

	private BytesPerWaiter() {
	}

	public static void main(String[] args) {
		int count = Integer.parseInt(args[0]);
		CompletableFuture<Permit> warm = wait(mutex(1));
		List<Throttle> mutexes = new ArrayList<>();
		List<CompletableFuture<Permit>> waiting = new ArrayList<>(BytesPerKey.groups(count) * count);
		long before = BytesPerKey.used();
		for (int i = 0; i < BytesPerKey.groups(count); i++) {
			Throttle mutex = mutex(count);
			mutexes.add(mutex);
			for (int waiter = 0; waiter < count; waiter++) {
				waiting.add(wait(mutex));
			}
		}
		double bytes = (double) (BytesPerKey.used() - before) / waiting.size();
		if (warm.isDone() || waiting.stream().anyMatch(CompletableFuture::isDone)) {
			throw new IllegalStateException("A call did not wait");
		}
		System.out.println(bytes);
		System.exit(0);
	}

	private static Throttle mutex(int waiting) {
		Throttle mutex = ThrottlingManager.builder()
			.build()
			.addOrUpdate("mutex", Limit.mutex(), LimitOptions.builder().maxWaiting(waiting).build());
		mutex.tryAcquire().permit();
		return mutex;
	}

	private static CompletableFuture<Permit> wait(Throttle mutex) {
		return mutex.acquire("", 1, LONG);
	}

}
