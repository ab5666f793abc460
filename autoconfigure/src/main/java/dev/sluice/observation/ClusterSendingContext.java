package dev.sluice.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * Context of an observation of a request that a node sends to others.
 *
 * @since 0.1.0
 */
public final class ClusterSendingContext extends SenderContext<Map<String, String>> implements ClusterExchangeContext {

	private final String action;

	private final @Nullable String topic;

	private volatile Outcome outcome = Outcome.UNKNOWN;

	/**
	 * Creates a context.
	 * @param action the requested action
	 * @param topic the topic, or {@code null} for an action without a topic
	 * @param headers the headers to send to other nodes; writable
	 */
	public ClusterSendingContext(String action, @Nullable String topic, Map<String, String> headers) {
		super(ClusterSendingContext::put, Kind.PRODUCER);
		this.action = action;
		this.topic = topic;
		setCarrier(headers);
	}

	private static void put(@Nullable Map<String, String> headers, String name, String value) {
		if (headers != null) {
			headers.put(name, value);
		}
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
