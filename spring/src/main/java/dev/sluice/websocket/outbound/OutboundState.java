package dev.sluice.websocket.outbound;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/** State of the end of a session's outbound side. */
final class OutboundState {

	/*
	 * "closing" stops the intake, and that of the client's messages. "ended" is set once,
	 * before the container is told to close or when it tells that it has: tasks that find
	 * it fail with it, so nothing waits behind a connection that is gone. "closed" ends
	 * when the container has reported the end. Attacked by SessionOutboundTests.
	 */

	private static final VarHandle CLOSING;

	private static final VarHandle ENDED;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			CLOSING = lookup.findVarHandle(OutboundState.class, "closing", boolean.class);
			ENDED = lookup.findVarHandle(OutboundState.class, "ended", SessionClosedException.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final String sessionId;

	private volatile boolean closing;

	private volatile @Nullable SessionClosedException ended;

	private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

	OutboundState(String sessionId) {
		this.sessionId = sessionId;
	}

	/** Whether messages are no longer taken. */
	boolean isOver() {
		return this.closing || this.ended != null;
	}

	/** Whether the server has begun to close the session, of its own accord. */
	boolean isClosing() {
		return this.closing;
	}

	/**
	 * Begins to close the session behind what waits.
	 * @return whether nobody else has
	 */
	boolean beginClosing() {
		return CLOSING.compareAndSet(this, false, true);
	}

	/** Begins to close the session at once. */
	void setClosing() {
		this.closing = true;
	}

	/** Returns why the connection takes no more, or {@code null} if it does. */
	@Nullable SessionClosedException ended() {
		return this.ended;
	}

	/**
	 * Marks that the connection takes no more.
	 * @return whether nobody else has
	 */
	boolean markEnded(SessionClosedException reason) {
		return ENDED.compareAndSet(this, null, reason);
	}

	/** Ends when the container has reported the end. */
	CompletableFuture<@Nullable Void> closed() {
		return this.closed;
	}

	/** Whether the container has reported the end. */
	boolean isClosed() {
		return this.closed.isDone();
	}

	/** Creates what is told to whoever sends after the end. */
	SessionClosedException closedException() {
		return new SessionClosedException(this.sessionId);
	}

}
