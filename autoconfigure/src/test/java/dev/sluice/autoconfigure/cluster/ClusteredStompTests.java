package dev.sluice.autoconfigure.cluster;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.messaging.MessageDeliveryException;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.annotation.SubscribeMapping;
import org.springframework.messaging.simp.user.SimpSession;
import org.springframework.messaging.simp.user.SimpUserRegistry;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * An application with Spring's simple broker on two nodes, with real sockets.
 */
@Tag("full")
@Tag("sockets")
class ClusteredStompTests {

	private static final int MESSAGES = 200;

	private static final RecordedBuses BUSES = new RecordedBuses();

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext other;

	private final List<StompClient> clients = new ArrayList<>();

	@BeforeAll
	static void start() {
		one = run();
		other = run();
	}

	private static ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).run("--server.port=0",
				"--sluice.cluster.stomp.destinations=/topic/**,/queue/**");
	}

	@AfterAll
	static void stop() {
		one.close();
		other.close();
	}

	@AfterEach
	void disconnect() {
		this.clients.forEach(StompClient::close);
		BUSES.restore();
	}

	@Test
	void whatTheApplicationSendsReachesSubscribersOfAllNodesOnce() throws Exception {
		List<StompClient> subscribers = subscribed("/topic/news", connect(one, "ann"), connect(other, "bob"));
		template(one).convertAndSend("/topic/news", "first");
		template(other).convertAndSend("/topic/news", "second");
		assertReceived(subscribers, "first", "second");
	}

	@Test
	void whatAClientSendsReachesSubscribersOfAllNodesOnce() throws Exception {
		StompClient ann = connect(one, "ann");
		StompClient bob = connect(other, "bob");
		List<StompClient> subscribers = subscribed("/topic/chat", ann, bob);
		ann.send("/topic/chat", "from ann");
		assertReceived(subscribers, "from ann");
		bob.send("/topic/chat", "from bob");
		assertReceived(subscribers, "from bob");
	}

	@Test
	void whatAMethodReturnsReachesSubscribersOfAllNodesOnce() throws Exception {
		StompClient ann = connect(one, "ann");
		List<StompClient> subscribers = subscribed("/topic/said", ann, connect(other, "bob"));
		ann.send("/app/said", "hello");
		assertReceived(subscribers, "hello");
	}

	/** All have sent at once, and all have got the same. */
	@Test
	void theOrderOfADestinationIsTheSameOnAllNodes() throws Exception {
		StompClient ann = connect(one, "ann");
		StompClient bob = connect(other, "bob");
		subscribed("/topic/order", ann, bob);
		CompletableFuture<?> application = CompletableFuture.runAsync(
				() -> numbers("a").forEach((number) -> template(other).convertAndSend("/topic/order", number)),
				(task) -> new Thread(task, "application").start());
		numbers("c").forEach((number) -> ann.send("/topic/order", number));
		numbers("d").forEach((number) -> bob.send("/app/order", number));
		application.join();
		List<String> received = ann.next(3 * MESSAGES);
		assertThat(bob.next(3 * MESSAGES)).isEqualTo(received);
		for (String sender : List.of("a", "c", "d")) {
			assertThat(received).filteredOn((number) -> number.startsWith(sender))
				.containsExactlyElementsOf(numbers(sender).toList());
		}
		assertReceivedNoMore(List.of(ann, bob));
	}

	private static Stream<String> numbers(String sender) {
		return IntStream.range(0, MESSAGES).mapToObj((number) -> sender + number);
	}

	@Test
	void aUserGetsEverythingInTheSessionsOfAllNodesAndNobodyElseDoes() throws Exception {
		List<StompClient> sessions = subscribed("/user/queue/mine", connect(one, "ann"), connect(one, "ann"),
				connect(other, "ann"));
		List<StompClient> others = subscribed("/user/queue/mine", connect(one, "bob"), connect(other, "bob"));
		template(one).convertAndSendToUser("ann", "/queue/mine", "first");
		template(other).convertAndSendToUser("ann", "/queue/mine", "second");
		sessions.get(0).send("/app/mine", "third");
		assertReceived(sessions, "first", "second", "third");
		others.get(0).send("/user/ann/queue/mine", "fourth");
		others.get(1).send("/user/ann/queue/mine", "fifth");
		for (StompClient session : sessions) {
			assertThat(session.next(2)).containsExactlyInAnyOrder("fourth", "fifth");
		}
		assertReceivedNoMore(others);
	}

	@Test
	void aUserIsReachedFromANodeWithoutASessionOfTheUser() throws Exception {
		List<StompClient> sessions = subscribed("/user/queue/mine", connect(other, "a/b"));
		template(one).convertAndSendToUser("a/b", "/queue/mine", "hello");
		assertReceived(sessions, "hello");
	}

	@Test
	void aReplyToOneSessionStaysThere() throws Exception {
		List<StompClient> sessions = subscribed("/user/queue/reply", connect(one, "ann"), connect(one, "ann"),
				connect(other, "ann"));
		int published = BUSES.published().size();
		sessions.get(0).send("/app/reply", "hello");
		assertReceived(sessions.subList(0, 1), "hello");
		assertReceivedNoMore(sessions.subList(1, 3));
		assertThat(BUSES.published()).hasSize(published);
	}

	@Test
	void aSessionIsReachedByItsIdFromAnyNode() throws Exception {
		List<StompClient> sessions = subscribed("/user/queue/direct", connect(one, "eve"), connect(one, "eve"));
		List<String> ids = one.getBean(SimpUserRegistry.class)
			.getUser("eve")
			.getSessions()
			.stream()
			.map(SimpSession::getId)
			.toList();
		for (ApplicationContext node : List.of(one, other)) {
			for (String id : ids) {
				SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
				headers.setSessionId(id);
				template(node).convertAndSendToUser(id, "/queue/direct", "by session", headers.getMessageHeaders());
				template(node).convertAndSendToUser("eve", "/queue/direct", "by user", headers.getMessageHeaders());
			}
		}
		for (StompClient session : sessions) {
			assertThat(session.next(4)).containsExactlyInAnyOrder("by session", "by user", "by session", "by user");
		}
		assertReceivedNoMore(sessions);
	}

	@Test
	void subscribersSeeTheSameHeadersAndBytesOnAllNodes() throws Exception {
		try (SocketClient near = stomp(one); SocketClient far = stomp(other)) {
			near.send("SEND\ndestination:/topic/raw\ncolour:re\\cd\ncolour:blue\ncontent-type:text/x\n\nü{\"a\":1}\0");
			for (SocketClient client : List.of(near, far)) {
				assertThat(client.next()).startsWith("MESSAGE\n")
					.contains("\ndestination:/topic/raw\n", "\ncolour:re\\cd\n", "\ncontent-type:text/x\n",
							"\nsubscription:s\n", "\n\nü{\"a\":1}");
			}
			template(other).convertAndSend("/topic/raw", Map.of("b", 2), Map.of("colour", "green"));
			for (SocketClient client : List.of(near, far)) {
				assertThat(client.next()).contains("\ncolour:green\n", "\ncontent-type:application/json\n",
						"\n\n{\"b\":2}");
			}
		}
	}

	private static SocketClient stomp(ApplicationContext node) throws Exception {
		SocketClient client = new SocketClient(port(node), "/users?raw");
		client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
		assertThat(client.next()).startsWith("CONNECTED");
		client.send("SUBSCRIBE\nid:s\ndestination:/topic/raw\n\n\0");
		client.send("SUBSCRIBE\nid:now\ndestination:/app/now\n\n\0");
		assertThat(client.next()).endsWith("now\0");
		return client;
	}

	/** A client may send anywhere, and nobody has to listen. */
	@Test
	void destinationsThatClientsChooseCostNothingThatLasts() throws Exception {
		StompClient ann = connect(one, "ann");
		List<StompClient> subscribers = subscribed("/topic/last", ann);
		IntStream.range(0, 1000).forEach((i) -> ann.send("/topic/" + i, ""));
		IntStream.range(0, 1000).forEach((i) -> ann.send("/user/nobody" + i + "/queue/x", ""));
		ann.send("/topic/last", "last");
		assertReceived(subscribers, "last");
		assertThat(Set.copyOf(BUSES.published())).hasSizeLessThanOrEqualTo(64);
		assertThat(BUSES.joined()).filteredOn((name) -> name.startsWith("b:")).hasSize(64);
	}

	@Test
	void aMessageThatTheBusDoesNotTakeReachesNobodyAndTheApplicationIsTold() throws Exception {
		StompClient ann = connect(one, "ann");
		List<StompClient> subscribers = subscribed("/topic/failing", ann, connect(other, "bob"));
		BUSES.fail(new BusUnavailableException("unavailable", false, null));
		assertThatExceptionOfType(MessageDeliveryException.class)
			.isThrownBy(() -> template(one).convertAndSend("/topic/failing", "lost"))
			.withCauseInstanceOf(BusUnavailableException.class);
		ann.send("/topic/failing", "lost");
		subscribed("/topic/failing", ann);
		BUSES.restore();
		ann.send("/topic/failing", "found");
		assertThat(ann.next(2)).as("as subscribed twice").containsExactly("found", "found");
		assertReceived(subscribers.subList(1, 2), "found");
	}

	@Test
	void aClientHasNoMoreUnderWayThanWhatOneMessageHasCaused() throws Exception {
		StompClient ann = connect(one, "ann");
		List<StompClient> subscribers = subscribed("/topic/slow", ann);
		CompletableFuture<?> slow = BUSES.delay();
		int published = BUSES.published().size();
		ann.send("/topic/slow", "first");
		ann.send("/app/slow", "second");
		ann.send("/topic/slow", "fourth");
		await().until(() -> BUSES.published().size() == published + 1);
		StompClient bob = connect(one, "bob");
		bob.send("/topic/nobody", "another client");
		await().until(() -> BUSES.published().size() == published + 2);
		BUSES.restore();
		slow.complete(null);
		assertReceived(subscribers, "first", "second", "third", "fourth");
	}

	private List<StompClient> subscribed(String destination, StompClient... clients) throws Exception {
		for (StompClient client : clients) {
			client.subscribe(destination);
			waitUntilHandled(client);
		}
		return List.of(clients);
	}

	/** What a client has sent before is handled, as its messages are in order. */
	private static void waitUntilHandled(StompClient client) throws Exception {
		client.subscribe("/app/now");
		assertThat(client.next()).isEqualTo("now");
	}

	private static void assertReceived(List<StompClient> clients, String... messages) throws Exception {
		for (StompClient client : clients) {
			assertThat(client.next(messages.length)).containsExactly(messages);
		}
		assertReceivedNoMore(clients);
	}

	private static void assertReceivedNoMore(List<StompClient> clients) throws Exception {
		for (StompClient client : clients) {
			waitUntilHandled(client);
		}
	}

	private StompClient connect(ApplicationContext node, String user) throws Exception {
		StompClient client = new StompClient(port(node), "/users?" + user);
		this.clients.add(client);
		return client;
	}

	private static int port(ApplicationContext node) {
		return ((WebServerApplicationContext) node).getWebServer().getPort();
	}

	private static SimpMessagingTemplate template(ApplicationContext node) {
		return node.getBean("brokerMessagingTemplate", SimpMessagingTemplate.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ StompBroker.class, Conversations.class })
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Bean
		ClusterBus clusterBus() {
			return BUSES.connect();
		}

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/users").setHandshakeHandler(new DefaultHandshakeHandler() {

				@Override
				protected Principal determineUser(ServerHttpRequest request, WebSocketHandler handler,
						Map<String, Object> attributes) {
					return request.getURI()::getQuery;
				}

			});
		}

	}

	@Controller
	static class Conversations {

		private final SimpMessagingTemplate template;

		Conversations(@Lazy SimpMessagingTemplate template) {
			this.template = template;
		}

		@MessageMapping("/said")
		@SendTo("/topic/said")
		String said(String message) {
			return message;
		}

		@MessageMapping("/mine")
		@SendToUser("/queue/mine")
		String mine(String message) {
			return message;
		}

		@MessageMapping("/reply")
		@SendToUser(destinations = "/queue/reply", broadcast = false)
		String reply(String message) {
			return message;
		}

		@MessageMapping("/order")
		@SendTo("/topic/order")
		String order(String message) {
			return message;
		}

		@MessageMapping("/slow")
		void slow(String message) {
			this.template.convertAndSend("/topic/slow", message);
			this.template.convertAndSend("/topic/slow", "third");
		}

		@SubscribeMapping("/now")
		String now() {
			return "now";
		}

	}

}
