package dev.sluice.redis.throttle;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Acceptance by Redis of the definition of a limit of this node. */
final class Announcement {

	/*
	 * Commands are sent under the lock, in the order of the state that they belong to.
	 * While a change is on its way, nothing is opened: the definition of this node is the
	 * one from before the change, and the version in Redis may be the one of the change,
	 * so the command would undo it. Attacked by AnnouncementTests.
	 */

	private boolean accepted;

	private int changes;

	/** Redis has accepted a definition. */
	synchronized void accepted() {
		this.accepted = true;
	}

	/** Redis was not reached with a new definition. */
	synchronized void failed() {
		this.accepted = false;
	}

	synchronized boolean isAccepted() {
		return this.accepted;
	}

	/** A change is sent. */
	synchronized void changing() {
		this.changes++;
	}

	/** The reply to a change was adopted, or there is none. */
	synchronized void changed() {
		this.changes--;
	}

	/** Sends a command if Redis has accepted the definition; otherwise {@code null}. */
	synchronized @Nullable CompletableFuture<String> ifAccepted(Supplier<CompletableFuture<String>> command) {
		return this.accepted ? command.get() : null;
	}

	/**
	 * Sends a command, unless Redis has not accepted the definition and may be accepting
	 * a change of it.
	 * @param command returns the reply, given whether Redis has accepted the definition
	 * @return the reply, or {@code null} if nothing was sent
	 */
	synchronized @Nullable CompletableFuture<String> unlessChanging(
			Function<Boolean, CompletableFuture<String>> command) {
		return (this.accepted || this.changes == 0) ? command.apply(this.accepted) : null;
	}

}
