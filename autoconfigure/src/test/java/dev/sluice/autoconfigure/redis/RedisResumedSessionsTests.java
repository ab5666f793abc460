package dev.sluice.autoconfigure.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.sluice.autoconfigure.fixture.CuttableNetwork;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions that resume at another application over Redis, on real sockets. */
@Tag("redis")
class RedisResumedSessionsTests {

	/** Of an answer of Redis, and of another node. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static RedisServer server;

	private static int port;

	private static Node one;

	private static Node other;

	@BeforeAll
	static void start() throws IOException {
		for (int attempt = 0; server == null || !server.isActive(); attempt++) {
			try (ServerSocket socket = new ServerSocket(0)) {
				port = socket.getLocalPort();
			}
			try {
				server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
				server.start();
			}
			catch (IOException ex) {
				if (attempt == 9) {
					throw ex;
				}
			}
		}
		one = Node.start(port);
		other = Node.start(port);
	}

	@AfterAll
	static void stop() throws IOException {
		one.close();
		other.close();
		server.stop();
	}

	/** A node whose network was cut is known to others for the rest of its lease. */
	@BeforeEach
	void awaitNodes() {
		Awaitility.await()
			.atMost(SocketClient.PATIENCE)
			.ignoreExceptions()
			.until(() -> one.hearsAll() && other.hearsAll());
	}

	@Test
	void aClientGoesOnAtAnotherApplicationWithTopicsAndDirectMessages() throws InterruptedException {
		Client client = new Client();
		client.begin(one);
		one.publish("t0");
		client.ask("d1", "d2");
		client.readUntil("t0", "d1", "d2");
		client.connection.abort();
		one.publish("t1");
		JsonNode resumed = client.resume(other, 1);
		assertThat(resumed.path("recovered").path("all").asBoolean()).isTrue();
		assertThat(resumed.path("direct").asBoolean()).isTrue();
		other.publish("t2");
		client.ask("d3");
		client.readUntil("t1", "d2", "t2", "d3");
		client.connection.close();
	}

	@Test
	void aSessionWhoseApplicationIsLostGoesOnWithItsTopics() throws InterruptedException {
		Client client = new Client();
		client.begin(one);
		client.ask("d1");
		client.readUntil("d1");
		client.resume(other, 1);
		client.connection.send("{\"type\":\"ack\",\"seq\":1}");
		client.ask("d2");
		client.readUntil("d2");
		other.network.cut();
		try {
			client.connection.abort();
			one.publish("t1");
			JsonNode resumed = client.resume(one, 2);
			assertThat(resumed.path("recovered").path("all").asBoolean()).isTrue();
			assertThat(resumed.path("direct").asBoolean()).isFalse();
			one.publish("t2");
			client.readUntil("t1", "t2");
			client.connection.close();
		}
		finally {
			other.network.repair();
		}
	}

	/**
	 * A claim and a write, which are scripts of two commands, a request to the previous
	 * node and a check; and the answer of that node, as it lives. A heartbeat may fall
	 * into some of the rounds.
	 */
	@Test
	void aResumeTakesEightCommandsAndAnAnswer() throws InterruptedException {
		Client client = new Client("/quiet");
		client.connect(one.port(), "{\"type\":\"resume\"}");
		List<Long> counts = new ArrayList<>();
		try (RedisClient redis = RedisClient.create("redis://127.0.0.1:" + port);
				StatefulRedisConnection<String, String> connection = redis.connect()) {
			for (int round = 0; round < 6; round++) {
				long sets = commands(connection, "set");
				client.connection.abort();
				Awaitility.await().until(() -> commands(connection, "set") > sets);
				long before = commands(connection, null);
				client.resume((round % 2 == 0) ? other : one, 0);
				Awaitility.await().until(() -> { // the first may come before the
													// connection is the session's
					client.connection.send("{\"type\":\"ack\",\"seq\":0}");
					return commands(connection, "set") > sets + 2;
				});
				counts.add(commands(connection, null) - before);
			}
			client.connection.close();
		}
		assertThat(counts).contains(9L).allMatch((count) -> count >= 9);
	}

