package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.LiveHeap;
import dev.sluice.autoconfigure.fixture.RawClient;
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

/**
 * A hundred clients that stop reading, beside ten that do not, with four workers.
 * Counted, not timed: an answer that waits for a stalled client comes when that one has
 * ended.
 */
@Tag("sockets")
@Tag("full")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.execution.workers=4", "sluice.websocket.outbound.send-time-limit=10s",
				"sluice.websocket.outbound.buffer-size-limit=64KB", "sluice.websocket.inbound.buffer-size-limit=64KB" })
class StalledClientsTests {

	private static final int STALLED = 100;

	/** More than the buffers of the sockets take. */
	private static final byte[] LARGE = new byte[8 * 1024 * 1024];

	private static final int EXCHANGES = 200;

	private static final int MEGABYTE = 1024 * 1024;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Test
	void theOthersAreAnsweredWhileTheStalledOnesStallAndThoseEnd() throws IOException {
		List<RawClient> lively = connect("/echo", 10);
		exchange(lively);
		long heapBefore = LiveHeap.bytes();
		List<RawClient> stalled = connect("/deaf", STALLED);
		await().until(() -> stalling() == STALLED);
		this.sessions.postToAll(Deaf.class, (session) -> true, LARGE);
		this.sessions.postToAll(Deaf.class, (session) -> true, "x".repeat(32 * 1024));
		exchange(lively);
		assertThat(stalling()).as("those whom no answer has waited for").isEqualTo(STALLED);
		assertThat(LiveHeap.bytes() - heapBefore).isLessThan((STALLED * 128L * 1024) + 16L * MEGABYTE);
		await().atMost(Duration.ofSeconds(60)).until(() -> this.sessions.count() == lively.size());
		stalled.forEach(RawClient::close);
		lively.forEach(RawClient::close);
	}

	private int stalling() {
		return this.sessions.find(Deaf.class, (session) -> true).size();
	}

	private List<RawClient> connect(String path, int count) {
		return IntStream.range(0, count).mapToObj((i) -> new RawClient(this.port, path)).toList();
	}

	/** One after the other, so that whoever is not answered keeps all from going on. */
	private static void exchange(List<RawClient> clients) throws IOException {
		for (int i = 0; i < EXCHANGES; i++) {
			for (RawClient client : clients) {
				client.write("hello");
				client.flush();
				assertThat(client.read()).isEqualTo("hello");
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Echo.class, Deaf.class })
	static class Application {

	}

	@WebSocketEndpoint("/echo")
	static class Echo extends ManagedSession {

		@OnMessage
		String echo(String message) {
			return message;
		}

	}

	@WebSocketEndpoint("/deaf")
	static class Deaf extends ManagedSession {

	}

}
