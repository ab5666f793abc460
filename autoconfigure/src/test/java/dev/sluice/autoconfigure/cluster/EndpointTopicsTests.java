package dev.sluice.autoconfigure.cluster;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicHistory;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Typed sessions that join topics by their annotation, over a bus that may be late. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "rooms.prefix=room")
class EndpointTopicsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private LateBus bus;

	@Autowired
	private SessionCluster cluster;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	@SluiceInbound
	private SequentialLeveledTaskExecutor inbound;

	@AfterEach
	void end() {
		this.bus.joining = null;
		this.bus.unavailable = false;
		await().until(() -> this.sessions.count() == 0);
	}

	@Test
	void aSessionJoinsTheTopicsOfItsPathAndLeavesThemByEnding() throws Exception {
		SocketClient eight = connect("/rooms/8");
		try (SocketClient seven = connect("/rooms/7")) {
			await().until(() -> membersOf("room-7") == 1 && membersOf("room-8") == 1 && membersOf("lobby") == 2);
			assertThat(this.cluster.topic("room-7").post("seven")).succeedsWithin(SocketClient.PATIENCE)
				.returns(1, (delivery) -> delivery.sent());
			assertThat(this.cluster.topic("lobby").post("all")).succeedsWithin(SocketClient.PATIENCE)
				.returns(2, (delivery) -> delivery.sent());
			assertThat(seven.next()).contains("\"data\":\"seven\",\"topic\":\"room-7\"");
			assertThat(seven.next()).contains("\"data\":\"all\",\"topic\":\"lobby\"");
			assertThat(eight.next()).contains("\"data\":\"all\",\"topic\":\"lobby\"");
			eight.close();
			await().until(() -> membersOf("room-8") == 0 && membersOf("lobby") == 1);
		}
	}

	@Test
	void aSessionHasJoinedWhenItsFirstMessageIsHandled() throws Exception {
		CompletableFuture<@Nullable Void> joining = new CompletableFuture<>();
		this.bus.joining = joining;
		try (SocketClient client = connect("/rooms/late")) {
			client.send("{\"type\":\"say\",\"text\":\"hello\"}");
			await()
				.until(() -> this.bus.asked.contains("t:room-late") && this.inbound.snapshot(0).waitingNormal() == 1);
			joining.complete(null);
			assertThat(client.next()).contains("\"type\":\"said\",\"text\":\"hello\",\"topic\":\"room-late\"");
		}
	}

	@Test
	void aSessionThatCannotJoinIsClosed() {
		this.bus.unavailable = true;
		try (SocketClient client = connect("/rooms/9")) {
			assertThat(client.closeCode()).isEqualTo(1013);
			assertThat(client.closeReason()).isEqualTo("Topics are unavailable");
		}
		await().until(() -> this.cluster.snapshot(0).topics() == 0);
	}

	@Test
	void aTopicWhoseNameAClientMakesTooLongClosesItsSession() {
		SocketClient fits = connect("/rooms/" + "x".repeat(250));
		try (SocketClient client = connect("/rooms/" + "x".repeat(251))) {
			assertThat(client.closeCode()).isEqualTo(1008);
			assertThat(client.closeReason()).isEqualTo("Topic name is too long");
			await().until(() -> membersOf("room-" + "x".repeat(250)) == 1);
		}
		fits.close();
	}

	@Test
	void aVariableIsTakenAsItIs() {
		SocketClient client = connect("/rooms/%7Broom%7D$1%C3%BC");
		await().until(() -> membersOf("room-{room}$1\u00fc") == 1);
		client.close();
	}

	private int membersOf(String topic) {
		return this.cluster.snapshot(topic).map((found) -> found.members()).orElse(0);
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	record Said(String type, String text) {

	}

	record Say(String text) {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = { "${rooms.prefix}-{room}", "lobby" })
	static class RoomSession extends ManagedSession {

		private final SessionCluster cluster;

		RoomSession(SessionCluster cluster) {
			this.cluster = cluster;
		}

		@OnMessage
		void say(Say message) {
			this.cluster.topic("room-" + pathVariables().get("room")).publish(new Said("said", message.text()));
		}

	}

	/** A bus that answers who joins when a test says so, or never. */
	static class LateBus implements ClusterBus {

		private final ClusterBus bus = new MemoryBus().connect();

		final Set<String> asked = ConcurrentHashMap.newKeySet();

		volatile @Nullable CompletableFuture<@Nullable Void> joining;

		volatile boolean unavailable;

		@Override
		public String node() {
			return this.bus.node();
		}

		@Override
		public Set<String> nodes() {
			return this.bus.nodes();
		}

		@Override
		public void start(BusListener listener) {
			this.bus.start(listener);
		}

		@Override
		public CompletableFuture<Boolean> send(String node, String frame) {
			return this.bus.send(node, frame);
		}

		@Override
		public CompletableFuture<Set<String>> broadcast(String frame) {
			return this.bus.broadcast(frame);
		}

		@Override
		public CompletableFuture<@Nullable Position> join(String name) {
			this.asked.add(name);
			CompletableFuture<@Nullable Void> late = this.joining;
			if (this.unavailable) {
				return CompletableFuture.failedFuture(new BusUnavailableException("unavailable", false, null));
			}
			return Objects.requireNonNullElse(late, CompletableFuture.<@Nullable Void>completedFuture(null))
				.thenCompose((nothing) -> this.bus.join(name));
		}

		@Override
		public CompletableFuture<@Nullable Void> leave(String name) {
			return this.bus.leave(name);
		}

		@Override
		public CompletableFuture<Set<String>> route(String name, String frame) {
			return this.bus.route(name, frame);
		}

		@Override
		public CompletableFuture<Published> publish(Publication publication) {
			return this.bus.publish(publication);
		}

		@Override
		public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
			return this.bus.read(name, known);
		}

		@Override
		public void close() {
			this.bus.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(RoomSession.class)
	static class Application {

		@Bean
		LateBus bus() {
			return new LateBus();
		}

	}

}
