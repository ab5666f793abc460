package dev.sluice.autoconfigure;

import java.util.List;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.ThrottleListener;

/**
 * Tells several listeners, one after another; what one throws the next do not hear of.
 */
record ThrottleListeners(List<ThrottleListener> listeners) implements ThrottleListener {

	@Override
	public void admitted(String resource, String key, int permits, long waitNanos) {
		this.listeners.forEach((listener) -> listener.admitted(resource, key, permits, waitNanos));
	}

	@Override
	public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
		this.listeners.forEach((listener) -> listener.rejected(resource, key, permits, reason, waitNanos));
	}

	@Override
	public void released(String resource, String key, int permits, long heldNanos) {
		this.listeners.forEach((listener) -> listener.released(resource, key, permits, heldNanos));
	}

}
