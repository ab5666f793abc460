package dev.sluice.autoconfigure.cluster;

import java.security.Principal;
import java.util.Map;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** At most two sessions of a user on two nodes, whose clients are real. */
@Tag("sockets")
class ClusteredPlacesTests {

	private static final MemoryBus BUS = new MemoryBus();

	private final ConfigurableApplicationContext one = run();

	private final ConfigurableApplicationContext other = run();

	private static ConfigurableApplicationContext run() {
		ConfigurableApplicationContext node = new SpringApplicationBuilder(Application.class).run("--server.port=0",
				"--sluice.websocket.max-sessions-per-principal=2");
		node.getBean(SessionCluster.class);
		return node;
	}

	@AfterEach
	void stop() {
		this.one.close();
		this.other.close();
	}

	@Test
	void sessionsOfAUserAreCountedOnAllNodesAndThoseOfANodeThatStopsNoMore() throws InterruptedException {
		SocketClient first = open(this.one, "ann");
		SocketClient second = open(this.other, "ann");
		assertThat(connect(this.one, "ann").closeCode()).isEqualTo(1013);
		assertThat(connect(this.other, "ann").closeCode()).isEqualTo(1013);
		open(this.other, "bob").close();
		first.close();
		awaitOnePlace();
		open(this.other, "ann");
		assertThat(connect(this.one, "ann").closeCode()).isEqualTo(1013);
		this.other.close();
		assertThat(second.closeCode()).isEqualTo(1001);
		open(this.one, "ann").close();
	}

	private static void awaitOnePlace() {
		ClusterBus third = BUS.connect();
		await().until(() -> third.occupy("u:ann", 1, 2).join());
		third.close();
	}

	private static SocketClient open(ConfigurableApplicationContext node, String user) throws InterruptedException {
		SocketClient client = connect(node, user);
		client.send("hello");
		assertThat(client.next()).isEqualTo("hello");
		return client;
	}

	private static SocketClient connect(ConfigurableApplicationContext node, String user) {
		return new SocketClient(node.getEnvironment().getRequiredProperty("local.server.port", Integer.class),
				"/echo?" + user);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		@Bean
		ClusterBus bus() {
			return BUS.connect();
		}

		@Bean
		WebSocketConfigurer echo() {
			return (registry) -> registry.addHandler(new TextWebSocketHandler() {

				@Override
				protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
					session.sendMessage(message);
				}

			}, "/echo").setHandshakeHandler(new DefaultHandshakeHandler() {

				@Override
				protected Principal determineUser(ServerHttpRequest request, WebSocketHandler handler,
						Map<String, Object> attributes) {
					return request.getURI()::getQuery;
				}

			});
		}

	}

}
