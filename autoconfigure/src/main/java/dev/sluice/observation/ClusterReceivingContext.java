package dev.sluice.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

/**
 * Context of an observation of a request that a node handles for another.
 *
 * @since 0.1.0
 */
public final class ClusterReceivingContext extends ReceiverContext<Map<String, String>>
		implements ClusterExchangeContext {

	private final String action;

	private final @Nullable String topic;

	private volatile Outcome outcome = Outcome.UNKNOWN;

	/**
	 * Creates a context.
	 * @param action the requested action
	 * @param topic the topic, or {@code null} for an action without a topic
	 * @param headers the headers received from the other node
	 */
	public ClusterReceivingContext(String action, @Nullable String topic, Map<String, String> headers) {
		super(Map::get, Kind.CONSUMER);
		this.action = action;
		this.topic = topic;
		setCarrier(headers);
	}

	@Override
	public String getAction() {
		return this.action;
	}

	@Override
	public @Nullable String getTopic() {
		return this.topic;
	}

	@Override
	public Outcome getOutcome() {
		return this.outcome;
	}

	void setOutcome(Outcome outcome) {
		this.outcome = outcome;
	}

}
