package dev.sluice.websocket.session;

import java.time.Duration;

import org.springframework.context.SmartLifecycle;

/**
 * Lifecycle that ends the sessions when the application stops, and before its web server
 * does: it rejects handshakes, lets each session handle and send what waits, and closes
 * it with 1001 (going away). Sessions that have not ended in time are cut off, with 1001
 * too.
 *
 * @since 0.1.0
 */
public final class WebSocketLifecycle implements SmartLifecycle {

	private final SessionShutdown shutdown;

	private final Duration timeout;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param shutdown ends the sessions
	 * @param timeout the time that the sessions have to end
	 */
	public WebSocketLifecycle(SessionShutdown shutdown, Duration timeout) {
		if (timeout.toMillis() <= 0) {
			throw new IllegalArgumentException("'timeout' must be at least a millisecond: " + timeout);
		}
		this.shutdown = shutdown;
		this.timeout = timeout;
	}

	@Override
	public void start() {
		this.shutdown.revoke();
		this.running = true;
	}

	/** Waits until the sessions have ended or the time is over. */
	@Override
	public void stop() {
		this.shutdown.drainAndClose(this.timeout).join();
		this.running = false;
	}

	@Override
	public void stop(Runnable callback) {
		this.shutdown.drainAndClose(this.timeout).whenComplete((result, ex) -> {
			this.running = false;
			callback.run();
		});
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** A pause leaves the web server alone, and so its sessions. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	/** The default: among the first to stop. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
