package dev.sluice.observation;

import java.util.Collection;
import java.util.function.Function;

import dev.sluice.aop.spi.LineObserver;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.websocket.MessageObserver;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The observers of applications that define none: observations of messages, of nodes and
 * of waits. They are for traces. If a registry would only derive meters from them, no
 * observations are created, because the meters of queues and limits provide the same at a
 * lower cost.
 */
public final class DefaultObservers {

	private static final boolean METERS_PRESENT = ClassUtils.isPresent(
			"io.micrometer.core.instrument.observation.MeterObservationHandler",
			DefaultObservers.class.getClassLoader());

	private DefaultObservers() {
	}

	/** Returns the observer of the messages of sessions. */
	public static MessageObserver ofMessages(ListableBeanFactory beans) {
		return create(beans, MessageObserver.NONE, MessageObservations::new);
	}

	/** Returns the observer of the messages of nodes to each other. */
	public static ClusterObserver ofNodes(ListableBeanFactory beans) {
		return create(beans, ClusterObserver.NONE, ClusterObservations::new);
	}

	/** Returns the observer of calls that wait in line. */
	public static LineObserver ofLines(ListableBeanFactory beans) {
		return create(beans, LineObserver.NONE, LineObservations::new);
	}

	private static <T> T create(ListableBeanFactory beans, T none, Function<ObservationRegistry, T> observer) {
		ObservationRegistry registry = beans.getBeanProvider(ObservationRegistry.class).getIfUnique();
		return (registry == null || makeMetersOnly(beans.getBeansOfType(ObservationHandler.class).values())) ? none
				: observer.apply(registry);
	}

	private static boolean makeMetersOnly(Collection<?> handlers) {
		return METERS_PRESENT && !handlers.isEmpty()
				&& handlers.stream().allMatch(MeterObservationHandler.class::isInstance);
	}

}
