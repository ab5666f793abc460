package dev.sluice.autoconfigure.websocket.stomp;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.WebSocketSessionManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.support.ExecutorChannelInterceptor;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Real STOMP clients over real sockets. */
@Tag("sockets")
@ExtendWith(OutputCaptureExtension.class)
class StompTests {

	private static final int MESSAGES = 10_000;

	private @Nullable ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		if (this.context != null && this.context.isActive()) {
			echo().permits.release(1_000_000);
			this.context.close();
		}
	}

	@Test
	void aSessionsMessagesAreHandledAndAnsweredInOrder() throws Exception {
		start();
		echo().permits.release(MESSAGES);
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/echo");
			IntStream.range(0, MESSAGES).forEach((i) -> client.send("/app/echo", String.valueOf(i)));
			List<String> numbers = IntStream.range(0, MESSAGES).mapToObj(String::valueOf).toList();
			assertThat(client.next(MESSAGES)).isEqualTo(numbers);
			assertThat(echo().handled).containsExactlyElementsOf(numbers);
		}
	}

	@Test
	void connectComesFirstEvenWhenTheClientDoesNotWaitForItsAnswer() throws Exception {
		start("--sluice.websocket.stomp.level-header=level");
		for (int i = 0; i < 50; i++) {
			try (SocketClient client = new SocketClient(port(), "/stomp")) {
				client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
				client.send("SEND\ndestination:/app/echo\nlevel:high\n\nurgent\0");
				client.send("SEND\ndestination:/app/echo\n\nordinary\0");
				assertThat(client.next()).startsWith("CONNECTED");
				echo().permits.release(2);
				assertThat(echo().nextType()).isEqualTo(SimpMessageType.CONNECT);
				assertThat(echo().nextType()).isEqualTo(SimpMessageType.MESSAGE);
				assertThat(echo().nextType()).isEqualTo(SimpMessageType.MESSAGE);
			}
			await().pollDelay(Duration.ZERO).until(() -> echo().nextType() == SimpMessageType.DISCONNECT);
			echo().types.clear();
		}
	}

	@Test
	void aClientMayAskForAHighLevelWhereTheApplicationNamesAHeader() throws Exception {
		start("--sluice.websocket.stomp.level-header=level");
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/echo");
			client.send("/app/echo", "first");
			await().until(echo().permits::hasQueuedThreads);
			client.send("/app/echo", "ordinary");
			client.send("/app/echo", "level", "high", "urgent");
			await().until(() -> waiting() == 2);
			echo().permits.release(3);
			assertThat(client.next(3)).containsExactly("first", "urgent", "ordinary");
		}
	}

	@Test
	void aMessageIsOneTaskForAllSubscribersOfItsChannel() throws Exception {
		start();
		try (StompClient client = connect()) {
			client.send("/app/echo", "first");
			await().until(echo().permits::hasQueuedThreads);
			client.send("/app/echo", "second");
			client.send("/app/echo", "third");
			await().until(() -> waiting() == 2);
			assertThat(inbound().snapshot(0).running()).isEqualTo(1);
		}
	}

	@Test
	void aSlowMessageDelaysNoOtherSession() throws Exception {
		start();
		try (StompClient slow = connect(); StompClient other = connect()) {
			slow.send("/app/echo", "slow");
			await().until(echo().permits::hasQueuedThreads);
			other.subscribe("/user/queue/plain");
			other.send("/app/plain", "quick");
			assertThat(other.next()).isEqualTo("quick");
		}
	}

	@Test
	void aClientThatReadsMayBeSentMuchMoreAtOnceThanMayWait() throws Exception {
		start();
		try (StompClient client = connect()) {
			client.subscribe("/queue/burst");
			client.send("/app/burst", "200");
			for (int i = 0; i < 200; i++) {
				assertThat(client.next()).hasSize(7_000).startsWith(i + " ");
			}
		}
	}

	@Test
	void aHeartbeatIsSeenWhileASlowMessageIsHandled() throws Exception {
		start();
		try (SocketClient client = new SocketClient(port(), "/stomp")) {
			client.send("CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:1000,0\n\n\0");
			assertThat(client.next()).startsWith("CONNECTED");
			client.send("SEND\ndestination:/app/echo\n\nslow\0");
			await().until(echo().permits::hasQueuedThreads);
			client.send("\n");
			await().until(() -> echo().types.contains(SimpMessageType.HEARTBEAT));
			assertThat(echo().permits.hasQueuedThreads()).isTrue();
		}
	}

	@Test
	void sessionsAreCountedUntilTheyEndAndThenNothingIsLeft() throws Exception {
		start();
		WebSocketSessionManager sessions = this.context.getBean(WebSocketSessionManager.class);
		try (StompClient client = connect(); StompClient other = connect()) {
			client.subscribe("/user/queue/plain");
			client.send("/app/plain", "hello");
			assertThat(client.next()).isEqualTo("hello");
			assertThat(sessions.countByType()).isEqualTo(Map.of("stomp", 2));
			assertThat(other.isConnected()).isTrue();
		}
		await().untilAsserted(() -> assertThat(sessions.count()).isZero());
		await().untilAsserted(() -> this.context.getBeansOfType(SequentialLeveledTaskExecutor.class)
			.values()
			.forEach((executor) -> assertThat(executor.snapshot(0).queues()).isZero()));
	}

	@Test
	void whenTheApplicationStopsThenClientsSeeGoingAway() throws Exception {
		start();
		SocketClient client = new SocketClient(port(), "/stomp");
		client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
		assertThat(client.next()).startsWith("CONNECTED");
		this.context.close();
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void withVirtualThreadsTheTasksOfBothChannelsRunOnThem() throws Exception {
		start("--spring.threads.virtual.enabled=true");
		echo().permits.release();
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/echo");
			client.send("/app/echo", "hello");
			assertThat(client.next()).isEqualTo("hello");
			assertThat(echo().threads).hasSizeGreaterThanOrEqualTo(2).allSatisfy(StompTests::assertVirtual);
		}
	}

	@Test
	void anExecutorOfTheApplicationWinsAndIsToldOnceWhatIsLost(CapturedOutput output) {
		start(OwnExecutor.class);
		assertThat(this.context.getBean("clientInboundChannelExecutor")).isSameAs(OwnExecutor.EXECUTOR);
		assertThat(output).containsOnlyOnce("The application's own executor handles the messages of clientInbound")
			.doesNotContain("clientOutboundChannel");
	}

	@Test
	void aPoolThatTheApplicationAsksForWinsToo(CapturedOutput output) throws Exception {
		start(OwnPool.class);
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/plain");
			await().until(() -> {
				client.send("/app/plain", "hello"); // which may overtake the SUBSCRIBE
				return client.hasReceived();
			});
			assertThat(client.next()).isEqualTo("hello");
		}
		assertThat(this.context.getBean("clientInboundChannelExecutor")).hasFieldOrPropertyWithValue("corePoolSize", 3);
		assertThat(output).containsOnlyOnce("clientInboundChannel:").doesNotContain("clientOutboundChannel");
	}

	@Test
	void askingForAnOrderThatIsKeptAlreadyIsToldOnceAndStillWorks(CapturedOutput output) throws Exception {
		start(PreservedOrder.class);
		echo().permits.release(1_000);
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/echo");
			IntStream.range(0, 1_000).forEach((i) -> client.send("/app/echo", String.valueOf(i)));
			assertThat(client.next(1_000)).isEqualTo(IntStream.range(0, 1_000).mapToObj(String::valueOf).toList());
		}
		assertThat(output).containsOnlyOnce("Remove setPreserveReceiveOrder(true)")
			.containsOnlyOnce("Remove setPreservePublishOrder(true)");
	}

	private void start(Object... arguments) {
		this.context = StompApplications.run(Application.class, arguments);
	}

	private StompClient connect() throws Exception {
		return StompApplications.connect(this.context);
	}

	private int port() {
		return StompApplications.port(this.context);
	}

	private Echo echo() {
		return this.context.getBean(Echo.class);
	}

	private SequentialLeveledTaskExecutor inbound() {
		return this.context.getBean(SequentialLeveledTaskExecutor.class);
	}

	private long waiting() {
		return inbound().snapshot(0).waitingNormal() + inbound().snapshot(0).waitingHigh();
	}

	private static void assertVirtual(Thread thread) {
		assertThat(thread).hasFieldOrPropertyWithValue("virtual", true);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ StompBroker.class, Echo.class })
	static class Application implements WebSocketMessageBrokerConfigurer {

		private final Echo echo;

		Application(Echo echo) {
			this.echo = echo;
		}

		@Override
		public void configureClientInboundChannel(ChannelRegistration registration) {
			registration.interceptors(this.echo.new Watching());
		}

		@Override
		public void configureClientOutboundChannel(ChannelRegistration registration) {
			registration.interceptors(this.echo.new Watching());
		}

	}

	@Controller
	static class Echo {

		private final Semaphore permits = new Semaphore(0);

		private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

		private final BlockingQueue<SimpMessageType> types = new LinkedBlockingQueue<>();

		private final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

		private final SimpMessagingTemplate template;

		Echo(@Lazy SimpMessagingTemplate template) {
			this.template = template;
		}

		@MessageMapping("/echo")
		@SendToUser("/queue/echo")
		String echo(String message) throws InterruptedException {
			this.permits.acquire();
			this.handled.add(message);
			return message;
		}

		@MessageMapping("/burst")
		void burst(String count) {
			for (int i = 0; i < Integer.parseInt(count); i++) {
				this.template.convertAndSend("/queue/burst", "%-7000s".formatted(i + " "));
			}
		}

		@MessageMapping("/plain")
		@SendToUser("/queue/plain")
		String plain(String message) {
			return message;
		}

		SimpMessageType nextType() throws InterruptedException {
			return this.types.poll(SocketClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}

		/** Notes what the annotated methods are called for, and all threads. */
		final class Watching implements ExecutorChannelInterceptor {

			@Override
			public Message<?> beforeHandle(Message<?> message, MessageChannel channel, MessageHandler handler) {
				Echo.this.threads.add(Thread.currentThread());
				if (handler.getClass().getSimpleName().equals("WebSocketAnnotationMethodMessageHandler")) {
					Echo.this.types.add(SimpMessageHeaderAccessor.getMessageType(message.getHeaders()));
				}
				return message;
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnExecutor {

		private static final TaskExecutor EXECUTOR = new SyncTaskExecutor();

		@Bean
		WebSocketMessageBrokerConfigurer ownExecutor() {
			return new WebSocketMessageBrokerConfigurer() {
				@Override
				public void configureClientInboundChannel(ChannelRegistration registration) {
					registration.executor(EXECUTOR);
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnPool {

		@Bean
		WebSocketMessageBrokerConfigurer ownPool() {
			return new WebSocketMessageBrokerConfigurer() {
				@Override
				public void configureClientInboundChannel(ChannelRegistration registration) {
					registration.taskExecutor().corePoolSize(3);
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PreservedOrder {

		@Bean
		WebSocketMessageBrokerConfigurer preservedOrder() {
			return new WebSocketMessageBrokerConfigurer() {
				@Override
				public void registerStompEndpoints(StompEndpointRegistry registry) {
					registry.setPreserveReceiveOrder(true);
				}

				@Override
				public void configureMessageBroker(MessageBrokerRegistry registry) {
					registry.setPreservePublishOrder(true);
				}
			};
		}

	}

}
