package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.client.ClientListener;
import dev.sluice.client.ClientMessage;
import dev.sluice.client.NewSession;
import dev.sluice.client.ResumedSession;
import dev.sluice.client.SluiceClient;
import dev.sluice.client.fixture.CuttingProxy;
import dev.sluice.client.fixture.Node;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients whose sessions resume, and an application of theirs, behind a proxy that cuts.
 */
@Tag("sockets")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResumingClientsTests {

	private static final int ROUNDS = 6;

	private static ConfigurableApplicationContext context;

	private static int port;

	private static CuttingProxy proxy;

	@BeforeAll
	static void start() throws IOException {
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0")
			.run();
		port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
		proxy = new CuttingProxy(port);
	}

	@AfterAll
	static void stop() throws IOException {
		proxy.close();
		context.close();
	}

	@Test
	void scriptIsServed() throws Exception {
		URI uri = URI.create("http://localhost:" + port + "/sluice/sluice-client.js");
		HttpResponse<String> script = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
		assertThat(script.headers().firstValue("Content-Type").orElseThrow()).contains("javascript");
		assertThat(script.body()).contains("export const connect");
	}

	@Test
	@Tag("browser")
	void clientOfBrowsersGoesOnWhereverItIsCut() throws Exception {
		try (Node node = new Node("sockets.mjs", url())) {
			talk(new Talker() {

				@Override
				public JsonNode next() {
					return JsonMapper.shared().readTree(node.line());
				}

				@Override
				public void ask(String text) throws IOException {
					node.tell("{\"type\":\"ask\",\"text\":\"" + text + "\"}");
				}

				@Override
				public void reconnect() throws IOException {
					node.tell("reconnect");
				}

			});
		}
	}

	@Test
	void clientOfJavaGoesOnWhereverItIsCut() throws Exception {
		Events events = new Events();
		try (SluiceClient client = SluiceClient.builder(URI.create(url()), events).connect()) {
			talk(new Talker() {

				@Override
				public JsonNode next() throws InterruptedException {
					JsonNode event = events.received.poll(60, TimeUnit.SECONDS);
					assertThat(event).as("an event").isNotNull();
					return event;
				}

				@Override
				public void ask(String text) {
					assertThat(client.send(Map.of("type", "ask", "text", text))).isTrue();
				}

				@Override
				public void reconnect() {
					client.reconnect();
				}

			});
		}
	}

	private static String url() {
		return "ws://127.0.0.1:" + proxy.port() + "/told";
	}

	private static void talk(Talker client) throws Exception {
		SessionCluster cluster = context.getBean(SessionCluster.class);
		List<String> ofTopic = new ArrayList<>();
		List<String> direct = new ArrayList<>();
		await(client, "session", ofTopic, direct);
		client.ask("joined");
		while (direct.isEmpty()) {
			next(client, ofTopic, direct);
		}
		List<String> published = new ArrayList<>();
		for (int round = 1; round <= ROUNDS; round++) {
			publish(cluster, "before " + round, published);
			client.ask("answer " + round);
			while (direct.size() <= round) {
				next(client, ofTopic, direct);
			}
			if (round % 2 == 0) {
				client.reconnect();
			}
			else {
				proxy.cut();
			}
			publish(cluster, "meanwhile " + round, published);
			JsonNode resumed = await(client, "resumed", ofTopic, direct);
			assertThat(resumed.path("direct").asBoolean()).isTrue();
			assertThat(resumed.path("recovered").path("news").asBoolean()).isTrue();
		}
		while (ofTopic.size() < published.size()) {
			next(client, ofTopic, direct);
		}
		assertThat(ofTopic).isEqualTo(published);
		assertThat(direct.subList(1, direct.size())).hasSize(ROUNDS).allMatch((text) -> text.startsWith("answer "));
	}

	private static void publish(SessionCluster cluster, String text, List<String> published) {
		published.add(text);
		cluster.topic("news").publish(new Text(text)).join();
	}

	private static JsonNode await(Talker client, String type, List<String> ofTopic, List<String> direct)
			throws Exception {
		JsonNode event = next(client, ofTopic, direct);
		while (!event.path("event").asString("").equals(type)) {
			assertThat(event.path("event").asString("")).as("%s", event).isNotEqualTo("session");
			event = next(client, ofTopic, direct);
		}
		return event;
	}

	private static JsonNode next(Talker client, List<String> ofTopic, List<String> direct) throws Exception {
		JsonNode event = client.next();
		if (event.path("event").asString("").equals("message")) {
			(event.has("seq") ? direct : ofTopic).add(event.path("text").asString());
		}
		return event;
	}

	/** A client and what it tells. */
	private interface Talker {

		JsonNode next() throws Exception;

		void ask(String text) throws IOException;

		void reconnect() throws IOException;

	}

	/** Events of the client for Java, as those of the script. */
	private static final class Events implements ClientListener {

		private final BlockingQueue<JsonNode> received = new LinkedBlockingQueue<>();

		@Override
		public @Nullable CompletionStage<?> onMessage(ClientMessage message) {
			this.received.add(((ObjectNode) message.json().deepCopy()).put("event", "message"));
			return null;
		}

		@Override
		public void onSession(NewSession session) {
			add("session", session);
		}

		@Override
		public void onResumed(ResumedSession session) {
			add("resumed", session);
		}

		private void add(String name, Object event) {
			this.received.add(((ObjectNode) JsonMapper.shared().valueToTree(event)).put("event", name));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Told.class)
	static class Application {

	}

	@WebSocketEndpoint(path = "/told", topics = "news", resumable = true)
	static class Told extends ManagedSession {

		@OnMessage("ask")
		Text ask(Text text) {
			return text;
		}

	}

	record Text(String text) {
	}

}
