package dev.sluice.websocket.resume;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that may be kept for all sessions of a node together. */
public final class ResumeBudget {

	private final long limit;

	private final AtomicLong taken = new AtomicLong();

	/** Creates a budget of so many bytes. */
	public ResumeBudget(long limit) {
		this.limit = limit;
	}

	/** Takes bytes, if there are so many. */
	public boolean take(long bytes) {
		if (this.taken.addAndGet(bytes) <= this.limit) {
			return true;
		}
		this.taken.addAndGet(-bytes);
		return false;
	}

	/** Gives bytes back. */
	public void give(long bytes) {
		this.taken.addAndGet(-bytes);
	}

	/** Returns how many bytes are taken. */
	public long taken() {
		return this.taken.get();
	}

}
