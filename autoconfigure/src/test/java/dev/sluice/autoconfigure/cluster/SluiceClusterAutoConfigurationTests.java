package dev.sluice.autoconfigure.cluster;

import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.cluster.ClusterBus;
import dev.sluice.cluster.MemoryBus;
import dev.sluice.websocket.cluster.NodeInfo;
import dev.sluice.websocket.cluster.SessionCluster;
import dev.sluice.websocket.stomp.cluster.ClusteredBroker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.broker.SimpleBrokerMessageHandler;
import org.springframework.messaging.support.AbstractSubscribableChannel;
import org.springframework.messaging.support.MessageBuilder;

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
		BlockingQueue<Message<?>> received = new LinkedBlockingQueue<>();
		this.stompRunner.withPropertyValues("sluice.cluster.stomp.destinations=/topic/**")
			.withBean(ClusterBus.class, bus::connect)
			.run((one) -> this.stompRunner.withPropertyValues("sluice.cluster.stomp.destinations=/topic/**")
				.withBean(ClusterBus.class, bus::connect)
				.run((other) -> {
					subscribe(one, received);
					subscribe(other, received);
					other.getBean(SimpMessagingTemplate.class).convertAndSend("/topic/news", "hello");
					assertThat(received.poll(30, TimeUnit.SECONDS)).isNotNull();
					assertThat(received.poll(30, TimeUnit.SECONDS)).isNotNull();
				}));
	}

	private static void subscribe(ApplicationContext node, BlockingQueue<Message<?>> received) {
		node.getBean("clientOutboundChannel", AbstractSubscribableChannel.class).subscribe((message) -> {
			if (SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) == SimpMessageType.MESSAGE) {
				received.add(message);
			}
		});
		SimpleBrokerMessageHandler broker = node.getBean(SimpleBrokerMessageHandler.class);
		for (SimpMessageType type : List.of(SimpMessageType.CONNECT, SimpMessageType.SUBSCRIBE)) {
			SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(type);
			headers.setSessionId("session");
			headers.setSubscriptionId("subscription");
			headers.setDestination("/topic/news");
			broker.handleMessage(MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders()));
		}
	}

	@Test
	void itIsSwitchedOff() {
		for (String property : Set.of("sluice.cluster.enabled=false", "sluice.websocket.enabled=false")) {
			this.contextRunner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionCluster.class));
		}
	}

}