	/** Returns the number of calls of a command, or of all, those of scripts included. */
	private static long commands(StatefulRedisConnection<String, String> connection, @Nullable String command) {
		return connection.sync()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith((command != null) ? "cmdstat_" + command + ":" : "cmdstat_"))
			.filter((line) -> !line.startsWith("cmdstat_info:"))
			.mapToLong((line) -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+),.*", "$1")))
			.sum();
	}

	@Test
	void theLaterOfTwoClaimsHasTheSessionAlone() throws Exception {
		for (int round = 0; round < 3; round++) {
			Client client = new Client();
			try (CuttableNetwork halfOpen = new CuttableNetwork(one.port())) {
				client.begin(halfOpen.port());
				halfOpen.loseAnswers();
				CountDownLatch working = new CountDownLatch(1);
				CountDownLatch worked = new CountDownLatch(1);
				Resumable.work = () -> {
					working.countDown();
					await(worked);
				};
				client.connection.send("{\"type\":\"work\",\"text\":\"late\"}");
				await(working);
				SocketClient first = new SocketClient(one.port(), "/resumable");
				SocketClient second = new SocketClient(other.port(), "/resumable");
				first.send(client.frame(0));
				second.send(client.frame(0));
				Awaitility.await().atMost(SocketClient.PATIENCE).until(() -> first.isClosed() != second.isClosed());
				SocketClient loser = first.isClosed() ? first : second;
				assertThat(loser.closeCode()).isIn(1013, 4409);
				client.connection = (loser == first) ? second : first;
				assertThat(client.read().path("direct").asBoolean()).isFalse();
				worked.countDown();
				client.connection.send("{\"type\":\"ack\",\"seq\":0}");
				one.publish("t" + round);
				client.ask("d1");
				client.readUntil("t" + round, "d1");
				Awaitility.await()
					.untilAsserted(
							() -> assertThat(one.cluster().find(SessionQuery.all()).join().sessions()).hasSize(1));
				client.connection.close();
				Awaitility.await()
					.untilAsserted(
							() -> assertThat(one.cluster().find(SessionQuery.all()).join().sessions()).isEmpty());
			}
		}
	}

	@Test
	@Tag("full")
	void aConnectionThatWasReplacedWhileItsNodeWasCutOffIsClosed() throws InterruptedException {
		Client client = new Client();
		client.begin(other);
		SocketClient before = client.connection;
		other.network.cut();
		client.resume(one, 0);
		assertThat(before.isClosed()).isFalse();
		other.network.repair();
		assertThat(before.closeCode()).isEqualTo(4409);
		one.publish("t1");
		client.readUntil("t1");
		client.connection.close();
	}

	@Test
	@Tag("full")
	void aQuietRoomIsRecoveredBesideABusyOne() throws InterruptedException {
		ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
		try (SocketClient busy = new SocketClient(one.port(), "/busy")) {
			busy.send("{\"type\":\"resume\"}");
			busy.next(2);
			load.scheduleAtFixedRate(() -> one.cluster().topic("busy").publish(new Text("busy")), 0, 1,
					TimeUnit.MILLISECONDS);
			Client client = new Client();
			client.begin(one);
			for (int round = 10; round < 30; round++) {
				client.connection.abort();
				one.publish("t" + round);
				JsonNode resumed = client.resume((round % 2 == 0) ? other : one, 0);
				assertThat(resumed.path("recovered").path("all").asBoolean()).isTrue();
				client.readUntil("t" + round);
			}
			client.connection.close();
			assertThat(busy.next(1_000)).hasSize(1_000);
		}
		finally {
			load.shutdownNow();
		}
	}

	@Test
	@Tag("full")
	void aTokenStaysGoodWhereRedisDoesNotAnswer() throws InterruptedException {
		Client client = new Client();
		client.begin(one);
		client.connection.abort();
		other.network.loseAnswers();
		try {
			long before = System.nanoTime();
			SocketClient rejected = new SocketClient(other.port(), "/resumable");
			rejected.send(client.frame(0));
			assertThat(rejected.closeCode()).isEqualTo(1013);
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TIMEOUT.multipliedBy(5));
		}
		finally {
			other.network.repair();
		}
		one.publish("t1");
		JsonNode resumed = client.resume(one, 0);
		assertThat(resumed.path("recovered").path("all").asBoolean()).isTrue();
		client.readUntil("t1");
		client.connection.close();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(SocketClient.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	@Tag("full")
	void aClientThatStallsCatchesUpFromTheHistory() throws InterruptedException {
		Client client = new Client();
		client.begin(one);
		client.connection.stopReading();
		List<CompletableFuture<Delivery>> posted = new ArrayList<>();
		Awaitility.await().atMost(SocketClient.PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
			posted.add(one.cluster().topic("all").post(new Text("x".repeat(30_000) + posted.size())));
			// not faster than Redis takes it
			one.cluster().find(SessionQuery.ofPrincipal("nobody")).join();
			return posted.stream().anyMatch((post) -> post.isDone() && post.join().failed() > 0);
		});
		one.publish("last");
		client.connection.resumeReading();
		for (int number = 0; number < posted.size(); number++) {
			assertThat(client.read().path("text").asString("")).isEqualTo("x".repeat(30_000) + number);
		}
		assertThat(client.read().path("text").asString("")).isEqualTo("last");
		client.connection.close();
	}

	/** A client, and what it knows. */
	private static final class Client {

		private final List<String> unread = new ArrayList<>();

		private SocketClient connection;

		private String token = "";

		private String at = "";

		private final String path;

		Client() {
			this("/resumable");
		}

		Client(String path) {
			this.path = path;
		}

		void begin(Node node) throws InterruptedException {
			begin(node.port());
		}

		void begin(int port) throws InterruptedException {
			assertThat(connect(port, "{\"type\":\"resume\"}").path("type").asString()).isEqualTo("session");
			assertThat(this.token).isNotEmpty();
			assertThat(read().path("type").asString()).isEqualTo("joined");
		}

		JsonNode connect(int port, String frame) throws InterruptedException {
			this.connection = new SocketClient(port, this.path);
			this.connection.send(frame);
			return read();
		}

		JsonNode resume(Node node, long received) throws InterruptedException {
			JsonNode resumed = connect(node.port(), frame(received));
			assertThat(resumed.path("type").asString()).isEqualTo("resumed");
			return resumed;
		}

		String frame(long received) {
			String positions = this.at.isEmpty() ? "" : "\"all\":\"%s\"".formatted(this.at);
			return "{\"type\":\"resume\",\"token\":\"%s\",\"at\":{%s},\"seq\":%d}".formatted(this.token, positions,
					received);
		}

		void ask(String... texts) {
			for (String text : texts) {
				this.connection.send("{\"type\":\"ask\",\"text\":\"" + text + "\"}");
			}
		}

		/** Reads these texts and no others, in the order of those of the topic. */
		void readUntil(String... texts) throws InterruptedException {
			while (this.unread.size() < texts.length) {
				read();
			}
			assertThat(this.unread).containsExactlyInAnyOrder(texts);
			assertThat(this.unread.stream().filter((text) -> text.startsWith("t"))).isSorted();
			this.unread.clear();
		}

		private JsonNode read() throws InterruptedException {
			JsonNode frame = JsonMapper.shared().readTree(this.connection.next());
			this.token = frame.path("token").asString(this.token);
			this.at = frame.path("at").asString(this.at);
			if (frame.has("text")) {
				this.unread.add(frame.path("text").asString());
			}
			return frame;
		}

	}

	/** An application, and its network to Redis. */
	private record Node(CuttableNetwork network, ConfigurableApplicationContext context) implements AutoCloseable {

		static Node start(int redis) throws IOException {
			CuttableNetwork network = new CuttableNetwork(redis);
			return new Node(network,
					new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
						.properties("server.port=0", "sluice.cluster.type=redis", "sluice.cluster.history.size=5000",
								"sluice.websocket.outbound.overflow=catch-up",
								"sluice.cluster.timeout=" + TIMEOUT.toSeconds() + "s",
								"spring.data.redis.url=redis://127.0.0.1:" + network.port())
						.run());
		}

		int port() {
			return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		}

		SessionCluster cluster() {
			return this.context.getBean(SessionCluster.class);
		}

		boolean hearsAll() {
			return cluster().nodes().size() == 2 && cluster().find(SessionQuery.all()).join().silentNodes().isEmpty();
		}

		void publish(String text) {
			cluster().topic("all").publish(new Text(text)).join();
		}

		@Override
		public void close() throws IOException {
			this.context.close();
			this.network.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Resumable.class, Busy.class, Quiet.class })
	static class Application {

	}

	@WebSocketEndpoint(path = "/resumable", topics = "all", resumable = true)
	static class Resumable extends ManagedSession {

		private static volatile Runnable work = () -> {
		};

		@OnMessage("ask")
		Text ask(Text text) {
			return text;
		}

		@OnMessage("work")
		Text work(Text text) {
			work.run();
			return text;
		}

	}

	@WebSocketEndpoint(path = "/busy", topics = "busy", resumable = true)
	static class Busy extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/quiet", resumable = true)
	static class Quiet extends ManagedSession {

	}

	record Text(String text) {
	}

}
