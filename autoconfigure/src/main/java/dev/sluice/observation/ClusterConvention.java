package dev.sluice.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and keys of the observations of requests between nodes. */
enum ClusterConvention implements ObservationConvention<Observation.Context> {

	/** On the node that sends the request. */
	SENDING("sluice.cluster.sending", " in cluster"),

	/** On each node that handles the request. */
	RECEIVING("sluice.cluster.receiving", " on node");

	private final String observation;

	private final String where;

	ClusterConvention(String observation, String where) {
		this.observation = observation;
		this.where = where;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof ClusterExchangeContext;
	}

	@Override
	public String getName() {
		return this.observation;
	}

	@Override
	public String getContextualName(Observation.Context context) {
		return ((ClusterExchangeContext) context).getAction() + this.where;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(Observation.Context context) {
		ClusterExchangeContext exchange = (ClusterExchangeContext) context;
		return KeyValues.of(SluiceObservation.ClusterKeyNames.ACTION.withValue(exchange.getAction()),
				SluiceObservation.ClusterKeyNames.OUTCOME
					.withValue(exchange.getOutcome().name().toLowerCase(Locale.ROOT)));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(Observation.Context context) {
		String topic = ((ClusterExchangeContext) context).getTopic();
		return (topic != null) ? KeyValues.of(SluiceObservation.ClusterDetailKeyNames.TOPIC.withValue(topic))
				: KeyValues.empty();
	}

}
