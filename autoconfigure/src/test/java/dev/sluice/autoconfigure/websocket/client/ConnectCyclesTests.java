package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that come, say a word, and go. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.websocket.max-sessions-per-address=1000", "sluice.throttles.words.limit=10",
				"sluice.throttles.words.period=100ms" })
class ConnectCyclesTests {

	private static final int CYCLES = Boolean.getBoolean("sluice.test.full") ? 100_000 : 300;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private Map<String, SequentialLeveledTaskExecutor> executors;

	@Autowired
	private ThrottlingManager limits;

	@Test
	void leaveNothingBehind() throws IOException {
		for (int i = 0; i < CYCLES; i++) {
			try (RawClient client = new RawClient(this.port, "/word")) {
				client.write("hello");
				client.flush();
				assertThat(client.read()).isEqualTo("hello");
			}
		}
		await().until(() -> this.sessions.count() == 0);
		await().untilAsserted(() -> assertThat(this.executors.values())
			.allSatisfy((executor) -> assertThat(executor.snapshot(0).queues()).isZero()));
		Throttle words = this.limits.get("words");
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			words.tryAcquire("somebody else");
			return words.snapshot(0).keys() <= 1;
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Word.class)
	static class Application {

	}

	@WebSocketEndpoint("/word")
	static class Word extends ManagedSession {

		@OnMessage
		@Throttled(value = "words", key = "#session.id")
		String say(String word) {
			return word;
		}

	}

}
