package dev.sluice.lifecycle;

import java.util.concurrent.CompletableFuture;

import org.springframework.context.SmartLifecycle;

/**
 * Base class for the lifecycle of a part that is drained when the application stops. It
 * continues to run while the application context is paused, like the web server, from
 * which its work comes.
 *
 * @since 0.1.0
 */
public abstract class DrainedLifecycle implements SmartLifecycle {

	private final int phase;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param phase the phase in which it starts and stops
	 */
	protected DrainedLifecycle(int phase) {
		this.phase = phase;
	}

	/** Accepts work, also again after a stop. */
	protected abstract void begin();

	/**
	 * Accepts no more work, and finishes the accepted work.
	 * @return ends when the work is complete, or its time is over
	 */
	protected abstract CompletableFuture<?> drain();

	@Override
	public void start() {
		begin();
		this.running = true;
	}

	/** Waits until all is drained or the time is over. */
	@Override
	public void stop() {
		finish().join();
	}

	@Override
	public void stop(Runnable callback) {
		finish().whenComplete((drained, failure) -> callback.run());
	}

	private CompletableFuture<?> finish() {
		return drain().whenComplete((drained, failure) -> this.running = false);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
