package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.autoconfigure.fixture.LiveHeap;
import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that let messages pile up, on the way in and on the way out. */
@Tag("hostile")
@Timeout(60)
class BacklogHostileTests {

	private static final int MEGABYTE = 1024 * 1024;

	private static final int CLIENTS = 24;

	private static final AtomicInteger handled = new AtomicInteger();

	private static CountDownLatch gate = new CountDownLatch(1);

	private ConfigurableApplicationContext context;

	@AfterEach
	void stop() {
		gate.countDown();
		this.context.close();
	}

	@Test
	void reconnectingPilesNothingUpWhereThereIsOnePlace() throws IOException {
		start("--sluice.websocket.max-sessions=1");
		long before = LiveHeap.bytes();
		int let = 0;
		for (int i = 0; i < 50; i++) {
			let += leaveBacklog("/slow", 127) ? 1 : 0;
			await().until(() -> sessions().count() == 0);
		}
		assertThat(let).isEqualTo(1);
		assertThat(LiveHeap.bytes() - before).isLessThan(16 * MEGABYTE);
		gate.countDown();
		await().until(() -> handled.get() > 0 && leaveBacklog("/slow", 1));
	}

	@Test
	void reconnectingPilesUpNoMoreThanAllSessionsMayHave() throws IOException {
		start("--sluice.websocket.inbound.total-buffer-size=4MB", "--sluice.execution.workers=4");
		long before = LiveHeap.bytes();
		for (int i = 0; i < 200; i++) {
			leaveBacklog("/slow", 127);
		}
		assertThat(LiveHeap.bytes() - before).isLessThan(20 * MEGABYTE);
		gate.countDown();
		await().until(() -> sessions().count() == 0);
	}

	@Test
	void smallRepliesThatNobodyReadsAreBounded() throws IOException {
		replies("/one");
	}

	@Test
	void emptyRepliesThatNobodyReadsAreBounded() throws IOException {
		replies("/empty");
	}

	@Test
	void repliesThatNobodyReadsAreBoundedForAllSessionsTogether() throws IOException {
		replies("/one", "--sluice.websocket.outbound.total-buffer-size=4MB");
	}

	/** Clients ask for two million replies each. */
	private void replies(String path, String... properties) throws IOException {
		start(properties);
		long before = LiveHeap.bytes();
		List<RawClient> clients = new ArrayList<>();
		List<CompletableFuture<Void>> floods = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++) {
			RawClient client = new RawClient(port(), path);
			clients.add(client);
			floods.add(CompletableFuture.runAsync(() -> ask(client), (flood) -> new Thread(flood).start()));
		}
		floods.forEach(CompletableFuture::join);
		assertThat(LiveHeap.bytes() - before).isLessThan(24 * MEGABYTE);
		await().atMost(Duration.ofSeconds(30)).until(() -> sessions().count() == 0);
		clients.forEach(RawClient::close);
	}

	private static void ask(RawClient client) {
		try {
			for (int i = 0; i < 200; i++) {
				client.write("go");
				client.flush();
			}
		}
		catch (IOException ex) {
			assertThat(ex).hasMessageMatching("(?i).*(reset|broken pipe|closed|aborted).*");
		}
	}

	/** Returns whether the client was let in. */
	private boolean leaveBacklog(String path, int messages) throws IOException {
		RawClient client;
		try {
			client = new RawClient(port(), path);
		}
		catch (UncheckedIOException ex) {
			assertThat(ex).hasMessageContaining("503");
			return false;
		}
		try (client) {
			for (int i = 0; i < messages; i++) {
				client.writeBinary(new byte[7_000]);
			}
			client.flush();
		}
		catch (IOException ex) {
			assertThat(ex).hasMessageMatching("(?i).*(reset|broken pipe|closed|aborted).*");
		}
		return true;
	}

	private void start(String... arguments) {
		gate = new CountDownLatch(1);
		handled.set(0);
		List<String> properties = new ArrayList<>(List.of(arguments));
		properties.add("--server.port=0");
		this.context = new SpringApplicationBuilder(Application.class).run(properties.toArray(String[]::new));
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	private WebSocketSessionManager sessions() {
		return this.context.getBean(WebSocketSessionManager.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Slow.class, One.class, Empty.class })
	static class Application {

		/** Something could pass, so sessions are read ahead. */
		@Bean
		static LevelResolver levels() {
			return (session, message) -> null;
		}

	}

	/** Handles nothing before the gate is open. */
	@WebSocketEndpoint("/slow")
	static class Slow extends ManagedSession {

		@OnMessage
		void handle(byte[] message) throws InterruptedException {
			gate.await();
			handled.incrementAndGet();
		}

	}

	@WebSocketEndpoint("/one")
	static class One extends ManagedSession {

		@OnMessage
		void handle(String message) {
			for (int i = 0; i < 10_000; i++) {
				post("1");
			}
		}

	}

	@WebSocketEndpoint("/empty")
	static class Empty extends ManagedSession {

		@OnMessage
		void handle(String message) {
			for (int i = 0; i < 10_000; i++) {
				post("");
			}
		}

	}

}
