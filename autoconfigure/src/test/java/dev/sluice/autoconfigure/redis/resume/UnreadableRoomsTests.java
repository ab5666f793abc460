package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.test.socket.SocketClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clients that resume at another application where another program has written to the
 * history, the outbox or the record in Redis: each gets what is behind the unreadable
 * entries, with a gap in the place of each, the log has one line for each kind, and no
 * byte of the total buffer stays reserved.
 */
@Tag("redis")
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class UnreadableRoomsTests {

	private static final String[] PROPERTIES = { "sluice.cluster.resume.outbox=redis", "sluice.cluster.timeout=15s",
			"sluice.websocket.shutdown-timeout=1s" };

	private static final int CLIENTS = 3;

	@Test
	void whatIsBehindUnreadableEntriesIsDelivered(CapturedOutput output) throws Exception {
		try (RoomServer redis = new RoomServer();
				RoomApplication other = RoomApplication.start(redis.port(), PROPERTIES)) {
			List<Client> clients = new ArrayList<>();
			try (RoomApplication one = RoomApplication.start(redis.port(), PROPERTIES)) {
				await().atMost(Duration.ofSeconds(30)).until(() -> other.hears(2));
				for (int number = 0; number < CLIENTS; number++) {
					clients.add(new Client(one));
				}
				List<SessionInfo> sessions = other.cluster().find(SessionQuery.all()).join().sessions();
				sessions.forEach((session) -> {
					for (int number = 11; number <= 14; number++) {
						other.cluster().post(SessionQuery.ofId(session.id()), new RoomApplication.Text(number));
					}
				});
				for (Client client : clients) {
					client.readUntil(14);
					client.seq = 0;
					client.connection.abort();
				}
				publish(other, 1, 6);
				await().until(() -> one.cluster().snapshot(0).resume().suspended() == CLIENTS);
			}
			plant(redis, (commands) -> {
				String history = commands.keys("*{t:room-x}").get(0);
				commands.lset(history, -3, "garbage");
				commands.lset(history, -4, "");
				commands.keys("*:session").forEach((record) -> {
					String kept = commands.get(record);
					String changed = kept.replaceAll("\\{[^{}]{0,40}\\\\\"text\\\\\":12", "garbage");
					assertThat(changed).isNotEqualTo(kept);
					commands.set(record, changed);
				});
			});

			for (Client client : clients) {
				JsonNode resumed = client.resume(other);
				assertThat(resumed.path("direct").asBoolean()).isFalse();
				assertThat(client.readUntil(6, 14)).containsSubsequence("1", "2", "gap", "gap", "5", "6")
					.containsSubsequence("11", "13", "14")
					.hasSize(9);
				client.connection.send("{\"type\":\"ack\",\"seq\":" + client.seq + "}");
			}
			await().atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(other.cluster().snapshot(0).resume().bytes()).isZero());
			publish(other, 7, 7);
			for (Client client : clients) {
				assertThat(client.readUntil(7)).containsExactly("7");
				client.connection.abort();
			}
			assertThat(lines(output)).hasSize(2)
				.anyMatch((line) -> line.contains("TopicPayload"))
				.anyMatch((line) -> line.contains("ResumableSessions"));
		}
	}

	@Test
	void unreadableRecordIsANewSession(CapturedOutput output) throws Exception {
		try (RoomServer redis = new RoomServer();
				RoomApplication other = RoomApplication.start(redis.port(), PROPERTIES)) {
			List<Client> clients = new ArrayList<>();
			try (RoomApplication one = RoomApplication.start(redis.port(), PROPERTIES)) {
				await().atMost(Duration.ofSeconds(30)).until(() -> other.hears(2));
				for (int number = 0; number < CLIENTS; number++) {
					clients.add(new Client(one));
				}
				clients.forEach((client) -> client.connection.abort());
				await().until(() -> one.cluster().snapshot(0).resume().suspended() == CLIENTS);
			}
			plant(redis, (commands) -> commands.keys("*:session").forEach((record) -> commands.set(record, "garbage")));

			for (Client client : clients) {
				client.connection = new SocketClient(other.port(), "/rooms/x");
				client.connection.send(client.frame());
				JsonNode first = client.read();
				assertThat(first.path("type").asString()).isEqualTo("session");
				assertThat(first.path("rejected").asString()).isEqualTo("expired");
			}
			publish(other, 7, 7);
			for (Client client : clients) {
				assertThat(client.readUntil(7)).containsExactly("7");
				client.connection.close();
			}
			await().atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(other.cluster().snapshot(0).resume().bytes()).isZero());
			assertThat(lines(output)).singleElement().asString().contains("Records of sessions cannot be read");
		}
	}

	private static void publish(RoomApplication application, int from, int to) {
		for (int number = from; number <= to; number++) {
			application.cluster().topic("room-x").publish(new RoomApplication.Text(number)).join();
		}
	}

	private static void plant(RoomServer redis, Consumer<RedisCommands<String, String>> action) {
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + redis.port());
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			action.accept(connection.sync());
		}
		finally {
			client.shutdown();
		}
	}

	/** Returns warnings and errors, as the applications log nothing else. */
	private static List<String> lines(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains(" WARN ") || line.contains(" ERROR ")).toList();
	}

	/** A client, and what it has been sent. */
	private static final class Client {

		private SocketClient connection;

		private String token = "";

		private String at = "";

		private long seq;

		Client(RoomApplication application) throws InterruptedException {
			this.connection = new SocketClient(application.port(), "/rooms/x");
			this.connection.send("{\"type\":\"resume\"}");
			assertThat(read().path("type").asString()).isEqualTo("session");
			assertThat(read().path("type").asString()).isEqualTo("joined");
		}

		JsonNode resume(RoomApplication application) throws InterruptedException {
			this.connection = new SocketClient(application.port(), "/rooms/x");
			this.connection.send(frame());
			JsonNode resumed = read();
			assertThat(resumed.path("type").asString()).isEqualTo("resumed");
			return resumed;
		}

		String frame() {
			return "{\"type\":\"resume\",\"token\":\"%s\",\"at\":{\"room-x\":\"%s\"},\"seq\":%d}".formatted(this.token,
					this.at, this.seq);
		}

		/** Reads until all of these texts have come; returns texts and gaps. */
		List<String> readUntil(Integer... texts) throws InterruptedException {
			List<String> all = new ArrayList<>();
			while (!all.containsAll(List.of(texts).stream().map(String::valueOf).toList())) {
				JsonNode frame = read();
				if (frame.has("text")) {
					all.add(frame.path("text").asString());
				}
				else if (frame.path("type").asString("").equals("gap")) {
					all.add("gap");
				}
			}
			return all;
		}

		private JsonNode read() throws InterruptedException {
			JsonNode frame = JsonMapper.shared().readTree(this.connection.next());
			this.token = frame.path("token").asString(this.token);
			this.at = frame.path("at").asString(this.at);
			this.seq = frame.path("seq").asLong(this.seq);
			return frame;
		}

	}

}
