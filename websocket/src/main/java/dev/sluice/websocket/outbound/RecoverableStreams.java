package dev.sluice.websocket.outbound;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The streams to one client whose messages may be dropped in favor of others, and the
 * streams that wait for room.
 */
public final class RecoverableStreams {

	/*
	 * A stream that waits for room is added to "waiting" before the held bytes are read,
	 * and a message that ends releases its bytes before "waiting" is read, so that one of
	 * the two detects the other. The thread that removes a stream from "waiting" calls
	 * it, so that it is called once. Room is found when a message has ended, as the
	 * client takes something then: one that takes nothing has nothing read for it. A
	 * message that has been admitted counts before it is held, because it will end as
	 * well. Attacked by CatchUpTests and CatchUpHistoryTests.
	 */

	private final BooleanSupplier empty;

	private final BooleanSupplier low;

	private final Set<RecoverableStream> streams = ConcurrentHashMap.newKeySet();

	private final Set<RecoverableStream> waiting = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the set without streams.
	 * @param empty returns whether the buffer is empty
	 * @param low returns whether there is ample room in it
	 */
	RecoverableStreams(BooleanSupplier empty, BooleanSupplier low) {
		this.empty = empty;
		this.low = low;
	}

	/** Adds a stream, whose messages may be dropped from now on. */
	public void add(RecoverableStream stream) {
		this.streams.add(stream);
	}

	/** Removes a stream, whose messages remain. */
	public void remove(RecoverableStream stream) {
		this.streams.remove(stream);
		this.waiting.remove(stream);
	}

	/** Calls a stream as soon as the client has received enough to leave room. */
	public void awaitRoom(RecoverableStream stream) {
		this.waiting.add(stream);
		if (this.empty.getAsBoolean()) {
			callWaiting();
		}
	}

	/**
	 * Drops the waiting messages of all streams; returns whether anything was dropped.
	 */
	public boolean fallBehind() {
		boolean dropped = false;
		for (RecoverableStream stream : this.streams) {
			dropped |= stream.fallBehind();
		}
		return dropped;
	}

	/** A message has ended. */
	void messageEnded() {
		if (!this.waiting.isEmpty() && this.low.getAsBoolean()) {
			callWaiting();
		}
	}

	private void callWaiting() {
		for (RecoverableStream stream : this.waiting) {
			if (this.waiting.remove(stream)) {
				stream.roomFound();
			}
		}
	}

}
