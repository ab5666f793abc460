package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients whose messages come in parts and never end. */
@Tag("hostile")
@Timeout(60)
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.websocket.message-time-limit=2s")
class FragmentsHostileTests {

	private static final int CLIENTS = 4;

	private static final byte[] LARGE = new byte[60_000];

	private static final byte[] NOTHING = {};

	private static final byte[] ONE = { 1 };

	private static final int EMPTY_PARTS = 200_000;

	private static final int PARTS_OF_ONE_BYTE = 4_000;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Test
	void emptyPartsCostNoTimeOfTheServer() {
		List<RawClient> clients = connect();
		OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		long before = process.getProcessCpuTime();
		flood(clients, NOTHING, EMPTY_PARTS);
		await().atMost(Duration.ofSeconds(30)).until(() -> this.sessions.count() == 0);
		assertThat(TimeUnit.NANOSECONDS.toMillis(process.getProcessCpuTime() - before)).isLessThan(5_000);
		clients.forEach(RawClient::close);
	}

	@Test
	void messagesThatNeverEndAreEnded() {
		List<RawClient> clients = connect();
		flood(clients, ONE, PARTS_OF_ONE_BYTE);
		await().atMost(Duration.ofSeconds(10)).until(() -> this.sessions.count() == 0);
		clients.forEach(RawClient::close);
	}

	private List<RawClient> connect() {
		List<RawClient> clients = IntStream.range(0, CLIENTS)
			.mapToObj((i) -> new RawClient(this.port, "/parts"))
			.toList();
		await().until(() -> this.sessions.count() == CLIENTS);
		return clients;
	}

	/** All at once; a client that is cut off has written enough. */
	private static void flood(List<RawClient> clients, byte[] part, int parts) {
		List<CompletableFuture<Void>> floods = clients.stream().map((client) -> CompletableFuture.runAsync(() -> {
			try {
				client.writeFirstPart(LARGE);
				for (int i = 0; i < parts; i++) {
					client.writeNextPart(part);
				}
				client.flush();
			}
			catch (IOException ex) {
				assertThat(ex).hasMessageMatching("(?i).*(reset|broken pipe|closed|aborted).*");
			}
		}, (flood) -> new Thread(flood).start())).toList();
		floods.forEach(CompletableFuture::join);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Parts.class)
	static class Application {

	}

	@WebSocketEndpoint("/parts")
	static class Parts extends ManagedSession {

		@OnMessage
		void handle(byte[] message) {
		}

	}

}
