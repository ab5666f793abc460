package dev.sluice.observation;

import java.util.List;

import dev.sluice.aop.spi.LineObserver;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.cluster.ClusterObserver;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

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

	private static final String WEB_SOCKET_HANDLER = "org.springframework.web.socket.WebSocketHandler";

	private static final String JSON_MAPPER = "tools.jackson.databind.json.JsonMapper";

	private static final boolean METERS_PRESENT = ClassUtils.isPresent(
			"io.micrometer.core.instrument.observation.MeterObservationHandler",
			SluiceObservationAutoConfiguration.class.getClassLoader());

	@Bean
	@ConditionalOnMissingBean
	LineObserver sluiceLineObserver(ObservationRegistry registry, ObjectProvider<ObservationHandler<?>> handlers) {
		return makeMetersOnly(handlers) ? LineObserver.NONE : new LineObservations(registry);
	}

	/** Messages of sessions. */
	@Bean
	@ConditionalOnClass(name = { WEB_SOCKET_HANDLER, JSON_MAPPER })
	@ConditionalOnMissingBean
	MessageObserver sluiceMessageObserver(ObservationRegistry registry,
			ObjectProvider<ObservationHandler<?>> handlers) {
		return makeMetersOnly(handlers) ? MessageObserver.NONE : new MessageObservations(registry);
	}

	/** Messages of nodes to each other. */
	@Bean
	@ConditionalOnClass(name = { WEB_SOCKET_HANDLER, JSON_MAPPER })
	@ConditionalOnMissingBean
	ClusterObserver sluiceClusterObserver(ObservationRegistry registry,
			ObjectProvider<ObservationHandler<?>> handlers) {
		return makeMetersOnly(handlers) ? ClusterObserver.NONE : new ClusterObservations(registry);
	}

	private static boolean makeMetersOnly(ObjectProvider<ObservationHandler<?>> handlers) {
		List<ObservationHandler<?>> all = handlers.stream().toList();
		return !all.isEmpty()
				&& all.stream().allMatch((handler) -> METERS_PRESENT && handler instanceof MeterObservationHandler);
	}

}
