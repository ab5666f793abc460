package dev.sluice.observation;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/** Observes requests between nodes, if an observation handler is registered. */
record ClusterObservations(ObservationRegistry registry) implements ClusterObserver {

	@Override
	public ObservedExchange sending(String action, @Nullable String topic) {
		if (this.registry.isNoop()) {
			return ObservedExchange.NONE;
		}
		Map<String, String> headers = new LinkedHashMap<>();
		ClusterSendingContext context = new ClusterSendingContext(action, topic, headers);
		Observation observation = SluiceObservation.CLUSTER_SENDING.observation(null, ClusterConvention.SENDING,
				() -> context, this.registry);
		return observation.isNoop() ? ObservedExchange.NONE
				: new ClusterObservation(observation.start(), headers, context::setOutcome);
	}

	@Override
	public ObservedExchange receiving(String action, @Nullable String topic, Map<String, String> headers) {
		if (this.registry.isNoop()) {
			return ObservedExchange.NONE;
		}
		ClusterReceivingContext context = new ClusterReceivingContext(action, topic, headers);
		Observation observation = SluiceObservation.CLUSTER_RECEIVING.observation(null, ClusterConvention.RECEIVING,
				() -> context, this.registry);
		return observation.isNoop() ? ObservedExchange.NONE
				: new ClusterObservation(observation.start(), Map.of(), context::setOutcome);
	}

}
