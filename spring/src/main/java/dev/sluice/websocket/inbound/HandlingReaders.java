package dev.sluice.websocket.inbound;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Count of the readers, threads of the container, that handle the messages which they
 * have read, and its bound: the container keeps threads for other connections, for pings
 * and closes, and to report what was sent, however long handlers take.
 */
public final class HandlingReaders {

	private final IntSupplier limit;

	private final AtomicInteger handling = new AtomicInteger();

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
		if (limit == 0) {
			return false;
		}
		if (this.handling.incrementAndGet() <= limit) {
			return true;
		}
		leave();
		return false;
	}

	/** The calling thread has handled its message. */
	public void leave() {
		this.handling.decrementAndGet();
	}

}
