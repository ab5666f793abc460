package dev.sluice.autoconfigure.websocket;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.cluster.SessionCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

/** The client that applications serve, and one of theirs. */
@Tag("sockets")
class ClientScriptTests {

	private static final Path SCRIPT = Path.of("../spring/src/test/js/sockets.mjs").toAbsolutePath();

	@Test
	void isServed() throws IOException, InterruptedException {
		try (ConfigurableApplicationContext context = start()) {
			URI uri = URI.create("http://localhost:" + port(context) + "/sluice/sluice-client.js");
			HttpResponse<String> script = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
			assertThat(script.headers().firstValue("Content-Type").orElseThrow()).contains("javascript");
			assertThat(script.body()).contains("export const connect");
		}
	}

	/** Node has to be there, as the tests of the script itself say. */
	@Test
	@Tag("browser")
	@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void goesOnWithItsSessionWhereverItIsCut() throws IOException {
		try (ConfigurableApplicationContext context = start()) {
			Process node = new ProcessBuilder("node", "--experimental-websocket", "--no-warnings", SCRIPT.toString(),
					"ws://localhost:" + port(context) + "/told")
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			try {
				talk(node, context.getBean(SessionCluster.class));
			}
			finally {
				node.destroyForcibly();
			}
		}
	}

	private static void talk(Process node, SessionCluster cluster) throws IOException {
		BufferedReader events = node.inputReader(StandardCharsets.UTF_8);
		List<String> ofTopic = new ArrayList<>();
		List<String> direct = new ArrayList<>();
		await(events, "session", ofTopic, direct);
		tell(node, "{\"type\":\"ask\",\"text\":\"joined\"}");
		while (direct.isEmpty()) {
			next(events, ofTopic, direct);
		}
		for (int round = 1; round <= 10; round++) {
			cluster.topic("news").publish(new Text("before " + round)).join();
			tell(node, "{\"type\":\"ask\",\"text\":\"answer " + round + "\"}");
			while (direct.size() <= round) {
				next(events, ofTopic, direct);
			}
			tell(node, "reconnect");
			cluster.topic("news").publish(new Text("meanwhile " + round)).join();
			JsonNode resumed = await(events, "resumed", ofTopic, direct);
			assertThat(resumed.path("direct").asBoolean()).isTrue();
			assertThat(resumed.path("recovered").path("news").asBoolean()).isTrue();
		}
		while (ofTopic.size() < 20) {
			next(events, ofTopic, direct);
		}
		for (int round = 1; round <= 10; round++) {
			assertThat(ofTopic.subList(2 * round - 2, 2 * round)).containsExactly("before " + round,
					"meanwhile " + round);
			assertThat(direct.get(round)).isEqualTo("answer " + round);
		}
	}

	private static JsonNode await(BufferedReader events, String type, List<String> ofTopic, List<String> direct)
			throws IOException {
		JsonNode event = next(events, ofTopic, direct);
		while (!event.path("event").asString().equals(type)) {
			assertThat(event.path("event").asString()).as("%s", event).isNotEqualTo("session");
			event = next(events, ofTopic, direct);
		}
		return event;
	}

	private static JsonNode next(BufferedReader events, List<String> ofTopic, List<String> direct) throws IOException {
		String line = events.readLine();
		assertThat(line).as("Node 20.10 or newer is needed: apt-get install nodejs").isNotNull();
		JsonNode event = JsonMapper.shared().readTree(line);
		if (event.path("event").asString().equals("message")) {
			(event.has("seq") ? direct : ofTopic).add(event.path("text").asString());
		}
		return event;
	}

	private static void tell(Process node, String line) throws IOException {
		node.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0")
			.run();
	}

	private static int port(ConfigurableApplicationContext context) {
		return ((ServletWebServerApplicationContext) context).getWebServer().getPort();
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
