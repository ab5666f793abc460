package dev.sluice.cluster.internal;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchPump;
import dev.sluice.batch.RetryPolicy;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Position;
import dev.sluice.cluster.ResumeSnapshot;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.BeanUtils;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Each public method that an application calls names the parameter that must not be
 * {@code null}.
 */
class NullArgumentsTests {

	/** Methods that are left out, and why. */
	private static final Map<String, String> EXCEPTIONS = Map.of("equals", "accepts null", "valueOf", "of the compiler",
			"onClose", "called by Sluice", "onError", "called by Sluice", "onResume", "called by Sluice", "toString",
			"accepts null", "option", "names the option", "drop", "called by Sluice", "decorated", "called by Sluice");

	private static final List<String> API = List.of("dev/sluice/annotation", "dev/sluice/aop", "dev/sluice/aop/spi",
			"dev/sluice/batch", "dev/sluice/bus", "dev/sluice/cluster", "dev/sluice/execution", "dev/sluice/lifecycle",
			"dev/sluice/throttle", "dev/sluice/throttle/store", "dev/sluice/time", "dev/sluice/websocket");

	/** Types that are not tested, by the reason. */
	private static final Map<String, List<String>> LEFT_OUT = Map.of(
			"implemented by the application", List.of("BatchErrorHandler", "BatchPump.Blocking",
					"BatchPump.Cancellable", "BusListener", "ClusterObserver", "ExecutionListener", "LevelResolver",
					"LineObserver", "MessageErrorHandler", "MessageObserver", "ObservedMessage", "PumpListener",
					"SentMessageJournal", "SessionTypeResolver", "TaskDecorator", "ThrottleListener"),
			"implemented and called by Sluice",
			List.of("Admission", "CancellationSignal", "ClusterBus", "Decision", "DeferredResults", "DispatchedMethods",
					"DrainedLifecycle", "PresenceRegistry", "SessionConnection", "SessionRecords", "StoredThrottle"),
			"called by Sluice",
			List.of("AnnotatedTypes", "AsyncThrottleBeanPostProcessor", "InvalidThrottledMethodException",
					"SessionClosedException", "StrictThrottleBeanPostProcessor", "ThrottleGate"),
			"inherited from the JDK", List.of("LeveledTask"));

	private final ThrottlingManager limits = ThrottlingManager.builder().build();

	private final Map<Object, Class<?>> receivers = new LinkedHashMap<>();

	private final Map<Class<?>, Object> values = new LinkedHashMap<>();

	private void create() {
		NanoClock clock = NanoClock.system();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		TestNode node = new TestNode(new MemoryBus(Runnable::run, clock).connect(), Runnable::run, clock, Runnable::run,
				10);
		ManagedSession session = node.open("1", "ada").session();
		Throttle rate = this.limits.addOrUpdate("rate", Limit.slidingLog(1000, Duration.ofSeconds(1)));
		Throttle held = this.limits.addOrUpdate("held", Limit.semaphore(1000));
		receiver(SequentialLeveledTaskExecutor.class, executor);
		receiver(SequentialLeveledTaskExecutor.Builder.class, SequentialLeveledTaskExecutor.builder(Runnable::run));
		receiver(TaskQueue.class, executor.addQueue("q"));
		receiver(BatchConsumer.class, BatchConsumer.<Object>builder().executor(Runnable::run).build());
		receiver(BatchConsumer.Builder.class, BatchConsumer.<Object>builder());
		receiver(ThrottlingManager.class, this.limits);
		receiver(ThrottlingManager.Builder.class, ThrottlingManager.builder());
		receiver(Throttle.class, held);
		receiver(Throttle.class, rate);
		receiver(Permit.class, held.tryAcquire("key").permit());
		receiver(AcquireRequest.class, AcquireRequest.of("rate"));
		receiver(LimitDefinition.class, LimitDefinition.of(LimitType.SLIDING_LOG));
		receiver(LimitOptions.Builder.class, LimitOptions.builder());
		receiver(LimitOptions.class, LimitOptions.builder().build());
		receiver(ThrottlingTemplate.class, new ThrottlingTemplate(this.limits, BlockingWaits.unbounded()));
		receiver(ThrottleGate.Builder.class, ThrottleGate.builder(this.limits));
		receiver(ManagedSession.class, session);
		receiver(WebSocketSessionManager.class, node.dispatcher.sessions());
		receiver(SessionCluster.class, node.cluster);
		receiver(SessionQuery.class, SessionQuery.all());
		receiver(NanoClock.class, clock);
		receiver(Topic.class, node.cluster.topic("t"));
		receiver(ManagedSession.Resumption.class, resumption());
		receiver(ResumeSnapshot.class, new ResumeSnapshot(0, 0, 0, Map.of()));
		Stream
			.of(Limit.class, LimitType.class, ThrottleStore.class, BatchPump.class, RetryPolicy.class,
					BlockingWaits.class, CloseStatuses.class, Position.class)
			.forEach((type) -> this.receivers.put(type, type));
		this.values.putAll(Map.of(String.class, "x", Object.class, "x", Class.class, ManagedSession.class,
				Duration.class, Duration.ofMillis(1), Integer.class, 1, TimeUnit.class, TimeUnit.SECONDS,
				CloseStatus.class, CloseStatus.NORMAL, Limit.class, Limit.semaphore(1), LimitOptions.class,
				LimitOptions.builder().build()));
	}

