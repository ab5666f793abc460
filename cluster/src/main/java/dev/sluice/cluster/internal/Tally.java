package dev.sluice.cluster.internal;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.cluster.Delivery;
import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of a message at the sessions of this node; locks itself. */
final class Tally {

	/*
	 * All state is guarded by "this". Attacked by TopicTests and ObservedClusterTests.
	 */

	private int sent;

	private int unknown;

	private final Map<String, Integer> failures = new LinkedHashMap<>();

	synchronized void add(@Nullable Throwable failure) {
		if (failure == null) {
			this.sent++;
		}
		else {
			Throwable reason = reason(failure);
			if (isUndecided(reason)) {
				this.unknown++;
				return;
			}
			this.failures.merge(reason.getClass().getSimpleName(), 1, Integer::sum);
		}
	}

	/** Adds a session that was sent a gap instead of a message. */
	synchronized void addLost() {
		this.failures.merge(Delivery.LOST, 1, Integer::sum);
	}

	synchronized int sent() {
		return this.sent;
	}

	synchronized Map<String, Integer> failures() {
		return Map.copyOf(this.failures);
	}

	/** Returns the number of sessions that may have received the message. */
	synchronized int unknown() {
		return this.unknown;
	}

	/** A message that fails while it is being written may have been written before. */
	private static boolean isUndecided(Throwable reason) {
		return (reason instanceof SessionClosedException closed) ? closed.isUndecided() : reason instanceof IOException
				|| reason instanceof BusUnavailableException unavailable && unavailable.isUndecided();
	}

	/** Returns the failure of the previous stage. */
	static Throwable reason(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
