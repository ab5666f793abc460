package dev.sluice.guide;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import dev.sluice.test.SettableClock;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Does what {@code docs/getting-started.md} says, in no time. */
class GettingStartedTests {

	private final String page = read("../docs/getting-started.md");

	@Test
	void showsTheSessionThatIsRunHere() {
		String source = read("src/test/java/dev/sluice/guide/Counter.java");
		assertThat(block("```java\n", "```")).isEqualTo(source.substring(source.indexOf("@WebSocketEndpoint")));
	}

	@Test
	void theSessionAnswersAsThePageSays() throws Exception {
		Properties properties = new Properties();
		properties.load(new StringReader(block("```properties\n", "```")));
		List<String> answers = block("```\n{", "```").lines()
			.map((line) -> line.startsWith("{") ? line : '{' + line)
			.toList();
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(CounterApplication.class)
			.properties(properties)
			.run("--server.port=0", "--spring.config.name=none")) {
			int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			try (SocketClient client = new SocketClient(port, "/counter")) {
				answers.forEach((answer) -> client.send(block("socket.send('", "')")));
				assertThat(client.next(answers.size())).map((answer) -> answer.replaceAll("\\d\\.\\d+", "0.98"))
					.isEqualTo(answers);
				assertThat(RestClient.create("http://localhost:" + port)
					.get()
					.uri("/actuator/throttling/throttles/counts")
					.retrieve()
					.body(String.class)).contains("\"admitted\":10,\"rejected\":2");
			}
		}
	}

	private String block(String begin, String end) {
		int start = this.page.indexOf(begin) + begin.length();
		return this.page.substring(start, this.page.indexOf(end, start));
	}

	private static String read(String path) {
		try {
			return Files.readString(Path.of(path));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Finds no other classes of this package. */
	@EnableAutoConfiguration
	@Import(Counter.class)
	static class CounterApplication {

		@Bean
		NanoClock clock() {
			return new SettableClock();
		}

	}

}
