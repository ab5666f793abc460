package dev.sluice.autoconfigure.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletionException;

import dev.sluice.bus.BusState;
import dev.sluice.bus.BusUnavailableException;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * An application with the failure policy {@code local}, whose Redis stops and is back.
 */
@Tag("redis")
class RedisUnavailableClusterTests {

	private int port;

	private RedisServer server;

	private ConfigurableApplicationContext node;

	@BeforeEach
	void start() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			this.port = socket.getLocalPort();
		}
		startRedis();
		this.node = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.run("--server.port=0", "--spring.data.redis.url=redis://127.0.0.1:" + this.port,
					"--sluice.cluster.type=redis", "--sluice.cluster.failure-policy=local",
					"--sluice.cluster.timeout=300ms", "--sluice.cluster.beat=100ms", "--sluice.cluster.lease=1s");
	}

	private void startRedis() throws IOException {
		this.server = RedisServer.newRedisServer().port(this.port).setting("save \"\"").build();
		this.server.start();
	}

	@AfterEach
	void stop() throws IOException {
		this.node.close();
		this.server.stop();
	}

	@Test
	void sessionsLiveAndMembersGetWhatTheirNodePublishesAndAGapWhenRedisIsBack()
			throws IOException, InterruptedException {
		SessionCluster cluster = this.node.getBean(SessionCluster.class);
		Topic room = cluster.topic("room");
		try (SocketClient client = new SocketClient(
				this.node.getEnvironment().getRequiredProperty("local.server.port", Integer.class), "/room")) {
			await().ignoreExceptions().until(() -> room.members().join().count() == 1);
			SessionInfo session = room.members().join().sessions().get(0);
			this.server.stop();
			await().until(() -> cluster.snapshot(0).bus() == BusState.UNAVAILABLE);
			assertThat(room.publish("alone").join()).isNull();
			assertThat(client.next()).isEqualTo("{\"type\":\"message\",\"data\":\"alone\",\"topic\":\"room\"}");
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> room.post("posted").join())
				.withCauseInstanceOf(BusUnavailableException.class);
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> cluster.topic("empty").publish("nobody").join())
				.withCauseInstanceOf(BusUnavailableException.class);
			assertThat(cluster.send(SessionQuery.ofId(session.id()), "own").join().sent()).isOne();
			assertThat(client.next()).isEqualTo("own");
			client.send("{\"type\":\"echo\",\"text\":\"hi\"}");
			assertThat(client.next()).isEqualTo("{\"text\":\"hi\"}");
			startRedis();
			assertThat(client.next()).startsWith("{\"type\":\"gap\",\"topic\":\"room\"");
			await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> room.publish("back").join() != null);
			assertThat(client.next()).contains("\"data\":\"back\"");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Member.class)
	static class Application {

	}

	@WebSocketEndpoint(path = "/room", topics = "room")
	static class Member extends ManagedSession {

		@OnMessage
		Text echo(Echo message) {
			return new Text(message.text());
		}

	}

	record Echo(String text) {

	}

	record Text(String text) {

	}

}
