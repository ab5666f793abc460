package dev.sluice.websocket.message;

/** Number of events since a first one; safe for use by many threads. */
final class EventCount {

	/*
	 * "more" is guarded by "this". It is NONE until a first event, whose thread schedules
	 * the report that takes the count. Attacked by FailureLogTests.
	 */

	private static final int NONE = -1;

	/** The number of events after the first. */
	private long more = NONE;

	/** Counts an event; returns whether it is the first. */
	synchronized boolean isFirst() {
		this.more++;
		return this.more == 0;
	}

	/** Returns the number of events after the first; the next event is a first one. */
	synchronized long take() {
		long count = this.more;
		this.more = NONE;
		return count;
	}

}
