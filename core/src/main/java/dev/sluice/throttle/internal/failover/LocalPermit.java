package dev.sluice.throttle.internal.failover;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.store.StoredThrottle;

/**
 * Permit of a node's own share of a limit. It has no fencing token, as the tokens of two
 * nodes cannot be compared.
 *
 * @param share the share that granted the permit
 * @param granted the permit of the share
 */
record LocalPermit(StoredThrottle share, Permit granted) implements Permit {

	@Override
	public void close() {
		this.granted.close();
	}

	@Override
	public void onLost(Runnable action) {
		this.granted.onLost(action);
	}

}
