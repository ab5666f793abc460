package dev.sluice.test.store;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Owners that wait more than once: each counts once, however it waits. */
interface OwnerContract extends StoreUnderTest {

	@Test
	default void ownerThatWaitsAloneAndJointlyHoldsOnce() {
		Throttle semaphore = define(Limit.semaphore(2));
		Throttle mutex = define(Limit.mutex());
		Permit others = taken(semaphore, "k", 2);
		Permit blocking = taken(mutex, "k");
		CompletableFuture<Permit> jointly = node().acquire(waiting(semaphore), waiting(mutex));
		CompletableFuture<Permit> alone = node().acquire(waiting(semaphore));
		stillWaiting(jointly);
		stillWaiting(alone);

		others.close();
		Permit first = granted(alone);
		blocking.close();
		Permit second = granted(jointly);

		soon(() -> assertThat(semaphore.state("k").used()).isEqualTo(1));
		Permit rest = taken(semaphore, "k");
		first.close();
		second.close();
		rest.close();
		soon(() -> taken(semaphore, "k", 2).close());
		soon(() -> taken(mutex, "k").close());
	}

	@Test
	default void ownerThatWaitsAloneAndWithARateHoldsOnce() {
		Throttle semaphore = define(Limit.semaphore(2));
		Throttle rate = define(Limit.slidingLog(10, LONG));
		Permit others = taken(semaphore, "k", 2);
		CompletableFuture<Permit> jointly = node().acquire(waiting(semaphore), waiting(rate));
		CompletableFuture<Permit> alone = node().acquire(waiting(semaphore));
		stillWaiting(jointly);
		stillWaiting(alone);

		others.close();
		Permit first = granted(jointly);
		Permit second = granted(alone);

		soon(() -> assertThat(semaphore.state("k").used()).isEqualTo(1));
		assertThat(rate.state("k").used()).isEqualTo(1);
		Permit rest = taken(semaphore, "k");
		rejected(semaphore, "k", 1);
		first.close();
		second.close();
		rest.close();
		soon(() -> taken(semaphore, "k", 2).close());
	}

	@Test
	default void ownerThatHoldsIsAdmittedOnceTheRateOfItsOtherCallAdmits() {
		time().align(PERIOD);
		Throttle mutex = define(Limit.mutex());
		Throttle rate = define(Limit.slidingLog(1, PERIOD));
		taken(rate, "k");
		CompletableFuture<Permit> jointly = node().acquire(waiting(mutex), waiting(rate));
		Permit first = granted(node().acquire(waiting(mutex)));
		CompletableFuture<Permit> strangers = node().acquire(stranger(mutex));

		time().pass(PERIOD.plus(time().tolerance()));

		Permit second = granted(jointly);
		assertThat(mutex.state("k").used()).isEqualTo(1);
		stillWaiting(strangers);
		first.close();
		stillWaiting(strangers);
		second.close();
		granted(strangers).close();
	}

	@Test
	default void ownerThatHoldsIsAdmittedFromTheLine() {
		Throttle mutex = define(Limit.mutex());
		Throttle one = define(Limit.mutex());
		Throttle two = define(Limit.mutex());
		Permit blocking = taken(mutex, "k");
		CompletableFuture<Permit> jointly = node().acquire(waiting(mutex), waiting(one));
		CompletableFuture<Permit> jointlyToo = node().acquire(waiting(mutex), waiting(two));
		CompletableFuture<Permit> alone = node().acquire(waiting(mutex));
		CompletableFuture<Permit> aloneToo = node().acquire(waiting(mutex));
		stillWaiting(jointly);
		stillWaiting(jointlyToo);
		stillWaiting(alone);

		blocking.close();

		// all at once, though the mutex has one permit
		Permit first = granted(jointly);
		Permit second = granted(jointlyToo);
		Permit third = granted(alone);
		Permit fourth = granted(aloneToo);
		soon(() -> assertThat(mutex.state("k").used()).isEqualTo(1));
		first.close();
		second.close();
		third.close();
		rejected(mutex, "k", 1);
		fourth.close();
		soon(() -> taken(mutex, "k").close());
	}

	@Test
	default void ownerThatHoldsPassesOthersInLine() {
		Throttle mutex = define(Limit.mutex());
		Throttle other = define(Limit.mutex());
		Permit blocking = taken(mutex, "k");
		CompletableFuture<Permit> owners = node().acquire(waiting(mutex));
		CompletableFuture<Permit> strangers = node().acquire(stranger(mutex));
		CompletableFuture<Permit> jointly = node().acquire(waiting(mutex), waiting(other));
		stillWaiting(owners);
		stillWaiting(strangers);
		stillWaiting(jointly);

		blocking.close();

		Permit first = granted(owners);
		Permit second = granted(jointly);
		stillWaiting(strangers);
		first.close();
		second.close();
		granted(strangers).close();
	}

	private static AcquireRequest waiting(Throttle throttle) {
		return AcquireRequest.of(throttle.resource(), "k").owner("owner").maxWait(LONG);
	}

	private static AcquireRequest stranger(Throttle throttle) {
		return AcquireRequest.of(throttle.resource(), "k").owner("stranger").maxWait(LONG);
	}

}
