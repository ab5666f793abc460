package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.WorkersCustomizer;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.execution.Level;
import dev.sluice.execution.QueueFullException;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.handler.OrderedHandlerAdapterPostProcessor;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.session.WebSocketLifecycle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.mvc.HttpRequestHandlerAdapter;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceWebSocketAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(TaskExecutionAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class))
		.withUserConfiguration(Handlers.class);

	@Test
	void handlersAreWrappedOnceInPlaceOfTheStandardDecorators() {
		this.contextRunner.run((context) -> {
			WebSocketHandler handler = served(context, "/one");
			assertThat(handler).isInstanceOf(WebSocketHandlerDecorator.class)
				.isNotInstanceOf(ExceptionWebSocketHandlerDecorator.class);
			assertThat(((WebSocketHandlerDecorator) handler).getDelegate()).isSameAs(Handlers.HANDLER);
			assertThat(served(context, "/one")).isSameAs(handler);
		});
	}

	@Test
	void whenPathIsExcludedThenItsHandlerIsLeftAlone() {
		this.contextRunner.withPropertyValues("sluice.websocket.handlers.exclude-paths=/t*").run((context) -> {
			assertThat(served(context, "/one")).isNotInstanceOf(ExceptionWebSocketHandlerDecorator.class);
			assertThat(served(context, "/two")).isInstanceOf(ExceptionWebSocketHandlerDecorator.class);
		});
	}

	/** A servlet that finds one makes none of its own. */
	@Test
	void noAdapterOfHandlersIsAdded() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(HandlerAdapter.class));
	}

	@Test
	void whenHandlersAreDisabledThenTheyAreLeftAlone() {
		this.contextRunner.withPropertyValues("sluice.websocket.handlers.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(OrderedHandlerAdapterPostProcessor.class));
	}

	@Test
	void whenDisabledThenThereIsNothing() {
		for (String property : new String[] { "sluice.enabled", "sluice.websocket.enabled" }) {
			this.contextRunner.withPropertyValues(property + "=false").run((context) -> {
				assertThat(context).doesNotHaveBean(SequentialLeveledTaskExecutor.class)
					.doesNotHaveBean(WebSocketDispatcher.class);
				assertThat(context).doesNotHaveBean(OrderedHandlerAdapterPostProcessor.class);
			});
		}
	}

	@Test
	void whenThereIsNoServerForSocketsThenThereIsNothing() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(SluiceWebSocketAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(WebSocketDispatcher.class));
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluiceWebSocketAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.web.socket"))
			.run((context) -> assertThat(context).doesNotHaveBean(WebSocketDispatcher.class));
	}

	@Test
	void theApplicationsTaskExecutorStaysTheOnlyCandidate() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasBean(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME);
			assertThat(context.getBean(Executor.class))
				.isSameAs(context.getBean(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME));
		});
	}

	@Test
	void theInboundExecutorIsTheOneThatIsInjected() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBeansOfType(SequentialLeveledTaskExecutor.class)).containsOnlyKeys("sluiceInbound",
					"sluiceOutbound");
			assertThat(context.getBean(SequentialLeveledTaskExecutor.class)).isSameAs(context.getBean("sluiceInbound"));
		});
	}

	@Test
	void normalTaskRunsAfterSoManyHighOnes() {
		this.contextRunner.withPropertyValues("sluice.execution.max-consecutive-high=1").run((context) -> {
			SequentialLeveledTaskExecutor executor = context.getBean(SequentialLeveledTaskExecutor.class);
			Queue<Level> order = new ConcurrentLinkedQueue<>();
			CompletableFuture<Void> running = new CompletableFuture<>();
			executor.submitStage("q", Level.HIGH, () -> running);
			List<CompletableFuture<?>> tasks = Stream.of(Level.HIGH, Level.HIGH, Level.NORMAL)
				.<CompletableFuture<?>>map((level) -> executor.execute("q", level, () -> order.add(level)))
				.toList();

			running.complete(null);

			assertThat(tasks).allSatisfy((task) -> assertThat(task).succeedsWithin(Duration.ofSeconds(30)));
			assertThat(order).containsExactly(Level.NORMAL, Level.HIGH, Level.HIGH);
		});
	}

	@ParameterizedTest
	@CsvSource({ "1, 1, 0", "2, 1, 0", "100, 50, 12", "256, 128, 32", "5000, 128, 32" })
	void marksThatAreNotSetFitTheCapacity(int capacity, int high, int low) {
		this.contextRunner.withPropertyValues("sluice.execution.queue-capacity=" + capacity).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(WaterMarks.of(context.getBean(SluiceWebSocketProperties.class).inbound(),
					context.getBean(SluiceExecutionProperties.class)))
				.isEqualTo(new WaterMarks(high, low));
		});
	}

	@ParameterizedTest
	@CsvSource({ "drop-oldest, 128, 32", "block, 128, 32", "reject, 5, 1" })
	void marksThatAreNotSetStayWhereAFullQueueRejectsNothing(String overflow, int high, int low) {
		this.contextRunner
			.withPropertyValues("sluice.execution.queue-capacity=10", "sluice.execution.overflow=" + overflow)
			.run((context) -> assertThat(WaterMarks.of(context.getBean(SluiceWebSocketProperties.class).inbound(),
					context.getBean(SluiceExecutionProperties.class)))
				.isEqualTo(new WaterMarks(high, low)));
	}

	@Test
	void taskForWhichThereIsNoRoomIsDropped() {
		this.contextRunner
			.withPropertyValues("sluice.execution.overflow=drop-newest", "sluice.execution.queue-capacity=1")
			.run((context) -> {
				CompletableFuture<Void> running = new CompletableFuture<>();
				assertThat(tooMany(context, running)).failsWithin(Duration.ofSeconds(30))
					.withThrowableThat()
					.withCauseInstanceOf(TaskDroppedException.class);
				running.complete(null);
			});
	}

	@Test
	void taskForWhichThereIsNoRoomWaitsForIt() {
		this.contextRunner
			.withPropertyValues("sluice.execution.overflow=block", "sluice.execution.max-block=300ms",
					"sluice.execution.queue-capacity=1")
			.run((context) -> {
				CompletableFuture<Void> running = new CompletableFuture<>();
				long start = System.nanoTime();
				assertThat(tooMany(context, running)).failsWithin(Duration.ofSeconds(30))
					.withThrowableThat()
					.withCauseInstanceOf(QueueFullException.class);
				assertThat(System.nanoTime() - start).isBetween(Duration.ofMillis(300).toNanos(),
						Duration.ofSeconds(20).toNanos());
				running.complete(null);
			});
	}

	/** Submits a task that runs until it is ended, one that waits, and one more. */
	private static CompletableFuture<?> tooMany(ApplicationContext context, CompletableFuture<Void> running) {
		SequentialLeveledTaskExecutor executor = context.getBean(SequentialLeveledTaskExecutor.class);
		CompletableFuture<Void> started = new CompletableFuture<>();
		executor.submitStage("q", Level.NORMAL, () -> {
			started.complete(null);
			return running;
		});
		started.join();
		executor.execute("q", Level.NORMAL, () -> {
		});
		return executor.execute("q", Level.NORMAL, () -> {
		});
	}

	@Test
	void workersArePlatformThreadsMadeOnDemand() {
		this.contextRunner.withPropertyValues("sluice.execution.workers=7").run((context) -> {
			ThreadPoolTaskExecutor workers = context.getBean(ExecutorsConfiguration.WORKERS,
					ThreadPoolTaskExecutor.class);
			assertThat(workers.getPoolSize()).isZero();
			assertThat(workers.getCorePoolSize()).isZero();
			assertThat(workers.getMaxPoolSize()).isEqualTo(7);
		});
	}

	@Test
	void whatCustomizesTheApplicationsExecutorsLeavesTheWorkersAlone() {
		this.contextRunner
			.withBean(ThreadPoolTaskExecutorCustomizer.class, () -> (executor) -> executor.setKeepAliveSeconds(7))
			.withBean(WorkersCustomizer.class, () -> (workers) -> workers.setThreadNamePrefix("mine-"))
			.run((context) -> {
				ThreadPoolTaskExecutor workers = context.getBean(ExecutorsConfiguration.WORKERS,
						ThreadPoolTaskExecutor.class);
				assertThat(workers.getKeepAliveSeconds()).isEqualTo(60);
				assertThat(workers.getThreadNamePrefix()).isEqualTo("mine-");
			});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void workersAreVirtualThreadsWhereTheApplicationsAre() {
		this.contextRunner.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(context.getBean(ExecutorsConfiguration.WORKERS))
				.isInstanceOf(SimpleAsyncTaskExecutor.class));
	}

	@Test
	void whenSessionsHaveMoreTimeToEndThanTheirPhaseThenTheStartFails() {
		this.contextRunner
			.withPropertyValues("sluice.websocket.shutdown-timeout=5s",
					"spring.lifecycle.timeout-per-shutdown-phase=5s")
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationException.class, (failure) -> {
					assertThat(failure).hasMessage("Property 'sluice.websocket.shutdown-timeout' must be less than "
							+ "'spring.lifecycle.timeout-per-shutdown-phase', which is PT5S: PT5S");
					assertThat(failure.action()).startsWith("Remove 'sluice.websocket.shutdown-timeout'");
				}));
	}

	@Test
	void sessionsHaveThreeQuartersOfTheirPhaseToEndUnlessTheirTimeIsSet() {
		this.contextRunner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=8s")
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(WebSocketLifecycle.class)).extracting("timeout")
				.isEqualTo(Duration.ofSeconds(6)));
	}

	@Test
	void eachTimeOfASessionIsTheOneOfItsProperty() {
		this.contextRunner
			.withPropertyValues("sluice.websocket.heartbeat.interval=1s", "sluice.websocket.heartbeat.timeout=2s",
					"sluice.websocket.idle-timeout=3s", "sluice.websocket.outbound.send-time-limit=4s",
					"sluice.websocket.message-time-limit=5s")
			.run((context) -> assertThat(context.getBean(WebSocketDispatcher.class)).extracting("settings")
				.extracting("liveness.heartbeatInterval", "liveness.heartbeatTimeout", "liveness.idle",
						"limits.send.time", "liveness.message")
				.containsExactly(Stream.of(1, 2, 3, 4, 5).map(Duration::ofSeconds).toArray()));
	}

	/** Asks for a handshake; returns the handler of its session. */
	private static WebSocketHandler served(ApplicationContext context, String path) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
		ServletRequestPathUtils.parseAndCache(request);
		Object handler = context.getBean(WebSocketHandlerMapping.class).getHandler(request).getHandler();
		HandlerAdapter adapter = context.getAutowireCapableBeanFactory().createBean(HttpRequestHandlerAdapter.class);
		adapter.handle(request, new MockHttpServletResponse(), handler);
		return Handlers.served;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSocket
	static class Handlers {

		static final WebSocketHandler HANDLER = new TextWebSocketHandler();

		static @Nullable WebSocketHandler served;

		@Bean
		WebSocketConfigurer configurer() {
			HandshakeHandler handshakes = (request, response, handler, attributes) -> {
				served = handler;
				return true;
			};
			return (registry) -> registry.addHandler(HANDLER, "/one", "/two").setHandshakeHandler(handshakes);
		}

	}

}
