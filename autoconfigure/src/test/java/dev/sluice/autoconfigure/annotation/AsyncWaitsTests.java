package dev.sluice.autoconfigure.annotation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.interceptor.AsyncUncaughtExceptionHandler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Calls of {@code @Async} methods that wait, on a pool of one thread. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class AsyncWaitsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final ThreadLocal<@Nullable String> USER = new ThreadLocal<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
				SluiceAnnotationsAutoConfiguration.class))
		.withUserConfiguration(Application.class)
		.withBean(Service.class)
		.withBean(Probe.class);

	@Test
	void callThatWaitsHoldsNoThreadOfThePool() {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			CompletableFuture<String> waiting = service(context).stage("first");
			awaitLine(context, 1);
			assertThat(service(context).unlimited()).succeedsWithin(PATIENCE).isEqualTo("pool-1");
			assertThat(waiting).isNotDone();
			held.close();
			assertThat(waiting).succeedsWithin(PATIENCE).isEqualTo("first on pool-1");
			assertThat(slow(context).state("").used()).isZero();
		});
	}

	@Test
	void callsThatWaitAreMadeInTheirOrder() {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			CompletableFuture<String> first = service(context).stage("first");
			awaitLine(context, 1);
			Future<String> second = service(context).future("second");
			awaitLine(context, 2);
			service(context).nothing("third");
			awaitLine(context, 3);
			held.close();
			assertThat(first).succeedsWithin(PATIENCE).isEqualTo("first on pool-1");
			assertThat(second).succeedsWithin(PATIENCE).isEqualTo("second on pool-1");
			await().untilAsserted(() -> assertThat(probe(context).calls).containsExactly("first", "second", "third"));
			await().untilAsserted(() -> assertThat(slow(context).state("").used()).isZero());
		});
	}

	@Test
	void callThatIsToBeTriedAgainHoldsNoThreadOfThePool() {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			CompletableFuture<String> retried = service(context).retried("first");
			await().until(() -> slow(context).snapshot(0).rejected() > 2);
			assertThat(slow(context).state("").waiting()).isZero();
			assertThat(service(context).unlimited()).succeedsWithin(PATIENCE).isEqualTo("pool-1");
			assertThat(retried).isNotDone();
			held.close();
			assertThat(retried).succeedsWithin(PATIENCE).isEqualTo("first on pool-1");
			await().untilAsserted(() -> assertThat(slow(context).state("").used()).isZero());
		});
	}

	@Test
	void callThatIsRejectedAfterItsLastAttemptFails() {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			assertThat(service(context).retriedOnce("first")).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(ThrottledException.class);
			assertThat(slow(context).snapshot(0).rejected()).isEqualTo(2);
			held.close();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatTheCallerKnowsFollowsTheCall(boolean waits) {
		run((context) -> {
			Permit held = waits ? slow(context).tryAcquire().permit() : Permit.spent();
			USER.set("alice");
			CompletableFuture<String> known;
			try {
				known = service(context).user();
			}
			finally {
				USER.remove();
			}
			awaitLine(context, waits ? 1 : 0);
			held.close();
			assertThat(known).succeedsWithin(PATIENCE).isEqualTo("alice");
		});
	}

	@Test
	void permitIsHeldUntilTheCallHasEnded() {
		run((context) -> {
			CompletableFuture<String> running = service(context).blocked();
			probe(context).running.await();
			assertThat(slow(context).state("").used()).isOne();
			probe(context).release.countDown();
			assertThat(running).succeedsWithin(PATIENCE).isEqualTo("done");
			assertThat(slow(context).state("").used()).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatIsCancelledInLineLeavesIt(boolean stage) {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			Future<String> waiting = stage ? service(context).stage("first") : service(context).future("first");
			awaitLine(context, 1);
			assertThat(waiting.cancel(true)).isTrue();
			assertThat(waiting.isCancelled()).isTrue();
			awaitLine(context, 0);
			held.close();
			assertThat(service(context).stage("second")).succeedsWithin(PATIENCE);
			assertThat(probe(context).calls).containsExactly("second");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatIsCancelledWhileItWaitsForAThreadReleasesItsPermit(boolean stage) {
		run((context) -> {
			CompletableFuture<String> busy = service(context).busy();
			probe(context).running.await();
			Future<String> queued = stage ? service(context).stage("first") : service(context).future("first");
			assertThat(slow(context).state("").used()).isOne();
			assertThat(queued.cancel(false)).isTrue();
			assertThat(slow(context).state("").used()).isZero();
			probe(context).release.countDown();
			assertThat(busy).succeedsWithin(PATIENCE);
			awaitEmptyPool(context);
			assertThat(service(context).stage("second")).succeedsWithin(PATIENCE);
			assertThat(probe(context).calls).containsExactly("second");
		});
	}

	@Test
	void callWhoseResultIsCompletedInLineIsNotMade() {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			CompletableFuture<String> waiting = service(context).stage("first");
			awaitLine(context, 1);
			waiting.complete("too late");
			held.close();
			await().untilAsserted(() -> assertThat(slow(context).state("").used()).isZero());
			assertThat(service(context).stage("second")).succeedsWithin(PATIENCE);
			assertThat(probe(context).calls).containsExactly("second");
		});
	}

	@Test
	void callWhoseResultIsCompletedWhileItWaitsForAThreadIsNotMade() {
		run((context) -> {
			CompletableFuture<String> busy = service(context).busy();
			probe(context).running.await();
			CompletableFuture<String> queued = service(context).stage("first");
			queued.complete("too late");
			probe(context).release.countDown();
			assertThat(busy).succeedsWithin(PATIENCE);
			awaitEmptyPool(context);
			assertThat(service(context).stage("second")).succeedsWithin(PATIENCE);
			assertThat(probe(context).calls).containsExactly("second");
			assertThat(slow(context).state("").used()).isZero();
		});
	}

	@Test
	void callWithinItIsRejectedIfItWouldWaitForItself() {
		run((context) -> assertThat(service(context).nested()).succeedsWithin(PATIENCE)
			.isEqualTo(Decision.Reason.NESTED));
	}

	@Test
	void cancellationOfARunningCallInterruptsOnlyIfItMay() {
		run((context) -> {
			Future<String> running = service(context).interruptible();
			probe(context).running.await();
			assertThat(running.cancel(true)).isTrue();
			await().until(() -> probe(context).calls.contains("interrupted"));
			await().untilAsserted(() -> assertThat(slow(context).state("").used()).isZero());
		});
	}

	@Test
	void executorThatRejectsACallAtOnceThrowsAndReleasesThePermit() {
		run((context) -> {
			fillThePool(context);
			assertThatExceptionOfType(TaskRejectedException.class).isThrownBy(() -> service(context).stage("first"));
			assertThatExceptionOfType(TaskRejectedException.class).isThrownBy(() -> service(context).nothing("second"));
			assertThat(slow(context).state("").used()).isZero();
			probe(context).release.countDown();
		});
	}

	@Test
	void executorThatRejectsACallThatWaitedFailsItsResultAndReleasesThePermit(CapturedOutput output) {
		run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			CompletableFuture<String> stage = service(context).stage("first");
			awaitLine(context, 1);
			Future<String> future = service(context).future("second");
			awaitLine(context, 2);
			service(context).nothing("third");
			awaitLine(context, 3);
			fillThePool(context);
			held.close();
			assertThat(stage).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(TaskRejectedException.class);
			assertThat(future).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(TaskRejectedException.class);
			await().untilAsserted(() -> assertThat(slow(context).state("").used()).isZero());
			await().untilAsserted(() -> assertThat(output).contains("AsyncWaitsTests$Service.nothing"));
			probe(context).release.countDown();
			assertThat(probe(context).calls).doesNotContain("first", "second", "third");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "0s", "50ms" })
	void callThatIsRejectedFailsAsAnyAsynchronousCallThatFails(String maxWait) {
		this.contextRunner.withPropertyValues("wait=" + maxWait).run((context) -> {
			Permit held = slow(context).tryAcquire().permit();
			assertThat(service(context).stage("first")).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(ThrottledException.class);
			assertThat(service(context).future("second")).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(ThrottledException.class);
			service(context).nothing("third");
			assertThat(probe(context).uncaught.poll(20, TimeUnit.SECONDS)).isInstanceOf(ThrottledException.class);
			assertThat(service(context).withFallback("fourth")).succeedsWithin(PATIENCE)
				.isEqualTo("fallback for fourth on pool-1");
			assertThat(probe(context).calls).isEmpty();
			held.close();
		});
	}

	@Test
	void expressionThatFailsFailsTheCall() {
		run((context) -> {
			assertThat(service(context).keyed(null)).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(IllegalStateException.class);
			service(context).keyedNothing(null);
			assertThat(probe(context).uncaught.poll(20, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
			assertThat(service(context).keyed("a")).succeedsWithin(PATIENCE);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void retriedCallTakesTheLimitAsOftenAsOnAnyOtherMethod(boolean strict) {
		this.contextRunner.withPropertyValues("sluice.annotations.strict=" + strict).run((context) -> {
			assertThat(service(context).flaky()).succeedsWithin(PATIENCE).isEqualTo(3);
			assertThat(context.getBean(ThrottlingManager.class).get("rate").state("").used()).isEqualTo(strict ? 1 : 3);
		});
	}

	private void run(ContextConsumer<AssertableApplicationContext> test) {
		this.contextRunner.run(test);
	}

	/** One task runs, and one stands in the queue. */
	private static void fillThePool(AssertableApplicationContext context) throws InterruptedException {
		service(context).busy();
		probe(context).running.await();
		service(context).busy();
	}

	private static void awaitEmptyPool(AssertableApplicationContext context) {
		await().until(() -> context.getBean(ThreadPoolTaskExecutor.class).getQueueSize() == 0);
	}

	private static Service service(AssertableApplicationContext context) {
		return context.getBean(Service.class);
	}

	private static Probe probe(AssertableApplicationContext context) {
		return context.getBean(Probe.class);
	}

	private static Throttle slow(AssertableApplicationContext context) {
		return context.getBean(ThrottlingManager.class).get("slow");
	}

	private static void awaitLine(AssertableApplicationContext context, int waiting) {
		await().until(() -> slow(context).state("").waiting() == waiting);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableResilientMethods
	static class Application implements AsyncConfigurer {

		private final Probe probe;

		Application(Probe probe) {
			this.probe = probe;
		}

		@Override
		public AsyncUncaughtExceptionHandler getAsyncUncaughtExceptionHandler() {
			return (ex, method, arguments) -> this.probe.uncaught.add(ex);
		}

		@Bean
		static ThreadPoolTaskExecutor taskExecutor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setThreadNamePrefix("pool-");
			executor.setCorePoolSize(1);
			executor.setMaxPoolSize(1);
			executor.setQueueCapacity(1);
			executor.setTaskDecorator((task) -> {
				String user = USER.get();
				return () -> as(user, Executors.callable(task));
			});
			return executor;
		}

		@Bean
		static TaskDecorator userDecorator() {
			return new TaskDecorator() {

				@Override
				public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
					String user = USER.get();
					return () -> as(user, task);
				}

			};
		}

		private static <T> T as(@Nullable String user, Callable<T> task) {
			USER.set(user);
			try {
				return task.call();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			finally {
				USER.remove();
			}
		}

	}

	/** What the calls of the service did. */
	static class Probe {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();

		private final CountDownLatch running = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		private final AtomicInteger attempts = new AtomicInteger();

	}

	static class Service {

		private final Probe probe;

		private final ObjectProvider<Service> self;

		Service(Probe probe, ObjectProvider<Service> self) {
			this.probe = probe;
			this.self = self;
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT)
		public CompletableFuture<Decision.Reason> nested() {
			try {
				this.self.getObject().plain();
				return CompletableFuture.failedFuture(new AssertionError("Two calls hold the mutex"));
			}
			catch (ThrottledException ex) {
				return CompletableFuture.completedFuture(ex.reason());
			}
		}

		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "1s")
		public void plain() {
		}

		@Async
		public CompletableFuture<String> unlimited() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		@Async
		public CompletableFuture<String> busy() throws InterruptedException {
			this.probe.running.countDown();
			this.probe.release.await();
			return CompletableFuture.completedFuture("done");
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "${wait:20s}")
		public CompletableFuture<String> stage(String name) {
			this.probe.calls.add(name);
			return CompletableFuture.completedFuture(name + " on " + Thread.currentThread().getName());
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "${wait:20s}")
		public Future<String> future(String name) {
			return stage(name);
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "${wait:20s}")
		public void nothing(String name) {
			stage(name);
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "${wait:20s}", fallback = "fallback")
		public CompletableFuture<String> withFallback(String name) {
			return stage(name);
		}

		CompletableFuture<String> fallback(String name) {
			return CompletableFuture
				.completedFuture("fallback for " + name + " on " + Thread.currentThread().getName());
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		public CompletableFuture<String> retried(String name) {
			return stage(name);
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.RETRY, delay = "1ms", maxRetries = 1)
		public CompletableFuture<String> retriedOnce(String name) {
			return stage(name);
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT)
		public CompletableFuture<String> user() {
			return CompletableFuture.completedFuture(USER.get());
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT)
		public CompletableFuture<String> blocked() throws InterruptedException {
			return busy();
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT)
		public Future<String> interruptible() {
			try {
				return busy();
			}
			catch (InterruptedException ex) {
				this.probe.calls.add("interrupted");
				return CompletableFuture.failedFuture(ex);
			}
		}

		@Async
		@Mutex(value = "slow", key = "#name.length()")
		@WhenThrottled(action = Action.WAIT)
		public CompletableFuture<String> keyed(@Nullable String name) {
			return CompletableFuture.completedFuture(name);
		}

		@Async
		@Mutex(value = "slow", key = "#name.length()")
		@WhenThrottled(action = Action.WAIT)
		public void keyedNothing(@Nullable String name) {
		}

		@Async
		@Retryable(delay = 1)
		@Throttled(value = "rate", limit = 100, period = "1h")
		@WhenThrottled(action = Action.WAIT)
		public CompletableFuture<Integer> flaky() {
			int attempt = this.probe.attempts.incrementAndGet();
			if (attempt < 3) {
				throw new IllegalStateException("Not yet");
			}
			return CompletableFuture.completedFuture(attempt);
		}

	}

}
