package dev.sluice.websocket.inbound;

import java.util.concurrent.TimeUnit;

import dev.sluice.time.NanoClock;

/**
 * Pace of the handlers of one session that run on the thread which reads it. Nothing is
 * read meanwhile, pings neither, so a session whose handlers take long is left to workers
 * for some messages. Used by the thread that reads only.
 */
public final class HandlerPace {

	/** The time from which on a handler takes long. */
	static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** The messages that are left to workers after one that took long. */
	static final int LEFT_TO_WORKERS = 100;

	private final NanoClock clock;

	private int left;

	public HandlerPace(NanoClock clock) {
		this.clock = clock;
	}

	/** Whether the next message may be handled by the thread that reads. */
	public boolean isPrompt() {
		if (this.left > 0) {
			this.left--;
			return false;
		}
		return true;
	}

	/** Runs a handler on the thread that reads. */
	public void run(Runnable handling) {
		long start = this.clock.nanoTime();
		try {
			handling.run();
		}
		finally {
			if (this.clock.nanoTime() - start >= LONG_NANOS) {
				this.left = LEFT_TO_WORKERS;
			}
		}
	}

}
