package dev.sluice.cluster.resume.outbox;

import java.util.concurrent.atomic.AtomicLong;

/** Budget of bytes kept for all sessions of a node together. */
public final class ResumeBudget {

	/*
	 * "taken" is increased before it is compared with the limit, and decreased if it
	 * exceeds the limit, so that reserved bytes never exceed it. A failed reservation may
	 * cause a concurrent one to fail. Attacked by ResumeTests and RecordRefreshTests.
	 */

	private final long limit;

	private final AtomicLong taken = new AtomicLong();

	/** Creates a budget. */
	public ResumeBudget(long limit) {
		this.limit = limit;
	}

	/** Reserves bytes, if available. */
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

	/** Returns the number of reserved bytes. */
	public long taken() {
		return this.taken.get();
	}

}
