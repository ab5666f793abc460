package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/** State of the end of a session's outbound side. */
final class OutboundState {

	/*
	 * Each of three steps is taken once and never reverted: "closing", if the server
	 * closes the session, "ended", then "closed". Attacked by SessionOutboundTests.
	 */

	private static final AtomicReferenceFieldUpdater<OutboundState, @Nullable SessionClosedException> ENDED = AtomicReferenceFieldUpdater
		.newUpdater(OutboundState.class, SessionClosedException.class, "ended");

	private static final AtomicIntegerFieldUpdater<OutboundState> CLOSING = AtomicIntegerFieldUpdater
		.newUpdater(OutboundState.class, "closing");

	private final String sessionId;

	/**
	 * Set to 1 when the server closes the session: no messages are queued from then on,
	 * and no messages of the client are handled.
	 */
	private volatile int closing;

	/**
	 * Set before the container is called to close, or when it has reported the end. Tasks
	 * that read it fail with it, so that no message waits for a connection that has
	 * ended.
	 */
	private volatile @Nullable SessionClosedException ended;

	/** Completed when the container has reported the end. */
	private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

	OutboundState(String sessionId) {
		this.sessionId = sessionId;
	}

	/** Returns whether messages are no longer accepted. */
	boolean isOver() {
		return isClosing() || this.ended != null;
	}

	/** Returns whether the server has begun to close the session by itself. */
	boolean isClosing() {
		return this.closing != 0;
	}

	/**
	 * Begins to close the session after the waiting messages.
	 * @return whether this call is the first
	 */
	boolean beginClosing() {
		return CLOSING.compareAndSet(this, 0, 1);
	}

	/** Begins to close the session immediately. */
	void setClosing() {
		this.closing = 1;
	}

	/**
	 * Returns why the connection accepts no more messages, or {@code null} if it does.
	 */
	@Nullable SessionClosedException ended() {
		return this.ended;
	}

	/**
	 * Continues only while the connection accepts messages.
	 * @throws SessionClosedException why it does not
	 */
	void requireNotEnded() throws SessionClosedException {
		SessionClosedException reason = this.ended;
		if (reason != null) {
			throw reason;
		}
	}

	/**
	 * Marks that the connection accepts no more messages.
	 * @return whether this call is the first
	 */
	boolean markEnded(SessionClosedException reason) {
		return ENDED.compareAndSet(this, null, reason);
	}

	/** Ends when the container has reported the end. */
	CompletableFuture<@Nullable Void> closed() {
		return this.closed;
	}

	/**
	 * Returns whether the container has reported the end; does not access the future
	 * while the connection accepts messages.
	 */
	boolean isClosed() {
		return this.ended != null && this.closed.isDone();
	}

	/** Creates the exception for a message that was being sent at the end. */
	SessionClosedException undecidedException(@Nullable Throwable reason) {
		return SessionClosedException.undecided(this.sessionId, reason);
	}

	/** Creates the exception for messages sent after the end. */
	SessionClosedException closedException() {
		return new SessionClosedException(this.sessionId);
	}

}
