package dev.sluice.websocket.inbound;

import java.util.concurrent.TimeUnit;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.container.HandlingReaders;

/**
 * Policy that decides which thread handles a message of a session: the reader, which is
 * the thread of the container that has read it, or a worker. The reader handles it under
 * three conditions:
 * <ul>
 * <li>it would not read more of the session before the message is handled, and may
 * block;</li>
 * <li>no handler of the session has recently taken long, because nothing is read in the
 * meantime, not even pings;</li>
 * <li>few readers of other sessions handle messages.</li>
 * </ul>
 * Tasks that the reader submits then run on it, unless the session's queue has other work
 * or the maximum number of handlers is reached. Used by the reader only.
 */
public final class HandlingThreadPolicy {

	/** Minimum duration of a handler call that counts as long. */
	static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Number of messages that are left to workers after a long one. */
	static final int LEFT_TO_WORKERS = 100;

	private final InboundPressure pressure;

	private final HandlingReaders readers;

	private final NanoClock clock;

	private int left;

	private long start;

	/**
	 * Creates the policy of a session.
	 * @param pressure determines whether the reader would stay idle until a message is
	 * handled
	 * @param readers bounds the readers of all sessions that handle messages
	 */
	public HandlingThreadPolicy(InboundPressure pressure, HandlingReaders readers, NanoClock clock) {
		this.pressure = pressure;
		this.readers = readers;
		this.clock = clock;
	}

	/**
	 * Makes the calling thread, which has read a message, handle it, if the policy
	 * permits.
	 * @return whether it handles the message, in which case {@link #end()} must be called
	 * afterwards; {@code false} if the message is for a worker
	 */
	public boolean begin() {
		if (!this.pressure.leavesReaderIdle() || !isPrompt() || !this.readers.enter()) {
			return false;
		}
		this.start = this.clock.nanoTime();
		this.pressure.setHandler(true);
		return true;
	}

	private boolean isPrompt() {
		if (this.left > 0) {
			this.left--;
			return false;
		}
		return true;
	}

	/** Called by the thread that has handled a message. */
	public void end() {
		this.pressure.setHandler(false);
		this.readers.leave();
		if (this.clock.nanoTime() - this.start >= LONG_NANOS) {
			this.left = LEFT_TO_WORKERS;
		}
	}

}
