package dev.sluice.observation;

import java.util.List;

import dev.sluice.aop.spi.LineObserver;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.MessageObserver;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the observations of messages, of nodes and of waits. They are
 * for traces. If a registry would only derive meters from them, no observations are
 * created, because the meters of queues and limits provide the same at a lower cost.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ ObservationRegistry.class, ThrottlingManager.class })
public final class SluiceObservationAutoConfiguration {

	private static final boolean METERS_PRESENT = ClassUtils.isPresent(
			"io.micrometer.core.instrument.observation.MeterObservationHandler",
			SluiceObservationAutoConfiguration.class.getClassLoader());

	@Bean
	@ConditionalOnMissingBean
	LineObserver sluiceLineObserver(ObservationRegistry registry, ObjectProvider<ObservationHandler<?>> handlers) {
		return makeMetersOnly(handlers) ? LineObserver.NONE : new LineObservations(registry);
	}

	private static boolean makeMetersOnly(ObjectProvider<ObservationHandler<?>> handlers) {
		List<ObservationHandler<?>> all = handlers.stream().toList();
		return !all.isEmpty()
				&& all.stream().allMatch((handler) -> METERS_PRESENT && handler instanceof MeterObservationHandler);
	}

	/** Messages of sessions. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, JsonMapper.class, MessageObserver.class })
	static class SessionsConfiguration {

		@Bean
		@ConditionalOnMissingBean
		MessageObserver sluiceMessageObserver(ObservationRegistry registry,
				ObjectProvider<ObservationHandler<?>> handlers) {
			return makeMetersOnly(handlers) ? MessageObserver.NONE : new MessageObservations(registry);
		}

	}

	/** Messages of nodes to each other. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, JsonMapper.class, ClusterObserver.class })
	static class ClusterConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ClusterObserver sluiceClusterObserver(ObservationRegistry registry,
				ObjectProvider<ObservationHandler<?>> handlers) {
			return makeMetersOnly(handlers) ? ClusterObserver.NONE : new ClusterObservations(registry);
		}

	}

}
