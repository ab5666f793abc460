package dev.sluice.autoconfigure.cluster;

import java.util.Set;

import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.cluster.ClusterBus;
import dev.sluice.cluster.MemoryBus;
import dev.sluice.websocket.cluster.NodeInfo;
import dev.sluice.websocket.cluster.SessionCluster;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class SluiceClusterAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluicePropertiesAutoConfiguration.class,
				SluiceThrottlingAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceClusterAutoConfiguration.class));

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
	void itIsSwitchedOff() {
		for (String property : Set.of("sluice.cluster.enabled=false", "sluice.websocket.enabled=false")) {
			this.contextRunner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionCluster.class));
		}
	}

}
