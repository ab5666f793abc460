package dev.sluice.websocket.container;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Bounded count of the readers, threads of the container, that handle the messages which
 * they have read, or wait until others have handled them. The bound leaves the container
 * threads for other connections, for pings and closes, and for reporting sent messages,
 * even if handlers take long.
 */
public final class HandlingReaders {

	/*
	 * "busy" is increased before it is compared with the limit, and decreased if it
	 * exceeds the limit, so at most that number of threads have a place. Attacked by
	 * HandlingReadersTests and ClientsHostileTests.
	 */

	private final IntSupplier limit;

	private final AtomicInteger busy = new AtomicInteger();

	/**
	 * Creates the count.
	 * @param limit supplies the current maximum number of readers
	 */
	public HandlingReaders(IntSupplier limit) {
		this.limit = limit;
	}

	/**
	 * Reserves a place for the calling thread to handle a message.
	 * @return whether a place was free, in which case {@link #leave()} must be called
	 * afterwards
	 */
	public boolean enter() {
		int limit = this.limit.getAsInt();
		return limit > 0 && enter(limit);
	}

	/**
	 * Reserves a place for the calling thread to wait until messages are handled; one
	 * thread at a time may always wait.
	 * @return whether a place was free, in which case {@link #leave()} must be called
	 * afterwards
	 */
	public boolean enterToWait() {
		return enter(Math.max(1, this.limit.getAsInt()));
	}

	private boolean enter(int limit) {
		if (this.busy.incrementAndGet() <= limit) {
			return true;
		}
		leave();
		return false;
	}

	/** Releases the place of the calling thread. */
	public void leave() {
		this.busy.decrementAndGet();
	}

}
