package dev.sluice.actuate.endpoint;

import java.util.Map;

import dev.sluice.actuate.NamedBatches;
import dev.sluice.actuate.NamedExecutors;
import dev.sluice.actuate.UsedCluster;
import dev.sluice.autoconfigure.batch.SluiceBatchAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.WebSocketSessionManager;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the endpoint {@code throttling}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SluiceBatchAutoConfiguration.class, SluiceClusterAutoConfiguration.class,
		SluiceWebSocketAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class })
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSwitch("sluice.enabled")
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnAvailableEndpoint(ThrottlingEndpoint.class)
@EnableConfigurationProperties(SluiceEndpointProperties.class)
@ImportRuntimeHints(ThrottlingEndpointHints.class)
public final class SluiceEndpointAutoConfiguration {

	@Bean
	ThrottlingEndpoint sluiceThrottlingEndpoint(ListableBeanFactory beans, ObjectProvider<Sessions> sessions,
			ObjectProvider<Cluster> cluster, ThrottlingManager limits, ThrottleSourceRegistry sources,
			SluiceEndpointProperties properties, ApplicationEventPublisher events) {
		Map<String, SequentialLeveledTaskExecutor> executors = NamedExecutors.of(beans);
		ThrottlingChanges changes = new ThrottlingChanges(executors, sessions.getIfAvailable(), limits, sources,
				events);
		return new ThrottlingEndpoint(executors, NamedBatches.of(beans), sessions.getIfAvailable(),
				cluster.getIfAvailable(), limits, sources, changes, properties.showKeys(), properties.top());
	}

	@Bean
	UnknownFieldsCheck sluiceUnknownFieldsCheck() {
		return new UnknownFieldsCheck();
	}

	@Bean
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	ThrottlingEndpointWebExtension sluiceThrottlingEndpointWebExtension(ThrottlingEndpoint endpoint,
			SluiceEndpointProperties properties) {
		return new ThrottlingEndpointWebExtension(endpoint, properties.showKeys(), properties.roles());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, WebSocketSessionManager.class })
	static class WebSocketConfiguration {

		@Bean
		@ConditionalOnBean(WebSocketSessionManager.class)
		Sessions sluiceWebSocketSessions(WebSocketSessionManager manager) {
			return new ManagedSessions(manager);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, SessionCluster.class })
	static class ClusterConfiguration {

		@Bean
		@ConditionalOnBean(SessionCluster.class)
		Cluster sluiceEndpointCluster(ConfigurableListableBeanFactory beans) {
			return new UsedSessionCluster(new UsedCluster(beans));
		}

	}

}
