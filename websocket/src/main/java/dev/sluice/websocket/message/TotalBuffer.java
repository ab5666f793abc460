package dev.sluice.websocket.message;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Bound of the waiting bytes of all sessions together, inbound or outbound. If the bound
 * is exceeded, the session with the most waiting bytes is cut off.
 *
 * @param <S> the type of session
 */
public final class TotalBuffer<S> {

	/*
	 * "used" is the sum of all that sessions have added and not removed. The thread that
	 * raises it above the limit looks for a session to cut off, unless another thread is
	 * already looking; then the next message triggers it. A session that was cut off
	 * counts as empty while its messages are being released, so that it does not cost
	 * other sessions their place. If a session then has no fewer bytes, a thread, perhaps
	 * the caller's, has yet to end the dropped messages, and the next message triggers
	 * the search as well. Attacked by TotalBufferTests and BacklogHostileTests.
	 */

	private final long limit;

	private final ToLongFunction<S> waiting;

	private final BiConsumer<S, TotalBuffer<S>> relief;

	private final Collection<S> sessions;

	private final AtomicLong used = new AtomicLong();

	private final AtomicBoolean relieving = new AtomicBoolean();

	/**
	 * Creates the bound.
	 * @param limit the bytes that may wait
	 * @param waiting returns the waiting bytes of a session, zero once it was cut off
	 * @param relief ends the session with the most waiting bytes, or drops its waiting
	 * messages
	 * @param sessions the sessions that have not ended
	 */
	public TotalBuffer(long limit, ToLongFunction<S> waiting, BiConsumer<S, TotalBuffer<S>> relief,
			Collection<S> sessions) {
		Assert.isTrue(limit > 0, () -> "'totalBufferSize' must be greater than 0: " + limit);
		this.limit = limit;
		this.waiting = waiting;
		this.relief = relief;
		this.sessions = sessions;
	}

	/**
	 * Counts waiting bytes; called without locks, because it may end any session.
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
	 * Returns whether a session has more bytes than remain for all. Sessions with many
	 * bytes are slowed first; the fewer bytes remain, the more sessions are slowed.
	 */
	public boolean isTightFor(long bytes) {
		return bytes > this.limit - this.used.get();
	}

	private void relieve() {
		for (S most = most(); most != null; most = most()) {
			long before = this.waiting.applyAsLong(most);
			this.relief.accept(most, this);
			if (this.waiting.applyAsLong(most) >= before) {
				return;
			}
		}
	}

	/** Returns the session to cut off, or {@code null} if none is required. */
	private @Nullable S most() {
		S most = null;
		long mostBytes = 0;
		long all = 0;
		for (S session : this.sessions) {
			long bytes = this.waiting.applyAsLong(session);
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

}
