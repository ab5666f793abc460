package dev.sluice.autoconfigure.websocket;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Sessions that resume, on real sockets. */
@Tag("sockets")
class ResumedSessionsTests {

	private static final int ROUNDS = 40;

	@Test
	void aClientThatIsCutAgainAndAgainGetsAllInOrder() throws InterruptedException {
		try (ConfigurableApplicationContext context = start()) {
			SessionCluster cluster = context.getBean(SessionCluster.class);
			Random random = new Random(8);
			Known known = new Known();
			SocketClient client = connect(context);
			client.send("{\"type\":\"resume\"}");
			assertThat(known.read(client).path("type").asString()).isEqualTo("session");
			known.read(client);
			int published = 0;
			int asked = 0;
			for (int round = 0; round < ROUNDS; round++) {
				for (int message = random.nextInt(5); message >= 0; message--) {
					cluster.topic("all").publish(new Text("t" + published++)).join();
					client.send("{\"type\":\"ask\",\"text\":\"d" + asked++ + "\"}");
				}
				while (known.direct.size() < asked) {
					known.read(client);
				}
				client.abort();
				client = connect(context);
				client.send(known.resume());
				JsonNode resumed = known.read(client);
				assertThat(resumed.path("type").asString()).isEqualTo("resumed");
				assertThat(resumed.path("direct").asBoolean()).isTrue();
				assertThat(resumed.path("recovered").path("all").asBoolean()).isTrue();
				client.send("{\"type\":\"ack\",\"seq\":" + known.seq + "}");
			}
			while (known.topic.size() < published) {
				known.read(client);
			}
			for (int number = 0; number < published; number++) {
				assertThat(known.topic.get(number)).isEqualTo("t" + number);
				assertThat(known.direct.get(number)).isEqualTo("d" + number);
			}
			client.close();
		}
	}

	@Test
	void theLaterConnectionWins() throws InterruptedException {
		try (ConfigurableApplicationContext context = start()) {
			Known known = new Known();
			SocketClient first = connect(context);
			first.send("{\"type\":\"resume\"}");
			known.read(first);
			known.read(first);
			SocketClient second = connect(context);
			second.send(known.resume());
			assertThat(known.read(second).path("type").asString()).isEqualTo("resumed");
			assertThat(first.closeCode()).isEqualTo(4409);
			second.close();
		}
	}

	/** The first connection is open, as one is of which nobody has heard the end. */
	@Test
	void aConnectionIsNotRejectedForTheOneThatItReplaces() throws InterruptedException {
		try (ConfigurableApplicationContext context = start("sluice.websocket.max-sessions-per-address=1")) {
			Known known = new Known();
			SocketClient first = connect(context);
			first.send("{\"type\":\"resume\"}");
			known.read(first);
			known.read(first);
			SocketClient second = connect(context);
			second.send(known.resume());
			assertThat(known.read(second).path("type").asString()).isEqualTo("resumed");
			assertThat(first.closeCode()).isEqualTo(4409);
			SocketClient third = connect(context);
			third.send("{\"type\":\"resume\"}");
			assertThat(third.closeCode()).isEqualTo(1013);
			second.close();
		}
	}

	@Test
	void aNodeThatStopsSaysGoodbyeToEachAndClosesWithGoingAway() throws InterruptedException {
		ConfigurableApplicationContext context = start("sluice.websocket.shutdown-timeout=4s");
		List<SocketClient> clients = new ArrayList<>();
		for (int number = 0; number < 5; number++) {
			SocketClient client = connect(context);
			client.send("{\"type\":\"resume\"}");
			client.next(2);
			clients.add(client);
		}
		context.close();
		for (SocketClient client : clients) {
			assertThat(client.next()).isEqualTo("{\"type\":\"goodbye\",\"reconnect\":[0.1,1.0]}");
			assertThat(client.closeCode()).isEqualTo(1001);
		}
	}

	@Test
	void handshakesBeyondTheRateComeLater() {
		try (ConfigurableApplicationContext context = start("sluice.websocket.handshake-rate=1")) {
			URI uri = URI.create("ws://localhost:" + port(context) + "/resumable");
			HttpClient http = HttpClient.newHttpClient();
			assertThatThrownBy(() -> {
				for (int number = 0; number < 1_000; number++) {
					http.newWebSocketBuilder().buildAsync(uri, new java.net.http.WebSocket.Listener() {
					}).join();
				}
			}).isInstanceOf(CompletionException.class).cause().satisfies((failure) -> {
				WebSocketHandshakeException rejected = (WebSocketHandshakeException) failure;
				assertThat(rejected.getResponse().statusCode()).isEqualTo(503);
				assertThat(rejected.getResponse().headers().firstValue("Retry-After")).hasValue("1");
			});
		}
	}

	private static ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0")
			.properties(properties)
			.run();
	}

	private static SocketClient connect(ConfigurableApplicationContext context) {
		return new SocketClient(port(context), "/resumable");
	}

	private static int port(ConfigurableApplicationContext context) {
		return ((ServletWebServerApplicationContext) context).getWebServer().getPort();
	}

	/** What a client knows. */
	private static final class Known {

		private final List<String> topic = new ArrayList<>();

		private final List<String> direct = new ArrayList<>();

		private String at = "";

		private String token = "";

		private long seq;

		JsonNode read(SocketClient client) throws InterruptedException {
			JsonNode frame = JsonMapper.shared().readTree(client.next());
			if (frame.has("token")) {
				this.token = frame.path("token").asString();
			}
			if (frame.has("seq")) {
				if (frame.path("seq").asLong() > this.seq) {
					this.seq = frame.path("seq").asLong();
					this.direct.add(frame.path("text").asString());
				}
			}
			else if (frame.has("at")) {
				this.at = frame.path("at").asString();
				if (frame.has("text")) {
					this.topic.add(frame.path("text").asString());
				}
			}
			return frame;
		}

		String resume() {
			return "{\"type\":\"resume\",\"token\":\"%s\",\"at\":{\"all\":\"%s\"},\"seq\":%d}".formatted(this.token,
					this.at, this.seq);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Resumable.class)
	static class Application {

	}

	@WebSocketEndpoint(path = "/resumable", topics = "all", resumable = true)
	static class Resumable extends ManagedSession {

		@OnMessage("ask")
		Text ask(Text text) {
			return text;
		}

	}

	record Text(String text) {
	}

}