	private static ManagedSession.Resumption resumption() {
		Class<?> type = ClassUtils.resolveClassName("dev.sluice.cluster.endpoint.EndpointResumption", null);
		return (ManagedSession.Resumption) BeanUtils.instantiateClass(type.getDeclaredConstructors()[0], Map.of(), true,
				0, "{}", JsonMapper.shared());
	}

	private <T> void receiver(Class<T> type, @Nullable T receiver) {
		assertThat(receiver).as(type.getName()).isNotNull();
		this.receivers.put(receiver, type);
		this.values.put(type, receiver);
	}

	@TestFactory
	Stream<DynamicTest> methodNamesTheParameterThatMustNotBeNull() {
		create();
		List<DynamicTest> tests = new ArrayList<>();
		this.receivers
			.forEach((receiver,
					type) -> executables(type).forEach((executable) -> Stream.of(executable.getParameters())
						.filter((parameter) -> !parameter.getType().isPrimitive() && !isNullable(parameter))
						.forEach((parameter) -> tests.add(DynamicTest.dynamicTest(
								type.getSimpleName() + '.' + executable.getName() + " " + parameter,
								() -> assertNamed(executable, receiver, parameter))))));
		assertThat(tests).hasSizeGreaterThan(100);
		return tests.stream();
	}

	@Test
	void eachTypeOfTheApiIsAReceiverOrLeftOut() throws IOException {
		create();
		Set<String> types = new TreeSet<>();
		for (String name : API) {
			Stream.of(new PathMatchingResourcePatternResolver().getResources("classpath*:" + name + "/*.class"))
				.filter((file) -> !file.toString().contains("test-classes") && !file.toString().contains("-info"))
				.map((file) -> String.valueOf(file.getFilename()).replace(".class", ""))
				.map((file) -> name.replace('/', '.') + '.' + file)
				.filter((type) -> ClassUtils.isPresent(type, null)) // not those of absent
																	// libraries
				.map((type) -> ClassUtils.resolveClassName(type, null))
				.filter((type) -> isPublic(type) && !this.receivers.containsValue(type) && takesReferences(type))
				.map((type) -> ClassUtils.getShortName(type))
				.forEach(types::add);
		}
		assertThat(types)
			.containsExactlyInAnyOrderElementsOf(LEFT_OUT.values().stream().flatMap(List::stream).toList());
	}

	private static boolean isPublic(Class<?> type) {
		return Modifier.isPublic(type.getModifiers())
				&& (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
	}

	private static boolean takesReferences(Class<?> type) {
		return executables(type).filter((method) -> method.getDeclaringClass() == type)
			.flatMap((method) -> Stream.of(method.getParameters()))
			.anyMatch((parameter) -> !parameter.getType().isPrimitive() && !isNullable(parameter));
	}

	private static Stream<Method> executables(Class<?> type) {
		return Arrays.stream(type.getMethods())
			.filter((method) -> method.getDeclaringClass().getName().startsWith("dev.sluice.") && !method.isSynthetic()
					&& !method.isBridge() && !EXCEPTIONS.containsKey(method.getName())
					&& (type.isInterface() || Modifier.isPublic(method.getModifiers())));
	}

	private static boolean isNullable(Parameter parameter) {
		return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
	}

	private void assertNamed(Method method, Object receiver, Parameter missing) throws Exception {
		if (receiver instanceof Class && !Modifier.isStatic(method.getModifiers())) {
			return;
		}
		Throwable failure = null;
		try {
			method.setAccessible(true);
			Object result = call(method, receiver, missing);
			if (result instanceof CompletionStage<?> stage) {
				stage.toCompletableFuture().get(1, TimeUnit.SECONDS);
			}
		}
		catch (InvocationTargetException | ExecutionException ex) {
			failure = ex.getCause();
		}
		catch (TimeoutException ex) {
			failure = ex;
		}
		assertThat(failure).as(method + " without " + missing.getName()).isNotNull();
		if (failure instanceof UnsupportedOperationException) {
			return;
		}
		assertThat(failure.getMessage()).as(method + ": " + failure)
			.satisfiesAnyOf((message) -> assertThat(message).contains("'" + missing.getName() + "'"),
					(message) -> assertThat(message).contains("'" + missing.getName() + "["),
					(message) -> assertThat(message).contains("'" + method.getName() + "' must not be null"));
	}

	/** Ends by itself, as the time of a test does not hold for dynamic ones. */
	private @Nullable Object call(Method method, Object receiver, Parameter missing) throws Exception {
		FutureTask<@Nullable Object> call = new FutureTask<>(() -> method.invoke(receiver,
				Stream.of(method.getParameters())
					.map((parameter) -> parameter.equals(missing) ? null : value(parameter.getType()))
					.toArray()));
		Thread caller = new Thread(call, "caller");
		caller.setDaemon(true);
		caller.start();
		try {
			return call.get(1, TimeUnit.MINUTES);
		}
		catch (ExecutionException ex) {
			throw (InvocationTargetException) ex.getCause();
		}
		catch (TimeoutException ex) {
			throw new AssertionError(method + " does not return: " + Arrays.toString(caller.getStackTrace()), ex);
		}
	}

	private @Nullable Object value(Class<?> type) {
		if (type == int.class) {
			return 1;
		}
		if (type == long.class) {
			return 1L;
		}
		if (type == boolean.class) {
			return false;
		}
		if (type.isEnum()) {
			return type.getEnumConstants()[0];
		}
		if (type.isArray()) {
			Object array = Array.newInstance(type.getComponentType(), 1);
			Array.set(array, 0, value(type.getComponentType()));
			return array;
		}
		Object value = this.values.get(type);
		return (value != null) ? value : mock(type);
	}

}
