package dev.sluice.guide;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What {@code docs/cluster.md} shows, on two nodes. */
class ClusterGuideTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Test
	void nodesThatShareABusAreOneCluster() {
		try (ConfigurableApplicationContext one = start(); ConfigurableApplicationContext other = start()) {
			assertThat(one.getBean(SessionCluster.class).nodes()).hasSize(2);
			Notices notices = other.getBean(Notices.class);
			assertThat(notices.paid("ann", new Payment(5))).succeedsWithin(PATIENCE);
			assertThat(notices.announce("lobby", "Welcome")).succeedsWithin(PATIENCE);
		}
	}

	@Test
	void sessionsOfAPathJoinItsTopicOnAllNodes() throws InterruptedException {
		try (ConfigurableApplicationContext one = start();
				ConfigurableApplicationContext other = start();
				SocketClient here = connect(one, "/rooms/7");
				SocketClient there = connect(other, "/rooms/7")) {
			await().until(() -> one.getBean(SessionCluster.class).snapshot("room-7").isPresent()
					&& other.getBean(SessionCluster.class).snapshot("room-7").isPresent());
			here.send("{\"type\":\"say\",\"text\":\"hello\"}");
			String frame = here.next();
			assertThat(frame).startsWith("{\"type\":\"said\",\"text\":\"hello\",\"topic\":\"room-7\"");
			assertThat(there.next()).isEqualTo(frame);
		}
	}

	private static SocketClient connect(ConfigurableApplicationContext node, String path) {
		return new SocketClient(node.getEnvironment().getRequiredProperty("local.server.port", Integer.class), path);
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Application.class).run("--spring.config.name=none", "--server.port=0");
	}

	record Payment(int amount) {

	}

	static class Notices {

		private final SessionCluster cluster;

		Notices(SessionCluster cluster) {
			this.cluster = cluster;
		}

		CompletableFuture<Delivery> paid(String user, Payment payment) {
			return this.cluster.post(SessionQuery.ofPrincipal(user), payment);
		}

		CompletableFuture<String> announce(String room, String text) {
			return this.cluster.topic(room).publish(text);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Notices.class, RoomSession.class })
	static class Application {

		static final MemoryBus BUS = new MemoryBus();

		@Bean
		ClusterBus clusterBus() {
			return BUS.connect();
		}

	}

}
