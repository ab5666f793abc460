package dev.sluice.test.store;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Nodes, time and unique names for the parts of the contract. */
interface StoreUnderTest {

	/** A period that outlasts each test, so that no permits are refilled. */
	Duration LONG = Duration.ofDays(1);

	/** A period that tests wait for. */
	Duration PERIOD = Duration.ofSeconds(1);

	ThrottlingManager node();

	ThrottlingManager otherNode();

	StoreTime time();

	Duration patience();

	boolean boundsKeys();

	boolean keeps(Limit limit);

	/** Defines a limit with a unique name. */
	default Throttle define(Limit limit) {
		return define(limit, LimitOptions.defaults());
	}

	default Throttle define(Limit limit, LimitOptions options) {
		return define("contract-" + UUID.randomUUID(), limit, options);
	}

	default Throttle define(String resource, Limit limit, LimitOptions options) {
		assumeThat(keeps(limit)).as("The store keeps a limit like %s", limit).isTrue();
		return node().addOrUpdate(resource, limit, options);
	}

	/** Returns the limit on another node. */
	default Throttle elsewhere(Throttle throttle) {
		return otherNode().addOrUpdate(throttle.resource(), throttle.limit(), throttle.options());
	}

	default Throttle change(Throttle throttle, Limit limit) {
		return node().addOrUpdate(throttle.resource(), limit, throttle.options());
	}

	/** Returns the permit of a call that must be granted in time. */
	default Permit granted(CompletableFuture<Permit> call) {
		try {
			return call.get(patience().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return fail("Not granted in good time");
		}
		catch (ExecutionException ex) {
			return fail("Failed, not granted", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return fail("Interrupted", ex);
		}
	}

	/**
	 * Checks an expectation that holds until a time. A failure after this time is
	 * ignored.
	 */
	default void until(long end, Runnable expectation) {
		try {
			expectation.run();
		}
		catch (AssertionError ex) {
			if (time().nanoTime() - end < 0) {
				throw ex;
			}
		}
	}

	/** Repeats a test until it was fast enough for a conclusive result. */
	default void untilTold(BooleanSupplier test) {
		for (int attempt = 0; attempt < 20; attempt++) {
			if (test.getAsBoolean()) {
				return;
			}
		}
		fail("The test was too slow for a result, 20 times");
	}

	/** Checks an expectation that must hold on another node in time. */
	default void soon(Runnable expectation) {
		long end = System.nanoTime() + patience().toNanos();
		while (true) {
			try {
				expectation.run();
				return;
			}
			catch (AssertionError ex) {
				if (System.nanoTime() - end >= 0) {
					throw ex;
				}
				LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			}
		}
	}

	/** Checks that a call has not ended. */
	default void stillWaiting(CompletableFuture<Permit> call) {
		time().pass(time().tolerance());
		assertThat(call).isNotDone();
	}

	/** Returns the exception of a call that must be rejected in time. */
	default ThrottledException rejected(CompletableFuture<Permit> call) {
		try {
			call.get(patience().toMillis(), TimeUnit.MILLISECONDS);
			return fail("Granted, not rejected");
		}
		catch (TimeoutException ex) {
			return fail("Not rejected in good time");
		}
		catch (ExecutionException ex) {
			return (ex.getCause() instanceof ThrottledException throttled) ? throttled
					: fail("Failed, not rejected", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return fail("Interrupted", ex);
		}
	}

	/** Acquires a permit of a key, which must be available. */
	default Permit taken(Throttle throttle, String key) {
		return taken(throttle, key, 1);
	}

	default Permit taken(Throttle throttle, String key, int permits) {
		var decision = throttle.tryAcquire(key, permits);
		assertThat(decision.admitted()).as("%s permits of %s, key '%s': %s", permits, throttle, key, decision).isTrue();
		return decision.permit();
	}

	/** Acquires the permits of a request, which must be available. */
	default Permit taken(AcquireRequest request) {
		var decision = node().tryAcquire(request);
		assertThat(decision.admitted()).as("%s: %s", request, decision).isTrue();
		return decision.permit();
	}

	/** Checks that permits of a key are not available. */
	default void rejected(Throttle throttle, String key, int permits) {
		assertThat(throttle.tryAcquire(key, permits).admitted())
			.as("%s more permits of %s, key '%s'", permits, throttle, key)
			.isFalse();
	}

}
