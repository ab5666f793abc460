package dev.sluice.autoconfigure.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.Subscriber;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.NodeInfo;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.stomp.ClusteredBroker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.simp.SimpMessagingTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class SluiceClusterAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluicePropertiesAutoConfiguration.class,
				SluiceThrottlingAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceClusterAutoConfiguration.class));

	private final WebApplicationContextRunner stompRunner = this.contextRunner
		.withConfiguration(
				AutoConfigurations.of(SluiceStompAutoConfiguration.class, SluiceClusterStompAutoConfiguration.class))
		.withUserConfiguration(StompBroker.class);

	@Test
	void thereIsAClusterOfOneNodeOnceSomebodyAsksForIt() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(SessionCluster.class);
			assertThat(context.getBean(SessionCluster.class).nodes()).hasSize(1).allMatch(NodeInfo::local);
		});
	}

	@Test
	void nothingIsCreatedForWhoDoesNotAsk() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("sluiceSessionCluster")).isFalse();
			assertThat(context.getBeanFactory().containsSingleton("sluiceClusterBus")).isFalse();
		});
	}

	@Test
	void contextsThatShareABusAreNodesOfOneCluster() {
		MemoryBus bus = new MemoryBus();
		this.contextRunner.withBean(ClusterBus.class, bus::connect).run((one) -> {
			SessionCluster cluster = one.getBean(SessionCluster.class);
			this.contextRunner.withBean(ClusterBus.class, bus::connect).run((other) -> {
				assertThat(other).hasSingleBean(ClusterBus.class);
				assertThat(other.getBean(SessionCluster.class).nodes()).hasSize(2).isEqualTo(nodes(other, cluster));
			});
			assertThat(cluster.nodes()).as("the other has left").hasSize(1);
		});
	}

	private static Object nodes(ApplicationContext of, SessionCluster cluster) {
		String local = of.getBean(ClusterBus.class).node();
		return cluster.nodes().stream().map((node) -> new NodeInfo(node.name(), node.name().equals(local))).toList();
	}

	@Test
	void aClusterOfTheApplicationIsTheOnlyOne() {
		SessionCluster own = mock(SessionCluster.class);
		this.contextRunner.withBean("own", SessionCluster.class, () -> own)
			.run((context) -> assertThat(context.getBean(SessionCluster.class)).isSameAs(own));
	}

	@Test
	void destinationsOfStompAreOfAllNodesOnlyWhereTheApplicationSaysSo() {
		this.stompRunner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ClusteredBroker.class));
		for (String property : Set.of("sluice.cluster.stomp.destinations=/topic/**,/queue/x",
				"sluice.cluster.stomp.destinations[0]=/**")) {
			this.stompRunner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasSingleBean(ClusteredBroker.class));
			this.contextRunner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ClusteredBroker.class));
			for (String off : Set.of("sluice.cluster.enabled=false", "sluice.websocket.stomp.enabled=false")) {
				this.stompRunner.withPropertyValues(property, off)
					.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ClusteredBroker.class));
			}
		}
	}

	@Test
	void aMessageReachesTheBrokersOfAllNodes() {
		MemoryBus bus = new MemoryBus();
		WebApplicationContextRunner runner = this.stompRunner.withBean(ClusterBus.class, bus::connect)
			.withPropertyValues("sluice.cluster.stomp.destinations=/topic/**");
		runner.run((one) -> runner.run((other) -> {
			Subscriber near = new Subscriber(one, "/topic/news");
			Subscriber far = new Subscriber(other, "/topic/news");
			other.getBean(SimpMessagingTemplate.class).convertAndSend("/topic/news", "hello");
			assertThat(near.next()).isEqualTo(far.next()).isEqualTo("hello");
		}));
	}

	@Test
	void topicsHaveHistoriesByTheirNames() {
		this.contextRunner
			.withPropertyValues("sluice.cluster.history.size=2", "sluice.cluster.topics.[room-*].history.size=1",
					"sluice.cluster.topics.lobby.history.time=1h")
			.run((context) -> {
				SessionCluster cluster = context.getBean(SessionCluster.class);
				for (String name : List.of("room-7", "lobby", "other")) {
					for (int message = 0; message < 3; message++) {
						cluster.topic(name).publish("message").join();
					}
					assertThat(cluster.topic(name).history(9).join()).as(name).hasSize(name.equals("room-7") ? 1 : 2);
				}
			});
	}

	@Test
	void topicsHavePresenceByTheirNames() {
		this.contextRunner
			.withPropertyValues("sluice.cluster.presence.topics=room-*",
					"sluice.cluster.topics.[room-vip-*].presence=false",
					"sluice.cluster.topics.[room-vip-7].history.size=1", "sluice.cluster.topics.lobby.presence=true")
			.run((context) -> {
				SessionCluster cluster = context.getBean(SessionCluster.class);
				for (String name : List.of("room-7", "lobby")) {
					assertThat(cluster.topic(name).presence()).as(name).succeedsWithin(Duration.ofSeconds(10));
				}
				for (String name : List.of("room-vip-7", "other")) {
					assertThat(cluster.topic(name).presence()).as(name).isCompletedExceptionally();
				}
			});
	}

	@Test
	void itIsSwitchedOff() {
		for (String property : Set.of("sluice.cluster.enabled=false", "sluice.websocket.enabled=false")) {
			this.contextRunner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionCluster.class));
		}
	}

}
