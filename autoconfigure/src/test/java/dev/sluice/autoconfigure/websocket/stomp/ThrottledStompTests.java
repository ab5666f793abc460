package dev.sluice.autoconfigure.websocket.stomp;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Limits on {@code @MessageMapping} methods, with real STOMP clients. */
@Tag("sockets")
class ThrottledStompTests {

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void aRejectedMessageIsAnsweredInOrderAtTheUsersErrorQueueAndTheConnectionLives() throws Exception {
		start();
		try (StompClient client = connect(); StompClient other = connect()) {
			other.subscribe("/user/queue/errors");
			client.subscribe("/user/queue/errors");
			client.subscribe("/user/queue/quotes");
			client.send("/app/quote/a", "1");
			client.send("/app/quote/a", "2");
			client.send("/app/quote/b", "3");
			assertThat(client.next()).isEqualTo("1");
			assertThat(client.next())
				.matches("\\{\"type\":\"throttled\",\"resource\":\"quotes\",\"retryAfter\":[0-9.]+}");
			assertThat(client.next()).isEqualTo("3");
			other.subscribe("/user/queue/quotes");
			other.send("/app/quote/a", "4");
			assertThat(other.next()).isEqualTo("4");
			assertThat(client.isConnected()).isTrue();
		}
	}

	@Test
	void anExceptionHandlerOfTheApplicationWins() throws Exception {
		start(OwnAdvice.class);
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/errors");
			client.subscribe("/user/queue/own");
			client.send("/app/quote/a", "1");
			client.send("/app/quote/a", "2");
			assertThat(client.next()).isEqualTo("Own answer: quotes");
		}
	}

	@Test
	void anErrorFrameEndsTheConnectionWhereTheApplicationAsksForIt() throws Exception {
		start("--sluice.websocket.stomp.throttled=error-frame");
		try (StompClient client = connect()) {
			client.send("/app/quote/a", "1");
			client.send("/app/quote/a", "2");
			assertThat(client.nextError()).contains("\"type\":\"throttled\",\"resource\":\"quotes\"");
			await().until(() -> !client.isConnected());
		}
	}

	@Test
	void aMessageThatIsDroppedIsAnsweredWithNothing() throws Exception {
		start("--sluice.websocket.stomp.throttled=none");
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/errors");
			client.subscribe("/user/queue/quotes");
			client.send("/app/quote/a", "1");
			client.send("/app/quote/a", "2");
			client.send("/app/quote/b", "3");
			assertThat(client.next(2)).containsExactly("1", "3");
		}
	}

	@Test
	void theAnswerGoesToTheDestinationOfTheApplication() throws Exception {
		start("--sluice.websocket.stomp.throttled-destination=/queue/slower");
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/slower");
			client.send("/app/quote/a", "1");
			client.send("/app/quote/a", "2");
			assertThat(client.next()).contains("throttled");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/app/patient", "/app/persistent" })
	void whileAMessageWaitsItsSessionIsParkedAloneAndHoldsNoThread(String destination) throws Exception {
		start("--sluice.execution.workers=1");
		Permit held = single().tryAcquire().permit();
		try (StompClient client = connect(); StompClient other = connect()) {
			client.subscribe("/user/queue/done");
			client.send(destination, "1");
			client.send("/app/plain", "2");
			await().untilAsserted(() -> assertThat(inbound()).returns(1, ExecutorSnapshot::held)
				.returns(0, ExecutorSnapshot::running)
				.returns(1L, ExecutorSnapshot::waitingNormal));
			other.subscribe("/user/queue/done");
			other.send("/app/plain", "quick");
			assertThat(other.next()).isEqualTo("quick");
			held.close();
			assertThat(client.next(2)).containsExactly("1", "2");
			await().until(() -> single().state("").used() == 0);
		}
	}

	@Test
	void aSessionThatEndsWhileItsMessageWaitsLeavesTheLine() throws Exception {
		start();
		single().tryAcquire();
		try (SocketClient client = new SocketClient(port(), "/stomp")) {
			client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
			assertThat(client.next()).startsWith("CONNECTED");
			client.send("SEND\ndestination:/app/patient\n\n1\0");
			await().until(() -> single().state("").waiting() == 1);
		}
		await().until(() -> single().state("").waiting() == 0);
		await().until(() -> inbound().queues() == 0);
		assertThat(this.context.getBean(Quotes.class).handled()).isEmpty();
	}

	@Test
	void aResultThatComesLaterHoldsItsPermit() throws Exception {
		start();
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/done");
			client.send("/app/later", "1");
			await().until(() -> single().state("").used() == 1);
			this.context.getBean(Quotes.class).complete("done");
			assertThat(client.next()).isEqualTo("done");
			await().until(() -> single().state("").used() == 0);
		}
	}

	@Test
	void aFallbackAnswersInPlaceOfARejectedMessage() throws Exception {
		start();
		single().tryAcquire();
		try (StompClient client = connect()) {
			client.subscribe("/user/queue/done");
			client.send("/app/rescued", "1");
			assertThat(client.next()).isEqualTo("instead of 1");
		}
	}

	private void start(Object... arguments) {
		Stream<String> limits = Stream.of("--sluice.throttles.quotes.limit=1", "--sluice.throttles.quotes.period=1h",
				"--sluice.throttles.single.type=semaphore", "--sluice.throttles.single.limit=1");
		this.context = StompApplications.run(Application.class, Stream.concat(limits, Stream.of(arguments)).toArray());
	}

	private StompClient connect() throws Exception {
		return StompApplications.connect(this.context);
	}

	private int port() {
		return StompApplications.port(this.context);
	}

	private Throttle single() {
		return this.context.getBean(ThrottlingManager.class).get("single");
	}

	private ExecutorSnapshot inbound() {
		return this.context.getBean(SequentialLeveledTaskExecutor.class).snapshot(0);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ StompBroker.class, Quotes.class })
	static class Application {

	}

	@Controller
	static class Quotes {

		private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

		private final CompletableFuture<String> later = new CompletableFuture<>();

		@MessageMapping("/quote/{name}")
		@SendToUser("/queue/quotes")
		@Throttled(value = "quotes", key = "#session.id + #name")
		String quote(@DestinationVariable String name, String message) {
			return message;
		}

		@MessageMapping("/patient")
		@SendToUser("/queue/done")
		@Semaphore("single")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String patient(String message) {
			this.handled.add(message);
			return message;
		}

		@MessageMapping("/persistent")
		@SendToUser("/queue/done")
		@Semaphore("single")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		String persistent(String message) {
			return message;
		}

		@MessageMapping("/plain")
		@SendToUser("/queue/done")
		String plain(String message) {
			return message;
		}

		@MessageMapping("/later")
		@SendToUser("/queue/done")
		@Semaphore("single")
		CompletableFuture<String> later(String message) {
			return this.later;
		}

		@MessageMapping("/rescued")
		@SendToUser("/queue/done")
		@Semaphore("single")
		@WhenThrottled(fallback = "instead")
		String rescued(String message) {
			return message;
		}

		/** Methods, since the fields of a proxy are not those of its target. */
		BlockingQueue<String> handled() {
			return this.handled;
		}

		void complete(String result) {
			this.later.complete(result);
		}

		String instead(String message) {
			return "instead of " + message;
		}

	}

	@ControllerAdvice
	static class OwnAdvice {

		@MessageExceptionHandler
		@SendToUser("/queue/own")
		String answer(ThrottledException rejection) {
			return "Own answer: " + rejection.resource();
		}

	}

}
