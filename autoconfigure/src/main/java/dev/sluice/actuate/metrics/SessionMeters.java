package dev.sluice.actuate.metrics;

import dev.sluice.websocket.WebSocketSessionManager;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Adds the gauge {@code sluice.websocket.sessions}.
 *
 * @param beans has the manager of the sessions
 */
record SessionMeters(ListableBeanFactory beans) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		this.beans.getBeanProvider(WebSocketSessionManager.class)
			.ifAvailable(
					(sessions) -> Gauge.builder("sluice.websocket.sessions", sessions, WebSocketSessionManager::count)
						.description("Open sessions")
						.baseUnit("sessions")
						.register(registry));
	}

}
