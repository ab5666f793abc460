package dev.sluice.aop;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.LineObserver;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Calls in line of which some code of the application throws: each ends, and leaves
 * neither a permit nor a place in line behind.
 */
class LeftBehindTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final Throttle mutex = this.manager.addOrUpdate("mutex", Limit.mutex());

	private final Throttle rate = this.manager.addOrUpdate("rate", Limit.fixedWindow(1, Duration.ofDays(1)));

	private final AtomicInteger made = new AtomicInteger();

	private LineObserver observer = LineObserver.NONE;

	private Function<Callable<?>, @Nullable Callable<?>> decorator = (task) -> task;

	@ParameterizedTest
	@EnumSource
	void observerThatThrowsAsACallEntersTheLineChangesNothing(Kind kind) throws Exception {
		this.observer = (resources) -> {
			throw new AssertionError("observer");
		};

		assertThat(afterWaiting(kind)).isEqualTo("done");
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void observerThatThrowsAsACallLeavesTheLineChangesNothing(Kind kind) throws Exception {
		this.observer = (resources) -> (failure) -> {
			throw new AssertionError("observer");
		};

		assertThat(afterWaiting(kind)).isEqualTo("done");
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void observerThatRunsOutOfTheStackFailsTheCallAndLeavesNothing(Kind kind) throws Exception {
		this.observer = (resources) -> {
			throw new StackOverflowError("observer");
		};

		assertThatThrownBy(() -> afterWaiting(kind)).isInstanceOfAny(StackOverflowError.class,
				ExecutionException.class);
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void decoratorThatThrowsFailsTheCall(Kind kind) throws Exception {
		assumeThat(kind.blocks).isFalse();
		this.decorator = (task) -> {
			throw new AssertionError("decorator");
		};

		assertThatThrownBy(() -> afterWaiting(kind)).satisfiesAnyOf(
				(ex) -> assertThat(ex).isInstanceOf(AssertionError.class).hasMessage("decorator"),
				(ex) -> assertThat(ex).hasRootCauseInstanceOf(AssertionError.class));
		assertNothingIsLeft();
		assertThat(this.made).hasValue(0);
	}

	@ParameterizedTest
	@EnumSource
	void decoratorWithoutATaskFailsTheCall(Kind kind) throws Exception {
		assumeThat(kind.blocks).isFalse();
		this.decorator = (task) -> null;

		assertThatThrownBy(() -> afterWaiting(kind)).isNotNull();
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void decoratedTaskThatThrowsBeforeItCallsTheTaskFailsTheCall(Kind kind) throws Exception {
		assumeThat(kind.blocks).isFalse();
		this.decorator = (task) -> () -> {
			throw new AssertionError("decorated");
		};

		assertThatThrownBy(() -> afterWaiting(kind)).isNotNull();
		assertNothingIsLeft();
		assertThat(this.made).hasValue(0);
	}

	@ParameterizedTest
	@EnumSource
	void decoratedTaskThatDoesNotCallTheTaskFailsTheCall(Kind kind) throws Exception {
		assumeThat(kind.blocks).isFalse();
		this.decorator = (task) -> () -> null;

		assertThatThrownBy(() -> afterWaiting(kind)).isNotNull();
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void decoratedTaskThatThrowsAfterItCalledTheTaskChangesNothing(Kind kind) throws Exception {
		this.decorator = (task) -> () -> {
			task.call();
			throw new AssertionError("decorated");
		};

		assertThat(afterWaiting(kind)).isEqualTo("done");
		assertNothingIsLeft();
	}

	@Test
	void resultThatIsCompletedFromOutsideLeavesTheLine() throws Exception {
		Permit held = this.mutex.tryAcquire().permit();
		CompletableFuture<?> timedOut = service().stage().orTimeout(1, TimeUnit.MILLISECONDS);
		CompletableFuture<String> completed = service().stage();
		CompletableFuture<Admission> admission = gate().admit(method("stage"), new Service(), new Object[0], Map.of());
		completed.complete("other");
		admission.completeExceptionally(new TimeoutException());

		await().atMost(PATIENCE).until(() -> timedOut.isDone() && this.mutex.state("").waiting() == 0);
		held.close();

		assertNothingIsLeft();
		assertThat(this.made).hasValue(0);
	}

	@Test
	void modeReleaseReleasesWhenAnotherLimitRejects() {
		Service service = service();
		service.begin("b1");
		this.rate.tryAcquire();

		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.endAtARate("b1"));
		assertThat(this.mutex.state("b1").used()).isZero();

		service.begin("b1");
		assertThat(service.endAtARateLater("b1")).failsWithin(PATIENCE);
		assertThat(this.mutex.state("b1").used()).isZero();

		service.begin("b1");
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.endAtARateOnDemand("b1").block());
		assertThat(this.mutex.state("b1").used()).isZero();
	}

	@Test
	void modeReleaseReleasesWhenACallInLineIsCancelled() {
		Service service = service();
		service.begin("b1");
		Permit held = this.mutex.tryAcquire().permit();

		CompletableFuture<String> ending = service.endInLine("b1");
		assertThat(ending).isNotDone();
		ending.cancel(false);

		await().atMost(PATIENCE).until(() -> this.mutex.state("b1").used() == 0);
		held.close();
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@MethodSource
	void resultOfAStageThatFailsToBeFollowedReleases(CompletableFuture<String> stage) {
		Service target = new Service();
		target.stage = stage;

		assertThatThrownBy(() -> Proxies.limited(target, gate()).atOnce()).hasMessage("whenComplete");
		assertNothingIsLeft();
	}

	static CompletableFuture<?>[] resultOfAStageThatFailsToBeFollowedReleases() {
		return new CompletableFuture<?>[] { new CompletableFuture<>() {

			@Override
			public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> action) {
				throw new AssertionError("whenComplete");
			}

		} };
	}

	/** Makes a call that waits for the mutex, which is then released. */
	private @Nullable Object afterWaiting(Kind kind) throws Exception {
		Permit held = this.mutex.tryAcquire().permit();
		CompletableFuture<Object> outcome = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				outcome.complete(kind.call.call(this));
			}
			catch (Throwable ex) {
				outcome.completeExceptionally(ex);
			}
		});
		caller.start();
		await().atMost(PATIENCE).until(() -> outcome.isDone() || this.mutex.state("").waiting() == 1);
		held.close();
		Object result = outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		return (result instanceof CompletableFuture<?> future) ? future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
				: result;
	}

	private void assertNothingIsLeft() {
		await().atMost(PATIENCE).untilAsserted(() -> {
			assertThat(this.mutex.state("").used()).isZero();
			assertThat(this.mutex.state("").waiting()).isZero();
		});
	}

	private ThrottleGate gate() {
		return ThrottleGate.builder(this.manager).observer(this.observer).context(context()).build();
	}

	private TaskDecorator context() {
		return new TaskDecorator() {

			@Override
			@SuppressWarnings("unchecked")
			public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
				return (Callable<T>) LeftBehindTests.this.decorator.apply(task);
			}

		};
	}

	private Service service() {
		Service target = new Service();
		target.made = this.made;
		return Proxies.limited(target, gate());
	}

	private ThrottlingTemplate template() {
		return new ThrottlingTemplate(this.manager, BlockingWaits.unbounded(), this.observer, context());
	}

	private static Method method(String name) throws NoSuchMethodException {
		return Service.class.getMethod(name);
	}

	private Object body() {
		this.made.incrementAndGet();
		return "done";
	}

	private static AcquireRequest request() {
		return AcquireRequest.of("mutex").maxWait(Duration.ofMinutes(5));
	}

	enum Kind {

		BLOCKING(true, (test) -> test.service().blocking()),

		STAGE(false, (test) -> test.service().stage()),

		MONO(false, (test) -> test.service().mono().toFuture()),

		FLUX(false, (test) -> test.service().flux().next().toFuture()),

		DISPATCHED(false,
				(test) -> test.gate().call(method("stage"), new Service(), new Object[0], Map.of(), test::body)),

		TEMPLATE(true, (test) -> test.template().call(() -> "done", request())),

		TEMPLATE_ASYNC(false,
				(test) -> test.template().callAsync(() -> CompletableFuture.completedFuture("done"), request()));

		private final boolean blocks;

		private final Call call;

		Kind(boolean blocks, Call call) {
			this.blocks = blocks;
			this.call = call;
		}

	}

	interface Call {

		@Nullable Object call(LeftBehindTests test) throws Exception;

	}

	@WhenThrottled(action = Action.WAIT, maxWait = "5m")
	static class Service {

		private AtomicInteger made = new AtomicInteger();

		private CompletableFuture<String> stage = CompletableFuture.completedFuture("done");

		@Mutex("mutex")
		public String blocking() {
			this.made.incrementAndGet();
			return "done";
		}

		@Mutex("mutex")
		public CompletableFuture<String> stage() {
			this.made.incrementAndGet();
			return this.stage;
		}

		@Mutex("mutex")
		public Mono<String> mono() {
			this.made.incrementAndGet();
			return Mono.just("done");
		}

		@Mutex("mutex")
		public Flux<String> flux() {
			this.made.incrementAndGet();
			return Flux.just("done");
		}

		@Mutex("mutex")
		@WhenThrottled(action = Action.REJECT)
		public CompletableFuture<String> atOnce() {
			return this.stage;
		}

		@Mutex(value = "mutex", key = "#id", owner = "#id", mode = Mode.ACQUIRE)
		public void begin(String id) {
		}

		@Mutex(value = "mutex", key = "#id", owner = "#id", mode = Mode.RELEASE)
		@Throttled("rate")
		@WhenThrottled(action = Action.REJECT)
		public void endAtARate(String id) {
		}

		@Mutex(value = "mutex", key = "#id", owner = "#id", mode = Mode.RELEASE)
		@Throttled("rate")
		@WhenThrottled(action = Action.REJECT)
		public CompletableFuture<String> endAtARateLater(String id) {
			return this.stage;
		}

		@Mutex(value = "mutex", key = "#id", owner = "#id", mode = Mode.RELEASE)
		@Throttled("rate")
		@WhenThrottled(action = Action.REJECT)
		public Mono<String> endAtARateOnDemand(String id) {
			return Mono.just("done");
		}

		@Mutex(value = "mutex", key = "#id", owner = "#id", mode = Mode.RELEASE)
		@Mutex("mutex")
		public CompletableFuture<String> endInLine(String id) {
			return this.stage;
		}

	}

}
