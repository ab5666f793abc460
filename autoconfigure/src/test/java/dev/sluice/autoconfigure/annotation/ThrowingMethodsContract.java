package dev.sluice.autoconfigure.annotation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.context.SluiceContextAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Calls of limited methods of which each code of the application throws or returns
 * {@code null}, in and outside of a line, with any store: each call ends, and leaves
 * neither a permit nor a place in line behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ThrowingMethodsContract {

	static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** Types whose methods are attacked, but for the key of an accessor. */
	private static final List<Class<?>> TYPES = List.of(ThrottleListener.class, ObservationHandler.class,
			GlobalObservationConvention.class, ObservationPredicate.class, ObservationFilter.class,
			ThreadLocalAccessor.class);

	private final Attack attack = new Attack();

	private AnnotationConfigApplicationContext context;

	private Throttle mutex;

	private @Nullable CountingStore store;

	@BeforeAll
	void start() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(this.attack.proxy(ThreadLocalAccessor.class));
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(this.attack.proxy(ObservationHandler.class))
			.observationConvention(this.attack.proxy(GlobalObservationConvention.class))
			.observationPredicate(this.attack.proxy(ObservationPredicate.class))
			.observationFilter(this.attack.proxy(ObservationFilter.class));
		this.context = new AnnotationConfigApplicationContext();
		this.context.register(Application.class);
		this.context.registerBean(ObservationRegistry.class, () -> registry);
		this.context.registerBean(ThrottleListener.class, () -> this.attack.proxy(ThrottleListener.class));
		this.context.registerBean(TaskDecorator.class, this.attack::decorator);
		this.context.registerBean(Service.class, () -> new Service(this.attack));
		ThrottleStore store = store();
		if (store != null) {
			CountingStore counting = new CountingStore(store);
			this.store = counting;
			this.context.registerBean(ThrottleStore.class, () -> counting);
		}
		this.context.refresh();
		this.mutex = this.context.getBean(ThrottlingManager.class).get("mutex");
	}

	@AfterAll
	void stop() throws Exception {
		this.context.close();
		ContextRegistry.getInstance().removeThreadLocalAccessor(Attack.KEY);
		stopStore();
	}

	/** Returns the store of the limits, or {@code null} for the memory of the node. */
	abstract @Nullable ThrottleStore store();

	void stopStore() throws Exception {
	}

	/** Takes the store away. */
	void cut() {
	}

	/** Makes the store available again. */
	void repair() {
	}

	/** Returns one of how many cases is part of each build; the others are hostile. */
	abstract int step();

	static Stream<Arguments> all() {
		Stream<String> methods = TYPES.stream()
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((method) -> !Modifier.isStatic(method.getModifiers()) && !method.getName().equals("key"))
			.map(Attack::name)
			.distinct()
			.sorted();
		Stream<String> code = Stream.of("key", "method", "result", "decorate", "before task", "after task");
		return Stream.concat(methods, code)
			.flatMap((point) -> Arrays.stream(Fault.values())
				.flatMap((fault) -> Arrays.stream(Kind.values()).map((kind) -> Arguments.of(point, fault, kind))));
	}

	Stream<Arguments> ofEachBuild() {
		return each(step());
	}

	/** Returns fewer cases where an outage takes time. */
	Stream<Arguments> withOutage() {
		return each((step() + 1) / 2);
	}

	private static Stream<Arguments> each(int step) {
		List<Arguments> all = all().toList();
		return Stream.iterate(0, (i) -> i < all.size(), (i) -> i + step).map(all::get);
	}

	@ParameterizedTest
	@MethodSource("ofEachBuild")
	void callsEndAndLeaveNothing(String point, Fault fault, Kind kind) {
		attack(point, fault, kind, false);
	}

	@Tag("hostile")
	@ParameterizedTest
	@MethodSource("all")
	void allCallsEndAndLeaveNothing(String point, Fault fault, Kind kind) {
		attack(point, fault, kind, false);
	}

	@Tag("hostile")
	@ParameterizedTest
	@MethodSource("withOutage")
	void callsEndAndLeaveNothingThoughTheStoreIsTakenAway(String point, Fault fault, Kind kind) {
		attack(point, fault, kind, true);
	}

	private void attack(String point, Fault fault, Kind kind, boolean outage) {
		Permit held = held();
		this.attack.begin(point, fault);
		try {
			CompletableFuture<?> waiting = kind.start(service());
			soon().until(() -> waiting.isDone() || this.mutex.state("k").waiting() == 1);
			if (outage) {
				cut();
			}
			held.close();
			if (outage) {
				restore();
			}
			CompletableFuture<?> next = kind.start(service());
			// Reactor throws an error of the virtual machine and signals nothing
			if (fault != Fault.FATAL || (kind != Kind.MONO && kind != Kind.FLUX)) {
				assertEnds(waiting);
				assertEnds(next);
			}
			else {
				assertDecided();
			}
		}
		finally {
			this.attack.end();
		}
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void callThatIsCancelledInLineLeavesIt(Kind kind) {
		Line line = line(kind);
		line.call().cancel(true);
		soon().until(() -> this.mutex.state("k").waiting() == 0);
		line.held().close();

		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource(names = "BLOCKING", mode = EnumSource.Mode.EXCLUDE)
	void callThatNeverEndsIsCancelledAndReleases(Kind kind) {
		this.attack.result = new CompletableFuture<>();
		CompletableFuture<?> call = soon().until(() -> {
			CompletableFuture<?> started = kind.start(service());
			soon().until(() -> started.isDone() || this.mutex.state("k").used() == 1);
			return started;
		}, (started) -> !started.isDone());
		call.cancel(true);
		if (kind == Kind.ASYNC) {
			this.attack.result.cancel(true);
		}
		this.attack.result = null;

		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void callThatEndsWhileTheStoreIsAwayReleases(Kind kind) throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		this.attack.running = running;
		this.attack.mayEnd = mayEnd;
		CompletableFuture<CompletableFuture<?>> call = soon().until(() -> {
			CompletableFuture<CompletableFuture<?>> started = CompletableFuture
				.supplyAsync(() -> kind.start(service()));
			soon().until(() -> running.getCount() == 0 || (started.isDone() && started.join().isDone()));
			return started;
		}, (started) -> running.getCount() == 0);
		cut();
		mayEnd.countDown();
		assertEnds(call.get());
		restore();
		this.attack.mayEnd = null;

		assertNothingIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void callInLineEndsThoughTheStoreIsTakenAway(Kind kind) {
		Line line = line(kind);
		cut();
		line.held().close();
		restore();
		assertEnds(line.call());

		assertNothingIsLeft();
	}

	/** Makes the store available, and waits until the limit uses it again. */
	private void restore() {
		repair();
		soon().until(() -> {
			Decision decision = this.mutex.tryAcquire("probe", 1);
			if (decision.admitted()) {
				decision.permit().close();
			}
			return decision.admitted();
		});
	}

	/**
	 * Acquires the only permit. A store that is slow rejects the call, and takes back a
	 * permit that it has granted too late.
	 */
	private Permit held() {
		return soon().until(() -> this.mutex.tryAcquire("k", 1), Decision::admitted).permit();
	}

	/** Starts a call that waits, again if a slow store rejects it. */
	private Line line(Kind kind) {
		return soon().until(() -> {
			Permit held = held();
			CompletableFuture<?> call = kind.start(service());
			soon().until(() -> call.isDone() || this.mutex.state("k").waiting() == 1);
			if (call.isDone()) {
				held.close();
			}
			return new Line(held, call);
		}, (line) -> !line.call().isDone());
	}

	private Service service() {
		return this.context.getBean(Service.class);
	}

	private void assertEnds(CompletableFuture<?> call) {
		soon().until(call::isDone);
	}

	/** Waits for calls on their way to the store, which hold no permits there yet. */
	private void assertDecided() {
		CountingStore store = this.store;
		if (store != null) {
			soon().until(() -> store.undecided() == 0);
		}
	}

	private void assertNothingIsLeft() {
		assertDecided();
		soon().untilAsserted(() -> assertThat(this.mutex.snapshot(1)).returns(0L, ThrottleSnapshot::held)
			.returns(0L, ThrottleSnapshot::waiting));
	}

	private static ConditionFactory soon() {
		return await().atMost(PATIENCE)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.pollInSameThread()
			.ignoreExceptions();
	}

	/** Call that waits for a permit. */
	private record Line(Permit held, CompletableFuture<?> call) {

	}

	/** Kind of a limited method. */
	enum Kind {

		BLOCKING {

			@Override
			CompletableFuture<?> start(Service service) {
				CompletableFuture<String> outcome = new CompletableFuture<>();
				Thread thread = new Thread(() -> {
					try {
						outcome.complete(service.blocking(service.id()));
					}
					catch (Throwable ex) {
						outcome.completeExceptionally(ex);
					}
				});
				outcome.whenComplete((result, failure) -> {
					if (outcome.isCancelled()) {
						thread.interrupt();
					}
				});
				thread.start();
				return outcome;
			}

		},

		STAGE {

			@Override
			CompletableFuture<?> start(Service service) {
				return calling(() -> service.stage(service.id()));
			}

		},

		MONO {

			@Override
			CompletableFuture<?> start(Service service) {
				return calling(() -> service.mono(service.id()).toFuture());
			}

		},

		FLUX {

			@Override
			CompletableFuture<?> start(Service service) {
				return calling(() -> service.flux(service.id()).then().toFuture());
			}

		},

		ASYNC {

			@Override
			CompletableFuture<?> start(Service service) {
				return calling(() -> service.asynchronous(service.id()));
			}

		};

		abstract CompletableFuture<?> start(Service service);

		private static CompletableFuture<?> calling(Callable<CompletableFuture<?>> call) {
			try {
				CompletableFuture<?> future = call.call();
				return (future != null) ? future : CompletableFuture.completedFuture(null);
			}
			catch (Throwable ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

	}

	/** What the attacked code does in place of its work. */
	enum Fault {

		EXCEPTION, ERROR, FATAL, CHECKED, NULL

	}

	/** Code of the application, one part of which fails. */
	static final class Attack implements InvocationHandler {

		static final String KEY = "attacked";

		private volatile @Nullable String point;

		private volatile Fault fault = Fault.EXCEPTION;

		volatile @Nullable CompletableFuture<String> result;

		volatile CountDownLatch running = new CountDownLatch(0);

		volatile @Nullable CountDownLatch mayEnd;

		void begin(String point, Fault fault) {
			this.fault = fault;
			this.point = point;
		}

		void end() {
			this.point = null;
		}

		static String name(Method method) {
			return method.getDeclaringClass().getSimpleName() + "." + method.getName() + method.getParameterCount();
		}

		/** Throws, or returns whether {@code null} is due. */
		boolean reach(String point) {
			if (!point.equals(this.point)) {
				return false;
			}
			switch (this.fault) {
				case EXCEPTION -> throw new IllegalStateException("expected");
				case ERROR -> throw new AssertionError("expected");
				case FATAL -> throw new InternalError("expected");
				case CHECKED -> throw Attack.<RuntimeException>unchecked(new Exception("expected"));
				default -> {
					return true;
				}
			}
		}

		@SuppressWarnings("unchecked")
		private static <X extends Throwable> X unchecked(Throwable failure) throws X {
			throw (X) failure;
		}

		<T> T proxy(Class<T> type) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, this));
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
			if (method.getDeclaringClass() == Object.class) {
				return switch (method.getName()) {
					case "equals" -> proxy == arguments[0];
					case "hashCode" -> System.identityHashCode(proxy);
					default -> "attacked";
				};
			}
			if (reach(name(method)) && !method.getReturnType().isPrimitive()) {
				return null;
			}
			return switch (method.getName()) {
				case "key", "getValue" -> KEY;
				case "map" -> arguments[0];
				case "test", "supportsContext" -> true;
				default -> method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : null;
			};
		}

		TaskDecorator decorator() {
			return new TaskDecorator() {

				@Override
				@SuppressWarnings("NullAway")
				public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
					return reach("decorate") ? null : () -> {
						if (reach("before task")) {
							return null;
						}
						T result = task.call();
						return reach("after task") ? null : result;
					};
				}

			};
		}

		@Nullable String body() {
			CountDownLatch mayEnd = this.mayEnd;
			if (mayEnd != null) {
				this.running.countDown();
				try {
					mayEnd.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			return reach("method") ? null : "done";
		}

		@Nullable CompletableFuture<String> stage() {
			if (body() == null) {
				return null;
			}
			CompletableFuture<String> result = this.result;
			if (result != null) {
				return result;
			}
			try {
				return CompletableFuture.completedFuture(reach("result") ? null : "done");
			}
			catch (Throwable ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

	}

	/** Argument of which the expressions of the keys read a property. */
	public static final class Id {

		private final Attack attack;

		Id(Attack attack) {
			this.attack = attack;
		}

		public @Nullable String getKey() {
			return this.attack.reach("key") ? null : "k";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@ImportAutoConfiguration({ SluiceThrottlingAutoConfiguration.class, SluiceContextAutoConfiguration.class,
			SluiceAnnotationsAutoConfiguration.class })
	static class Application {

	}

	@WhenThrottled(action = Action.WAIT, maxWait = "5m")
	static class Service {

		private final Attack attack;

		Service(Attack attack) {
			this.attack = attack;
		}

		public Id id() {
			return new Id(this.attack);
		}

		@Mutex(value = "mutex", key = "#id.key")
		public @Nullable String blocking(Id id) {
			return this.attack.body();
		}

		@Mutex(value = "mutex", key = "#id.key")
		public @Nullable CompletableFuture<String> stage(Id id) {
			return this.attack.stage();
		}

		@Mutex(value = "mutex", key = "#id.key")
		public @Nullable Mono<String> mono(Id id) {
			CompletableFuture<String> stage = this.attack.stage();
			return (stage != null) ? Mono.fromFuture(stage) : null;
		}

		@Mutex(value = "mutex", key = "#id.key")
		public @Nullable Flux<String> flux(Id id) {
			CompletableFuture<String> stage = this.attack.stage();
			return (stage != null) ? Flux.just("first").concatWith(Mono.fromFuture(stage)) : null;
		}

		@Async
		@Mutex(value = "mutex", key = "#id.key")
		public @Nullable CompletableFuture<String> asynchronous(Id id) {
			return this.attack.stage();
		}

	}

}
