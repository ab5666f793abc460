package dev.sluice.websocket.session;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Bounds what waits in all sessions together, on the way in or on the way out. When there
 * is too much, the session in which most waits gives way.
 */
public final class TotalBuffer {

	/*
	 * "used" is the sum of all that sessions have added and not removed. Whoever lifts it
	 * above the limit looks for a session to cut off, unless somebody is looking; then
	 * the next message makes up for it. A session that was cut off counts as empty while
	 * what waits there is on its way out, so that it does not cost others their place.
	 * Attacked by TotalBufferTests and BacklogHostileTests.
	 */

	private final long limit;

	private final Side side;

	private final Collection<OrderedWebSocketSession> sessions;

	private final AtomicLong used = new AtomicLong();

	private final AtomicBoolean relieving = new AtomicBoolean();

	/**
	 * Creates the bound.
	 * @param limit the bytes that may wait
	 * @param sessions those that have not ended
	 */
	public TotalBuffer(long limit, Side side, Collection<OrderedWebSocketSession> sessions) {
		if (limit <= 0) {
			throw new IllegalArgumentException("'totalBufferSize' must be greater than 0: " + limit);
		}
		this.limit = limit;
		this.side = side;
		this.sessions = sessions;
	}

	/**
	 * Counts bytes that wait; called without locks, since it may end any session.
	 */
	public void add(long bytes) {
		if (this.used.addAndGet(bytes) > this.limit && this.relieving.compareAndSet(false, true)) {
			try {
				relieve();
			}
			finally {
				this.relieving.set(false);
			}
		}
	}

	public void remove(long bytes) {
		this.used.addAndGet(-bytes);
	}

	/**
	 * Whether a session has more than is left for all: those who have much are slowed
	 * first, and the less is left, the more of them.
	 */
	public boolean isTightFor(long bytes) {
		return bytes > this.limit - this.used.get();
	}

	private void relieve() {
		for (OrderedWebSocketSession most = most(); most != null; most = most()) {
			this.side.cutOff(most, this);
		}
	}

	/** Returns the session to cut off, or {@code null} if none need be. */
	private @Nullable OrderedWebSocketSession most() {
		OrderedWebSocketSession most = null;
		long mostBytes = 0;
		long all = 0;
		for (OrderedWebSocketSession session : this.sessions) {
			long bytes = this.side.waiting(session);
			all += bytes;
			if (bytes > mostBytes) {
				mostBytes = bytes;
				most = session;
			}
		}
		return (all > this.limit) ? most : null;
	}

	@Override
	public String toString() {
		return this.used + " bytes wait in all sessions; the limit is " + this.limit;
	}

	/** Which way the messages go. */
	public enum Side {

		/** From clients to handlers. */
		INBOUND {

			@Override
			long waiting(OrderedWebSocketSession session) {
				return session.pressure().waiting();
			}

			@Override
			void cutOff(OrderedWebSocketSession session, TotalBuffer total) {
				session.discard("Session has most of what waits to be handled: " + total);
			}

		},

		/** From handlers to clients. */
		OUTBOUND {

			@Override
			long waiting(OrderedWebSocketSession session) {
				return session.outbound().waiting();
			}

			@Override
			void cutOff(OrderedWebSocketSession session, TotalBuffer total) {
				session.outbound().overflown("Session has most of what waits to be sent: " + total);
			}

		};

		/** Returns the bytes that wait, zero once the session was cut off. */
		abstract long waiting(OrderedWebSocketSession session);

		abstract void cutOff(OrderedWebSocketSession session, TotalBuffer total);

	}

}
