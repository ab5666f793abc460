package dev.sluice.autoconfigure.cluster;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.broker.SimpleBrokerMessageHandler;
import org.springframework.messaging.simp.user.SimpUserRegistry;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Subscribers that come back, of two nodes in one virtual machine. */
class MemoryStompResumeTests extends StompResumeContract {

	private static final RecordedBuses BUSES = new RecordedBuses();

	private static final String LIBRARY = "classpath*:/META-INF/resources/webjars/stomp__stompjs/*/bundles/stomp.umd.min.js";

	private ConfigurableApplicationContext one;

	private ConfigurableApplicationContext other;

	@BeforeAll
	void start() {
		this.one = run();
		this.other = run();
	}

	private static ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class, Bus.class).run("--server.port=0",
				"--sluice.cluster.stomp.destinations=/topic/**,/queue/**");
	}

	@AfterAll
	void stop() {
		this.one.close();
		this.other.close();
	}

	@Override
	ConfigurableApplicationContext one() {
		return this.one;
	}

	@Override
	ConfigurableApplicationContext other() {
		return this.other;
	}

	@Test
	void whereTheBusCannotBeAskedNothingIsRecoveredAndTheSubscriptionBegins() throws Exception {
		SocketClient client = connect("eve");
		BUSES.failReading(new BusUnavailableException("unavailable", false, null));
		try {
			client.send("SUBSCRIBE\nid:s\ndestination:/topic/away\nreceipt:r\nposition:1.b.1\n\n\0");
			assertThat(client.next()).startsWith("RECEIPT\n").contains("\nrecovered:false\n");
		}
		finally {
			BUSES.restore();
		}
		send(this.other, "/topic/away", "new");
		assertThat(client.next()).contains("\n\nnew");
		client.close();
	}

	/** The bus answers when the client has gone. */
	@Test
	void aClientThatGoesWhileItIsServedLeavesNoSubscription() throws Exception {
		CompletableFuture<?> slow = BUSES.delayReading();
		SocketClient client = connect("gone");
		try {
			client.send("SUBSCRIBE\nid:s\ndestination:/topic/gone\nreceipt:r\nposition:1.b.1\n\n\0");
			await().until(BUSES::isReading);
			String id = this.one.getBean(SimpUserRegistry.class)
				.getUser("gone")
				.getSessions()
				.iterator()
				.next()
				.getId();
			client.abort();
			await().until(() -> this.one.getBean(WebSocketSessionManager.class).get(id).isEmpty());
		}
		finally {
			BUSES.restore();
			slow.complete(null);
		}
		await().until(() -> this.one.getBean(SimpUserRegistry.class).getUser("gone") == null);
		await().untilAsserted(() -> assertThat(subscriptionsTo("/topic/gone")).isEmpty());
	}

	private Map<?, ?> subscriptionsTo(String destination) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setDestination(destination);
		return this.one.getBean("simpleBrokerMessageHandler", SimpleBrokerMessageHandler.class)
			.getSubscriptionRegistry()
			.findSubscriptions(MessageBuilder.createMessage("", headers.getMessageHeaders()));
	}

	@Test
	@Tag("browser")
	void theWidespreadClientOfBrowsersGoesOnBehindAPosition(@TempDir Path folder) throws Exception {
		Path library = folder.resolve("stomp.js");
		try (InputStream content = new PathMatchingResourcePatternResolver().getResources(LIBRARY)[0]
			.getInputStream()) {
			Files.copy(content, library);
		}
		Process node = new ProcessBuilder("node", "--experimental-websocket", "--no-warnings",
				Path.of("src/test/js/stomp-resume.cjs").toAbsolutePath().toString(), library.toString(),
				"ws://localhost:" + port(this.one) + "/users?eve", "ws://localhost:" + port(this.other) + "/users?eve")
			.redirectErrorStream(true)
			.start();
		try {
			assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("""
					first
					recovered true
					second replayed
					third replayed
					fourth
					""");
		}
		finally {
			node.destroyForcibly();
		}
	}

	private SocketClient connect(String user) throws InterruptedException {
		SocketClient client = new SocketClient(port(this.one), "/users?" + user);
		client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
		assertThat(client.next()).startsWith("CONNECTED");
		return client;
	}

	@Configuration(proxyBeanMethods = false)
	static class Bus {

		@Bean
		ClusterBus clusterBus() {
			return BUSES.connect();
		}

	}

}
