package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.sluice.lifecycle.DrainedLifecycle;

import org.springframework.util.Assert;

/**
 * Lifecycle that ends the sessions when the application stops, before its web server
 * does. It rejects handshakes, lets each session handle and send its waiting messages,
 * and closes it with 1001 (going away). Sessions that have not ended in time are cut off,
 * with 1001 too. Its phase is the default: it is among the first to stop.
 *
 * @since 0.1.0
 */
public final class WebSocketLifecycle extends DrainedLifecycle {

	private final SessionShutdown shutdown;

	private final Duration timeout;

	/**
	 * Creates the lifecycle.
	 * @param shutdown ends the sessions
	 * @param timeout the maximum time for the sessions to end
	 */
	public WebSocketLifecycle(SessionShutdown shutdown, Duration timeout) {
		super(DEFAULT_PHASE);
		Assert.isTrue(timeout.toMillis() > 0, () -> "'timeout' must be at least a millisecond: " + timeout);
		this.shutdown = shutdown;
		this.timeout = timeout;
	}

	@Override
	protected void begin() {
		this.shutdown.revoke();
	}

	@Override
	protected CompletableFuture<?> drain() {
		return this.shutdown.drainAndClose(this.timeout);
	}

}
