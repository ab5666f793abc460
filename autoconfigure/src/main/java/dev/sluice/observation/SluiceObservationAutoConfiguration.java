package dev.sluice.observation;

import dev.sluice.aop.spi.LineObserver;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.cluster.ClusterObserver;
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
 * for traces: where meters only would come of them, there are none, as the meters of
 * queues and limits tell the same for less.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ ObservationRegistry.class, ThrottlingManager.class })
public final class SluiceObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LineObserver sluiceLineObserver(ObservationRegistry registry, ObjectProvider<ObservationHandler<?>> handlers) {
		return makeMetersOnly(handlers) ? LineObserver.NONE : new LineObservations(registry);
	}

	private static boolean makeMetersOnly(ObjectProvider<ObservationHandler<?>> handlers) {
		return handlers.stream().findAny().isPresent() && handlers.stream().allMatch(Meters::areMadeBy);
	}

	/** Messages of sessions, and of nodes to each other. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, JsonMapper.class })
	static class WebSocketConfiguration {

		@Bean
		@ConditionalOnMissingBean
		MessageObserver sluiceMessageObserver(ObservationRegistry registry,
				ObjectProvider<ObservationHandler<?>> handlers) {
			return makeMetersOnly(handlers) ? MessageObserver.NONE : new MessageObservations(registry);
		}

		@Bean
		@ConditionalOnMissingBean
		ClusterObserver sluiceClusterObserver(ObservationRegistry registry,
				ObjectProvider<ObservationHandler<?>> handlers) {
			return makeMetersOnly(handlers) ? ClusterObserver.NONE : new ClusterObservations(registry);
		}

	}

	/** Knows handlers of a jar that may not be there. */
	private static final class Meters {

		private static final boolean PRESENT = ClassUtils.isPresent(
				"io.micrometer.core.instrument.observation.MeterObservationHandler",
				SluiceObservationAutoConfiguration.class.getClassLoader());

		private Meters() {
		}

		static boolean areMadeBy(ObservationHandler<?> handler) {
			return PRESENT && handler instanceof MeterObservationHandler;
		}

	}

}
