package dev.sluice.websocket.container;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Bounded count of the readers, threads of the container, that handle the messages which
 * they have read, or wait until others have handled them. The bound leaves the container
 * threads for other connections, for pings and closes, and for reporting sent messages,
 * even if handlers take long. Attacked by ClientsHostileTests.
 */
public final class HandlingReaders {

	private final IntSupplier limit;

	private final AtomicInteger busy = new AtomicInteger();

	/**
	 * Creates the count.
	 * @param limit how many may handle messages at present
	 */
	public HandlingReaders(IntSupplier limit) {
		this.limit = limit;
	}

	/**
	 * Lets the calling thread handle a message, if one more may.
	 * @return whether it may, and is to {@link #leave()} afterwards
	 */
	public boolean enter() {
		int limit = this.limit.getAsInt();
		return limit > 0 && enter(limit);
	}

	/**
	 * Lets the calling thread wait until messages are handled, if one more may; one at a
	 * time may always.
	 * @return whether it may, and is to {@link #leave()} afterwards
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

	/** The calling thread has handled its message, or waits no longer. */
	public void leave() {
		this.busy.decrementAndGet();
	}

}
