package dev.sluice.observation;

import java.util.Map;
import java.util.function.Consumer;

import dev.sluice.cluster.ObservedExchange;
import dev.sluice.websocket.ObservedMessage;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Observation of one request between nodes, on the node that sends it or on a node that
 * handles it.
 */
final class ClusterObservation implements ObservedExchange {

	private final Observation observation;

	private final Map<String, String> headers;

	private final Consumer<ClusterExchangeContext.Outcome> outcome;

	private volatile boolean unanswered;

	/**
	 * Creates the observation, which has started.
	 * @param headers the headers to propagate
	 * @param outcome takes how it ends
	 */
	ClusterObservation(Observation observation, Map<String, String> headers,
			Consumer<ClusterExchangeContext.Outcome> outcome) {
		this.observation = observation;
		this.headers = headers;
		this.outcome = outcome;
	}

	@Override
	public Map<String, String> headers() {
		return this.headers;
	}

	@Override
	public ObservedMessage.Scope open() {
		return this.observation.openScope()::close;
	}

	@Override
	public void unanswered() {
		this.unanswered = true;
	}

	@Override
	public void ended(@Nullable Throwable failure) {
		if (failure != null) {
			this.outcome.accept(ClusterExchangeContext.Outcome.FAILED);
			this.observation.error(ClusterExchangeContext.Outcome.reason(failure));
		}
		else {
			this.outcome.accept(this.unanswered ? ClusterExchangeContext.Outcome.UNANSWERED
					: ClusterExchangeContext.Outcome.COMPLETED);
		}
		this.observation.stop();
	}

}
