package dev.sluice.throttle;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Counts the bytes that this thread allocates over many calls of rates. */
class AllocationTests {

	private static final int CALLS = 20_000;

	private static final int ROUNDS = 3;

	/** What the counting itself and a class that is loaded late may cost. */
	private static final long NOTHING = CALLS / 2;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	static Stream<Limit> rates() {
		Duration day = Duration.ofDays(1);
		int many = 12 * CALLS;
		return Stream.of(Limit.slidingLog(many, day), Limit.fixedWindow(many, day), Limit.slidingWindow(many, day, 4),
				Limit.slidingWindow(many, day, 100), Limit.dynamicWindow(many, 1, many, day, 4),
				Limit.tokenBucket(many, many, day));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void admittedCallAllocatesNothing(Limit limit) {
		Throttle throttle = this.manager.addOrUpdate("rate", limit);
		for (int i = 0; i < 10; i++) {
			throttle.tryAcquire("key", CALLS / 2);
		}

		assertThat(allocated(() -> throttle.tryAcquireNanos("key", 1))).isLessThan(NOTHING);
		assertThat(allocated(() -> throttle.tryAcquire("key", 1))).isLessThan(NOTHING);
	}

	@ParameterizedTest
	@MethodSource("rates")
	void rejectedCallAllocatesNothing(Limit limit) {
		Throttle throttle = this.manager.addOrUpdate("rate", limit);
		while (throttle.tryAcquire("key", CALLS / 2).admitted()) {
			continue;
		}

		assertThat(allocated(() -> throttle.tryAcquireNanos("key", CALLS / 2))).isLessThan(NOTHING);
	}

	@Test
	void callsOfListenersAllocateNothing() {
		ThrottlingManager heard = ThrottlingManager.builder().listener(new Listener()).listener(new Listener()).build();
		Throttle throttle = heard.addOrUpdate("rate", Limit.fixedWindow(12 * CALLS, Duration.ofDays(1)));

		assertThat(allocated(() -> throttle.tryAcquireNanos("key", 1))).isLessThan(NOTHING);
		assertThat(allocated(() -> throttle.tryAcquireNanos("key", 12 * CALLS))).isLessThan(NOTHING);
	}

	/** The least of several times, since a sweep may fall into one of them. */
	private long allocated(Runnable call) {
		call.run();
		return IntStream.range(0, ROUNDS).mapToLong((round) -> allocatedOnce(call)).min().orElseThrow();
	}

	private long allocatedOnce(Runnable call) {
		long thread = Thread.currentThread().getId();
		long before = this.threads.getThreadAllocatedBytes(thread);
		for (int i = 0; i < CALLS; i++) {
			call.run();
		}
		return this.threads.getThreadAllocatedBytes(thread) - before;
	}

	private static final class Listener implements ThrottleListener {

	}

}
