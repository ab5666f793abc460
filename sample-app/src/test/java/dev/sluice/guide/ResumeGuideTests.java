package dev.sluice.guide;

import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.client.ClientListener;
import dev.sluice.client.ClientMessage;
import dev.sluice.client.ClientState;
import dev.sluice.client.SessionStore;
import dev.sluice.client.SluiceClient;
import dev.sluice.test.socket.SocketClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What {@code docs/resume.md} shows. */
@SpringBootTest(classes = ResumeGuideTests.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ResumeGuideTests {

	@LocalServerPort
	private int port;

	@Test
	void aDraftIsThereAgain() throws InterruptedException {
		SocketClient first = new SocketClient(this.port, "/drafts/7");
		first.send("{\"type\":\"resume\"}");
		String token = JsonMapper.shared().readTree(first.next()).path("token").asString();
		assertThat(first.next()).contains("\"topic\":\"room-7\"");
		first.send("{\"type\":\"draft\",\"text\":\"dear\"}");
		first.send("{\"type\":\"read\"}");
		assertThat(first.next()).contains("dear");
		first.abort();
		try (SocketClient second = new SocketClient(this.port, "/drafts/7")) {
			second.send("{\"type\":\"resume\",\"token\":\"" + token + "\",\"at\":{},\"seq\":1}");
			assertThat(second.next()).contains("\"recovered\":{\"room-7\":true},\"direct\":true");
			second.send("{\"type\":\"read\"}");
			assertThat(second.next()).contains("dear");
		}
	}

	@Test
	void aClientOfJavaIsServed() throws InterruptedException {
		BlockingQueue<ClientMessage> received = new LinkedBlockingQueue<>();
		ClientListener listener = (message) -> {
			received.add(message);
			return null;
		};
		Store store = new Store();
		SluiceClient client = SluiceClient.builder(URI.create("ws://localhost:" + this.port + "/drafts/7"), listener)
			.store(store)
			.connect();
		await().until(client::state, ClientState.OPEN::equals);
		client.send(new Message("draft", "dear"));
		client.suspend();
		try (SluiceClient next = SluiceClient.builder(URI.create("ws://localhost:" + this.port + "/drafts/7"), listener)
			.store(store)
			.connect()) {
			await().until(next::state, ClientState.OPEN::equals);
			next.send(new Message("read", null));
			assertThat(received.poll(30, TimeUnit.SECONDS))
				.extracting((message) -> message.json().path("text").asString())
				.isEqualTo("dear");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(DraftSession.class)
	static class Application {

	}

	record Draft(String text) {

		static final Draft EMPTY = new Draft("");

	}

	record Reload() {
	}

	record Message(String type, @Nullable String text) {
	}

	private static final class Store implements SessionStore {

		private volatile @Nullable String stored;

		@Override
		public @Nullable String load() {
			return this.stored;
		}

		@Override
		public void save(@Nullable String session) {
			this.stored = session;
		}

	}

}
