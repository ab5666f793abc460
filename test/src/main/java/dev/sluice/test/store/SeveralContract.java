package dev.sluice.test.store;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Several limits at once: all, or none. */
interface SeveralContract extends StoreUnderTest {

	@ParameterizedTest
	@EnumSource
	default void rejectedCallConsumesNothingAnywhere(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));
		Throttle last = define(rate.limit(2, LONG));
		Throttle mutex = define(Limit.mutex());
		Throttle semaphore = define(Limit.semaphore(2));
		taken(last, "k", 2);

		for (int i = 0; i < 3; i++) {
			Decision decision = node().tryAcquire(one(last), one(throttle), one(mutex), one(semaphore));
			assertThat(decision.admitted()).isFalse();
			assertThat(decision.throttled().resource()).isEqualTo(last.resource());
		}

		taken(throttle, "k", 2);
		taken(mutex, "k");
		taken(semaphore, "k", 2);
	}

	@ParameterizedTest
	@EnumSource
	default void onePermitClosesAll(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));
		Throttle mutex = define(Limit.mutex());
		Throttle semaphore = define(Limit.semaphore(2));

		Decision decision = node().tryAcquire(one(semaphore), one(throttle), one(mutex), one(throttle));
		assertThat(decision.admitted()).isTrue();
		rejected(throttle, "k", 1);
		rejected(mutex, "k", 1);
		taken(semaphore, "k");
		rejected(semaphore, "k", 1);
		decision.permit().close();

		taken(mutex, "k");
		taken(semaphore, "k");
		rejected(throttle, "k", 1);
	}

	@ParameterizedTest
	@EnumSource
	default void callThatWaitsForSeveralHoldsNothingAndThenHasThemAll(Rate rate) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(2, PERIOD));
		long end = time().endOf(PERIOD);
		Throttle mutex = define(Limit.mutex());
		Permit permit = taken(mutex, "k");
		taken(throttle, "k", 2);
		CompletableFuture<Permit> waiting = node().acquire(one(throttle).permits(2).maxWait(LONG),
				one(mutex).maxWait(LONG));
		stillWaiting(waiting);

		permit.close();
		until(end, () -> {
			stillWaiting(waiting);
			soon(() -> taken(mutex, "k").close());
			soon(() -> taken(elsewhere(mutex), "k").close());
		});
		time().pass(PERIOD);

		Permit all = granted(waiting);
		rejected(mutex, "k", 1);
		all.close();
		soon(() -> taken(mutex, "k"));
	}

	@ParameterizedTest
	@EnumSource
	default void callOverOneLimitDelaysNobodyAtTheOthers(Rate rate) {
		Throttle own = define(rate.limit(2, LONG));
		Throttle shared = define(rate.limit(100, LONG));
		taken(own, "k", 2);
		CompletableFuture<Permit> waiting = node().acquire(one(own).maxWait(LONG.multipliedBy(3)),
				one(shared).maxWait(LONG.multipliedBy(3)));
		stillWaiting(waiting);

		for (int i = 0; i < 100; i++) {
			soon(() -> taken(shared, "k"));
		}

		rejected(shared, "k", 1);
		stillWaiting(waiting);
		waiting.cancel(false);
	}

	@ParameterizedTest
	@EnumSource
	default void cancelledCallHasTakenNothing(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));
		Throttle last = define(rate.limit(2, LONG));
		Throttle mutex = define(Limit.mutex());
		taken(last, "k", 2);
		CompletableFuture<Permit> waiting = node().acquire(one(throttle).maxWait(LONG.multipliedBy(3)),
				one(last).maxWait(LONG.multipliedBy(3)), one(mutex).maxWait(LONG));
		stillWaiting(waiting);

		waiting.cancel(false);

		soon(() -> taken(mutex, "k"));
		soon(() -> taken(throttle, "k", 2));
	}

	private static AcquireRequest one(Throttle throttle) {
		return AcquireRequest.of(throttle.resource(), "k");
	}

}
