package dev.sluice.autoconfigure.cluster;

import java.security.Principal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What subscribers of destinations of two nodes get who come back, whatever the bus.
 * Clients are raw, so that their frames are seen.
 */
@Tag("sockets")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StompResumeContract {

	private static final int RETURNS = Boolean.getBoolean("sluice.test.full") ? 1000 : 15;

	private final List<Client> clients = new ArrayList<>();

	abstract ConfigurableApplicationContext one();

	abstract ConfigurableApplicationContext other();

	@AfterEach
	void disconnect() {
		this.clients.forEach((client) -> client.socket.abort());
		this.clients.clear();
	}

	@Test
	void whatWasMissedFollowsTheReceiptAndWhatIsNewFollowsThatAtAnyNode() throws Exception {
		Client client = connect(one(), "ann");
		client.subscribe("/topic/news", null);
		assertThat(client.next().headers).containsEntry("command", "RECEIPT")
			.containsKey("position")
			.doesNotContainKey("recovered");
		send(one(), "/topic/news", "first");
		Frame first = client.next();
		assertThat(first.headers).containsKey("position").doesNotContainKey("replayed");
		client.socket.abort();
		send(one(), "/topic/news", "second");
		send(other(), "/topic/news", "third");
		send(other(), "/topic/old", "of another destination");

		Client back = connect(other(), "ann");
		back.subscribe("/topic/news", first.position());
		assertThat(back.next().headers).containsEntry("command", "RECEIPT")
			.containsEntry("receipt-id", "r")
			.containsEntry("recovered", "true")
			.containsEntry("position", first.position());
		List<Frame> replayed = List.of(back.next(), back.next());
		send(one(), "/topic/news", "fourth");
		Frame fresh = back.next();
		assertThat(replayed).extracting(Frame::body).containsExactly("second", "third");
		assertThat(replayed).allSatisfy((frame) -> assertThat(frame.headers).containsEntry("replayed", "true")
			.containsEntry("destination", "/topic/news")
			.containsEntry("subscription", "s"));
		assertThat(fresh.body).isEqualTo("fourth");
		assertThat(fresh.headers).doesNotContainKey("replayed");
	}

	@Test
	void whoHasMissedNothingGoesOn() throws Exception {
		Client client = connect(one(), "ann");
		client.subscribe("/topic/quiet", null);
		client.next();
		send(one(), "/topic/quiet", "first");
		String position = client.next().position();
		client.socket.abort();
		Client back = connect(other(), "ann");
		back.subscribe("/topic/quiet", position);
		Frame receipt = back.next();
		assertThat(receipt.headers).containsEntry("recovered", "true");
		send(other(), "/topic/quiet", "second");
		assertThat(back.next().body).isEqualTo("second");
	}

	@Test
	void thePositionOfAReceiptIsGoodWhereNothingWasPublished() throws Exception {
		for (String destination : List.of("/topic/never", "/user/queue/never")) {
			Client client = connect(one(), "ann");
			client.subscribe(destination, null);
			String position = client.next().position();
			client.socket.abort();
			Client back = connect(other(), "ann");
			back.subscribe(destination, position);
			assertThat(back.next().headers).containsEntry("recovered", "true");
			back.socket.abort();
			if (destination.startsWith("/topic")) {
				send(one(), destination, "first");
			}
			else {
				template(one()).convertAndSendToUser("ann", "/queue/never", "first");
			}
			Client again = connect(one(), "ann");
			again.subscribe(destination, position);
			assertThat(again.next().headers).containsEntry("recovered", "true");
			assertThat(again.next().body).isEqualTo("first");
		}
	}

	@Test
	void aUserGetsWhatWasMissedAndNobodyElseDoes() throws Exception {
		Client client = connect(one(), "ann");
		client.subscribe("/user/queue/paid", null);
		client.next();
		sendToUser(other(), "ann", "first");
		String position = client.next().position();
		client.socket.abort();
		sendToUser(one(), "ann", "second");
		sendToUser(one(), "bob", "of bob");
		Client bob = connect(one(), "bob");
		bob.subscribe("/user/queue/paid", position);
		bob.next();
		Client back = connect(other(), "ann");
		back.subscribe("/user/queue/paid", position);
		assertThat(back.next().headers).containsEntry("recovered", "true");
		Frame second = back.next();
		assertThat(second.body).isEqualTo("second");
		assertThat(second.headers).containsEntry("destination", "/user/queue/paid").containsEntry("replayed", "true");
		sendToUser(one(), "ann", "third");
		assertThat(back.next().body).isEqualTo("third");
		sendToUser(one(), "bob", "last");
		assertThat(bob.nextUntil("last")).extracting(Frame::body).isSubsetOf("of bob", "last");
	}

	@Test
	void whatIsNotThereAnyMoreIsNotRecovered() throws Exception {
		send(one(), "/topic/made", "up");
		for (String position : List.of("0", "1.made.up", "no position", "p".repeat(600))) {
			Client client = connect(one(), "ann");
			client.subscribe("/topic/made", position);
			Frame receipt = client.next();
			assertThat(receipt.headers).as(position).containsEntry("recovered", "false").containsKey("position");
			send(other(), "/topic/made", "new");
			assertThat(client.next().body).isEqualTo("new");
			client.socket.abort();
		}
	}

	@Test
	void whatIsMoreThanIsKeptForOneClientIsNotRecovered() throws Exception {
		Client client = connect(one(), "ann");
		client.subscribe("/topic/large", null);
		client.next();
		send(one(), "/topic/large", "first");
		String position = client.next().position();
		client.socket.abort();
		for (int number = 0; number < 3; number++) {
			send(one(), "/topic/large", "x".repeat(50_000));
		}
		Client back = connect(other(), "ann");
		back.subscribe("/topic/large", position);
		assertThat(back.next().headers).containsEntry("recovered", "false");
		send(other(), "/topic/large", "new");
		assertThat(back.next().body).isEqualTo("new");
	}

	@Test
	void aPatternIsNotRecovered() throws Exception {
		Client client = connect(one(), "ann");
		client.subscribe("/topic/pattern.*", "1.b.1");
		assertThat(client.next().headers).containsEntry("recovered", "false").doesNotContainKey("position");
		send(other(), "/topic/pattern.x", "new");
		assertThat(client.next().body).isEqualTo("new");
	}

	/** And cannot be told by another client that something is replayed, or where. */
	@Test
	void whoAsksForNothingSeesPlainStomp() throws Exception {
		Client client = connect(one(), "ann");
		client.socket.send("SUBSCRIBE\nid:s\ndestination:/topic/plain\n\n\0");
		client.socket.send("SUBSCRIBE\nid:x\ndestination:/other/plain\nreceipt:r\nposition:1.b.1\n\n\0");
		client.socket
			.send("SEND\ndestination:/topic/plain\nreplayed:true\nrecovered:true\nposition:1.evil\ncolour:red\n\nhi\0");
		Frame message = client.next();
		assertThat(message.body).isEqualTo("hi");
		assertThat(message.headers).containsEntry("command", "MESSAGE")
			.containsEntry("colour", "red")
			.doesNotContainKey("replayed");
		assertThat(message.position()).isNotEqualTo("1.evil");
	}

	@Test
	void aSubscriptionThatIsEndedAtOnceGetsNothingMore() throws Exception {
		Client client = connect(one(), "ann");
		client.subscribe("/topic/ended", null);
		client.socket.send("UNSUBSCRIBE\nid:s\n\n\0");
		client.socket.send("SUBSCRIBE\nid:t\ndestination:/topic/more\nreceipt:r\n\n\0");
		assertThat(client.next().headers).containsEntry("command", "RECEIPT");
		assertThat(client.next().headers).containsEntry("command", "RECEIPT");
		send(one(), "/topic/ended", "not for it");
		send(one(), "/topic/more", "for it");
		assertThat(client.next().body).isEqualTo("for it");
	}

	/** Against all that was published, while it is published at both nodes. */
	@Test
	void nothingIsMissingOrDoubledHoweverOftenAClientComesBack() throws Exception {
		Client witness = connect(one(), "witness");
		witness.subscribe("/topic/oracle", null);
		witness.next();
		AtomicBoolean stopped = new AtomicBoolean();
		CompletableFuture<List<String>> publishing = CompletableFuture.supplyAsync(() -> {
			List<String> published = new ArrayList<>();
			int sent = 0;
			while (!stopped.get()) {
				for (int burst = 0; burst < 20; burst++) {
					template((sent % 2 == 0) ? one() : other()).convertAndSend("/topic/oracle", "m" + sent++);
				}
				while (published.size() < sent) {
					published.add(witness.uninterrupted().body);
				}
			}
			return published;
		}, (task) -> new Thread(task, "publisher").start());
		Random random = new Random(42);
		List<String> received = new ArrayList<>();
		String position = null;
		try {
			for (int round = 0; round < RETURNS; round++) {
				Client client = connect((round % 2 == 0) ? one() : other(), "ann");
				client.subscribe("/topic/oracle", position);
				Frame receipt = client.next();
				if (position == null) {
					position = receipt.position();
				}
				else if (receipt.headers.get("recovered").equals("false")) {
					received.clear();
					position = receipt.position();
				}
				for (int count = random.nextInt(60); count >= 0; count--) {
					Frame message = client.next();
					received.add(message.body);
					position = message.position();
				}
				client.socket.abort();
			}
		}
		finally {
			stopped.set(true);
		}
		List<String> published = publishing.join();
		assertThat(received).isNotEmpty();
		int start = published.indexOf(received.get(0));
		assertThat(received).isEqualTo(published.subList(start, start + received.size()));
	}

	private Client connect(ConfigurableApplicationContext node, String user) throws Exception {
		Client client = new Client(new SocketClient(port(node), "/users?" + user));
		this.clients.add(client);
		client.socket.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
		assertThat(client.next().headers).containsEntry("command", "CONNECTED");
		return client;
	}

	static int port(ConfigurableApplicationContext node) {
		return ((WebServerApplicationContext) node).getWebServer().getPort();
	}

	/** Returns when a subscriber has got it, so the bus has it. */
	void send(ConfigurableApplicationContext node, String destination, String text) throws Exception {
		Client witness = connect(node, "witness");
		witness.subscribe(destination, null);
		witness.next();
		template(node).convertAndSend(destination, text);
		assertThat(witness.next().body).isEqualTo(text);
		witness.socket.close();
	}

	private void sendToUser(ConfigurableApplicationContext node, String user, String text) throws Exception {
		Client witness = connect(node, user);
		witness.subscribe("/user/queue/paid", null);
		witness.next();
		template(node).convertAndSendToUser(user, "/queue/paid", text);
		assertThat(witness.next().body).isEqualTo(text);
		witness.socket.close();
	}

	private static SimpMessagingTemplate template(ConfigurableApplicationContext node) {
		return node.getBean("brokerMessagingTemplate", SimpMessagingTemplate.class);
	}

	/** A client of one subscription. */
	private record Client(SocketClient socket) {

		void subscribe(String destination, String position) {
			this.socket.send("SUBSCRIBE\nid:s\nreceipt:r\ndestination:" + destination
					+ ((position != null) ? "\nposition:" + position : "") + "\n\n\0");
		}

		Frame next() throws InterruptedException {
			String text = this.socket.next();
			while (text.equals("\n")) {
				text = this.socket.next();
			}
			return Frame.read(text);
		}

		Frame uninterrupted() {
			try {
				return next();
			}
			catch (InterruptedException ex) {
				throw new AssertionError(ex);
			}
		}

		List<Frame> nextUntil(String body) throws InterruptedException {
			List<Frame> frames = new ArrayList<>(List.of(next()));
			while (!frames.get(frames.size() - 1).body.equals(body)) {
				frames.add(next());
			}
			return frames;
		}

	}

	/**
	 * A frame of the server.
	 *
	 * @param headers its headers, and its command
	 */
	private record Frame(Map<String, String> headers, String body) {

		static Frame read(String text) {
			int end = text.indexOf("\n\n");
			Map<String, String> headers = new LinkedHashMap<>();
			text.substring(0, end)
				.lines()
				.skip(1)
				.forEach((line) -> headers.putIfAbsent(line.substring(0, line.indexOf(':')),
						line.substring(line.indexOf(':') + 1)));
			headers.put("command", text.substring(0, text.indexOf('\n')));
			return new Frame(headers, text.substring(end + 2, text.length() - 1));
		}

		String position() {
			return this.headers.get("position");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(StompBroker.class)
	static class Application implements WebSocketMessageBrokerConfigurer {

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

}
