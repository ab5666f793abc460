package dev.sluice.readme;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.client.RestClient;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs what the README shows. */
class ReadmeTests {

	private final String readme = read("../README.md");

	@Test
	void showsTheExampleThatIsRunHere() {
		String source = read("src/test/java/dev/sluice/readme/Echo.java");
		assertThat(block("java")).isEqualTo(source.substring(source.indexOf("@Component")));
	}

	@Test
	void theExampleAnswersAsTheReadmeSaysAndTheEndpointHasTheFieldsThatItShows() throws Exception {
		Properties properties = new Properties();
		properties.load(new StringReader(block("properties")));
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(EchoApplication.class)
			.properties(properties)
			.run("--server.port=0", "--spring.config.name=none")) {
			String address = "localhost:" + application.getEnvironment().getProperty("local.server.port");
			Frames frames = new Frames();
			WebSocket socket = HttpClient.newHttpClient()
				.newWebSocketBuilder()
				.buildAsync(URI.create("ws://" + address + "/echo"), frames)
				.join();
			for (int i = 0; i < 11; i++) {
				socket.sendText("hello", true).join();
			}
			for (int i = 0; i < 10; i++) {
				assertThat(frames.next()).isEqualTo("You said: hello");
			}
			assertThat(frames.next())
				.matches("\\{\"type\":\"throttled\",\"resource\":\"commands\",\"retryAfter\":(0\\.\\d+|1\\.0)}");
			assertThat(fields(RestClient.create("http://" + address)
				.get()
				.uri("/actuator/throttling")
				.retrieve()
				.body(String.class))).isEqualTo(fields(block("json")));
		}
	}

	private String block(String language) {
		String begin = "```" + language + "\n";
		int start = this.readme.indexOf(begin) + begin.length();
		return this.readme.substring(start, this.readme.indexOf("```", start));
	}

	private static Set<String> fields(@Nullable String json) {
		Set<String> fields = new TreeSet<>();
		collect("", JsonMapper.shared().readTree(String.valueOf(json)), fields);
		return fields;
	}

	private static void collect(String path, JsonNode node, Set<String> fields) {
		fields.add(path);
		node.properties().forEach((field) -> collect(path + '.' + field.getKey(), field.getValue(), fields));
		if (node.isArray()) {
			node.forEach((element) -> collect(path + "[]", element, fields));
		}
	}

	private static String read(String path) {
		try {
			return Files.readString(Path.of(path));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class Frames implements WebSocket.Listener {

		private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

		@Override
		public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
			this.received.add(data.toString());
			socket.request(1);
			return null;
		}

		@Nullable String next() throws InterruptedException {
			return this.received.poll(30, TimeUnit.SECONDS);
		}

	}

	@SpringBootApplication
	@EnableWebSocket
	static class EchoApplication implements WebSocketConfigurer {

		private final Echo echo;

		EchoApplication(Echo echo) {
			this.echo = echo;
		}

		@Bean
		static NanoClock clock() {
			return new SettableClock();
		}

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(this.echo, "/echo");
		}

	}

}
