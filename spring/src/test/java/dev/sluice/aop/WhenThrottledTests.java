package dev.sluice.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.ThrottlePolicy;
import dev.sluice.test.SettableClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WhenThrottledTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final Service service = Proxies.limited(new Service(), gate(ThrottlePolicy.DEFAULTS));

	@Test
	void waitingCallBlocksUntilThePermitComes() throws Exception {
		Permit held = hold();
		CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> this.service.await("x"));
		Awaitility.await().until(() -> waiting() == 1);
		assertThat(result).isNotDone();
		held.close();
		assertThat(result).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("done x");
		assertThat(this.manager.get("m").state("").used()).isZero();
	}

	@Test
	void whenInterruptedInLineThenItLeavesWithTheFlagSet() throws Exception {
		hold();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				this.service.await("x");
			}
			catch (CancellationException ex) {
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
		});
		caller.start();
		Awaitility.await().until(() -> waiting() == 1);
		caller.interrupt();
		assertThat(interrupted).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(true);
		assertThat(waiting()).isZero();
	}

	@Test
	void whenTheTimeIsUpThenWaitingCallIsRejected() {
		hold();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.service.awaitShortly());
	}

	@Test
	void onlySoManyThreadsOfThePoolMayBlock() throws Exception {
		BlockingWaits bound = BlockingWaits.atMost(1, () -> Thread.currentThread().getName().startsWith("worker"));
		Service bounded = Proxies.limited(new Service(),
				ThrottleGate.builder(this.manager).blockingWaits(bound).build());
		Permit held = hold();
		CountDownLatch done = new CountDownLatch(1);
		new Thread(() -> {
			bounded.await("first");
			done.countDown();
		}, "worker-1").start();
		Awaitility.await().until(() -> waiting() == 1);
		CompletableFuture<Throwable> second = new CompletableFuture<>();
		new Thread(() -> {
			try {
				bounded.await("second");
			}
			catch (ThrottledException ex) {
				second.complete(ex);
			}
		}, "worker-2").start();
		assertThat(second).succeedsWithin(20, TimeUnit.SECONDS);
		assertThat(bound.workersExhausted()).isOne();
		held.close();
		assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void callThatIsAdmittedMeanwhileIsNeitherCountedAsRejectedNorAskedAgain() {
		SettableClock clock = new SettableClock();
		ThrottlingManager manager = ThrottlingManager.builder().clock(clock).completionExecutor(Runnable::run).build();
		manager.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofSeconds(1)));
		BlockingWaits bound = BlockingWaits.atMost(0, () -> {
			clock.advance(Duration.ofSeconds(1));
			return true;
		});
		Service bounded = Proxies.limited(new Service(), ThrottleGate.builder(manager).blockingWaits(bound).build());
		assertThat(bounded.awaitRate("first")).isEqualTo("done first");
		assertThat(bounded.awaitRate("second")).isEqualTo("done second");
		assertThat(bound.workersExhausted()).isZero();
	}

	@Test
	void droppedCallGivesTheEmptyValueOfItsType() {
		hold();
		Dropped dropped = Proxies.limited(new Dropped(), gate(ThrottlePolicy.DEFAULTS));
		dropped.dropVoid();
		assertThat(dropped.dropString()).isNull();
		assertThat(dropped.dropOptional()).isEmpty();
		assertThat(dropped.dropInt()).isEmpty();
		assertThat(dropped.dropList()).isEmpty();
		assertThat(dropped.dropArrayList()).isEmpty();
		assertThat(dropped.dropCollection()).isEmpty();
		assertThat(dropped.dropIterable()).isEmpty();
		assertThat(dropped.dropMap()).isEmpty();
		assertThat(dropped.dropStage()).isCompletedWithValue(List.of());
	}

	@Test
	void droppedStreamIsEmpty() {
		this.manager.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofDays(1)));
		DroppedStream dropped = Proxies.limited(new DroppedStream(), gate(ThrottlePolicy.DEFAULTS));
		assertThat(dropped.stream()).containsExactly("done");
		assertThat(dropped.stream()).isEmpty();
	}

	@Test
	void fallbackIsCalledInsteadWithTheSameArguments() {
		assertThat(this.service.withFallback("a", 1)).isEqualTo("done a 1");
		hold();
		assertThat(this.service.withFallback("a", 1)).isEqualTo("later a 1 m");
	}

	@Test
	void fallbackOfABeanIsCalledInstead() {
		hold();
		assertThat(this.service.withBean("a")).isEqualTo("sorry a");
	}

	/** It is called on the object itself, like any method that the object calls. */
	@Test
	void fallbackOfTheSameClassIsNotLimitedByItsOwnAnnotations() {
		hold();
		assertThat(this.service.withLimitedFallback()).isEqualTo("limited");
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(this.service::limited);
	}

	@Test
	void fallbackOfAStageMayBeAStage() {
		hold();
		assertThat(this.service.withStage()).isCompletedWithValue("later");
	}

	@Test
	void exceptionOfAFallbackIsTheCallers() {
		hold();
		assertThatExceptionOfType(java.io.IOException.class).isThrownBy(this.service::withBrokenFallback);
	}

	@Test
	void defaultsHoldWhereTheAnnotationDoesNotSay() {
		hold();
		Service dropping = Proxies.limited(new Service(), gate(new ThrottlePolicy(Action.DROP, Duration.ofSeconds(1))));
		assertThat(dropping.plain()).isNull();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(dropping::reject);
	}

	@Test
	void annotationOfTheTypeHoldsForMethodsWithoutOne() {
		hold();
		OnType onType = Proxies.limited(new OnType(), gate(ThrottlePolicy.DEFAULTS));
		assertThat(onType.drop()).isNull();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(onType::reject);
	}

	private ThrottleGate gate(ThrottlePolicy defaults) {
		StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("apologies", new Apologies()));
		return ThrottleGate.builder(this.manager).defaults(defaults).beans(beans).build();
	}

	private Permit hold() {
		this.manager.addOrUpdate("m", dev.sluice.throttle.Limit.mutex());
		return this.manager.tryAcquire(AcquireRequest.of("m", "")).permit();
	}

	private int waiting() {
		return this.manager.get("m").state("").waiting();
	}

	static class Service {

		@Throttled("rate")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String awaitRate(String value) {
			return "done " + value;
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String await(String value) {
			return "done " + value;
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1ms")
		void awaitShortly() {
		}

		@Mutex("m")
		@Nullable String plain() {
			return "done";
		}

		@Mutex("m")
		@WhenThrottled(action = Action.REJECT)
		void reject() {
		}

		@Mutex("m")
		@WhenThrottled(fallback = "later")
		String withFallback(String name, int count) {
			return "done " + name + ' ' + count;
		}

		@SuppressWarnings("unused")
		private String later(String name, int count, ThrottledException ex) {
			return "later " + name + ' ' + count + ' ' + ex.resource();
		}

		@Mutex("m")
		@WhenThrottled(fallback = "apologies.say")
		String withBean(String name) {
			return "done " + name;
		}

		@Mutex("m")
		@WhenThrottled(fallback = "limited")
		String withLimitedFallback() {
			return "done";
		}

		@Mutex("m")
		String limited() {
			return "limited";
		}

		@Mutex("m")
		@WhenThrottled(fallback = "laterStage")
		CompletableFuture<String> withStage() {
			return CompletableFuture.completedFuture("done");
		}

		CompletableFuture<String> laterStage() {
			return CompletableFuture.completedFuture("later");
		}

		@Mutex("m")
		@WhenThrottled(fallback = "broken")
		void withBrokenFallback() throws java.io.IOException {
		}

		void broken() throws java.io.IOException {
			throw new java.io.IOException();
		}

	}

	static class DroppedStream {

		@Throttled("rate")
		@WhenThrottled(action = Action.DROP)
		Stream<String> stream() {
			return Stream.of("done");
		}

	}

	@Mutex("m")
	@WhenThrottled(action = Action.DROP)
	static class Dropped {

		void dropVoid() {
		}

		String dropString() {
			return "done";
		}

		Optional<String> dropOptional() {
			return Optional.of("done");
		}

		OptionalInt dropInt() {
			return OptionalInt.of(1);
		}

		List<String> dropList() {
			return List.of("done");
		}

		ArrayList<String> dropArrayList() {
			return new ArrayList<>(List.of("done"));
		}

		Collection<String> dropCollection() {
			return List.of("done");
		}

		Iterable<String> dropIterable() {
			return List.of("done");
		}

		Map<String, String> dropMap() {
			return Map.of("done", "done");
		}

		CompletableFuture<List<String>> dropStage() {
			return CompletableFuture.completedFuture(List.of("done"));
		}

	}

	@WhenThrottled(action = Action.DROP)
	static class OnType {

		@Mutex("m")
		String drop() {
			return "done";
		}

		@Mutex("m")
		@WhenThrottled(action = Action.REJECT)
		void reject() {
		}

	}

	public static class Apologies {

		public String say(String name) {
			return "sorry " + name;
		}

	}

}
