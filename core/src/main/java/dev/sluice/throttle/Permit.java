package dev.sluice.throttle;

import java.util.OptionalLong;

/**
 * Permit of an admitted call. It belongs to its owner, never to a thread: it may be
 * closed anywhere, and closes once. A permit of a rate was spent when it was granted;
 * closing it changes nothing.
 *
 * @since 0.1.0
 */
public interface Permit extends AutoCloseable {

	/**
	 * Gives the permit back. The next in line has it before this method returns; its
	 * future is completed elsewhere. Does nothing the second time. Never blocks.
	 */
	@Override
	void close();

	/**
	 * Returns a number that grows with each grant of the resource, for storage that wants
	 * to reject a holder whose time is over.
	 * @return the token of a mutex or semaphore; empty for a rate, and by default
	 */
	default OptionalLong fencingToken() {
		return OptionalLong.empty();
	}

	/**
	 * Adds a callback for the case that the permit is lost before it was closed: its
	 * lease in a distributed store ended. In memory that never happens, nor does it by
	 * default.
	 * @param action called once, at once if the permit is lost already
	 */
	default void onLost(Runnable action) {
	}

	/**
	 * Returns the permit of a call that holds nothing: what it was granted is spent, or
	 * it needed no grant.
	 * @return the one permit of this kind, which has nothing to release
	 */
	static Permit spent() {
		return SpentPermit.INSTANCE;
	}

}
