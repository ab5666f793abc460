package dev.sluice.cluster.internal.trace;

import java.util.Map;

import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.internal.ExtensionPoint;
import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Guard of a {@link ClusterObserver}: its failures do not affect the request. A request
 * whose observation cannot begin is not observed.
 */
public record GuardedClusterObserver(ClusterObserver observer) implements ClusterObserver {

	private static final ExtensionPoint BEGIN = new ExtensionPoint("ClusterObserver", "the request is not observed");

	private static final ExtensionPoint OBSERVE = new ExtensionPoint("ObservedExchange",
			"the request is still handled");

	/** Guards an observer, but for the one that observes nothing. */
	public static ClusterObserver of(ClusterObserver observer) {
		return (observer != ClusterObserver.NONE) ? new GuardedClusterObserver(observer) : observer;
	}

	@Override
	public ObservedExchange sending(String action, @Nullable String topic) {
		return guarded(BEGIN.get(this.observer, () -> this.observer.sending(action, topic), ObservedExchange.NONE));
	}

	@Override
	public ObservedExchange receiving(String action, @Nullable String topic, Map<String, String> headers) {
		return guarded(
				BEGIN.get(this.observer, () -> this.observer.receiving(action, topic, headers), ObservedExchange.NONE));
	}

	private static ObservedExchange guarded(ObservedExchange exchange) {
		return (exchange != ObservedExchange.NONE) ? new GuardedExchange(exchange) : exchange;
	}

	/** Guard of one request. */
	private record GuardedExchange(ObservedExchange exchange) implements ObservedExchange {

		/** Headers that cannot be read or written are left out. */
		@Override
		public Map<String, String> headers() {
			return OBSERVE.get(this.exchange, () -> PropagatedHeaders.bounded(this.exchange.headers()), Map.of());
		}

		@Override
		public ObservedMessage.Scope open() {
			ObservedMessage.Scope scope = OBSERVE.get(this.exchange, this.exchange::open, ObservedMessage.Scope.NONE);
			return (scope != ObservedMessage.Scope.NONE) ? () -> OBSERVE.run(scope, scope::close) : scope;
		}

		@Override
		public void unanswered() {
			OBSERVE.run(this.exchange, this.exchange::unanswered);
		}

		@Override
		public void ended(@Nullable Throwable failure) {
			OBSERVE.run(this.exchange, () -> this.exchange.ended(failure));
		}

	}

}
