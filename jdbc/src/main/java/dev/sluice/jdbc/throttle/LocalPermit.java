package dev.sluice.jdbc.throttle;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.store.StoredThrottle;

/**
 * Permit of a node's own share of a limit.
 *
 * @param share where it was granted
 * @param granted what was granted there
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
