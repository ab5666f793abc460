package dev.sluice.cluster.internal.feed;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.sluice.bus.Position;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.outbound.RecoverableStream;
import dev.sluice.websocket.outbound.RecoverableStreams;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/** Messages of one topic to one client, which may fall behind. */
public final class TopicStream implements RecoverableStream {

	/*
	 * "at" is the latest position whose turn has come on the connection, "queued" the
	 * latest that was queued behind it. Falling behind begins an epoch. Messages that
	 * wait then belong to an earlier epoch, which their turn on the connection checks, so
	 * that none of them is sent from that moment on, whatever the order in which they are
	 * removed, and "queued" becomes "at" again. A message is queued only if it follows
	 * "queued": messages that arrive while the client is not behind, and a page of the
	 * history while it is behind and no epoch has begun since the page was begun. The
	 * client therefore receives a run of the topic's order, or a gap is reported in its
	 * place.
	 *
	 * Messages are queued in the topic's turn; all other methods may be called on any
	 * thread. Nothing is called with the lock held. Attacked by CatchUpTests and
	 * CatchUpHistoryTests.
	 */

	private final OrderedWebSocketSession session;

	private final RecoverableStreams streams;

	private final Consumer<TopicStream> ready;

	private final Set<Entry> waiting = new LinkedHashSet<>();

	/** Entries that are being dropped, and may not have released their room yet. */
	private final Set<Entry> dropping = new LinkedHashSet<>();

	private @Nullable Position at;

	private @Nullable Position queued;

	private boolean behind;

	/** Whether to report a gap before the next message queued. */
	private boolean gap;

	private long epoch;

	private boolean ended;

	/**
	 * Begins a stream.
	 * @param at the position that it follows
	 * @param ready called when the client is behind and has room, on any thread
	 */
	public TopicStream(OrderedWebSocketSession session, RecoverableStreams streams, @Nullable Position at,
			Consumer<TopicStream> ready) {
		this.session = session;
		this.streams = streams;
		this.at = at;
		this.queued = at;
		this.ready = ready;
		streams.add(this);
	}

	/** Returns the session. */
	public OrderedWebSocketSession session() {
		return this.session;
	}

	/** Returns whether to report a gap before the next message that arrives. */
	public synchronized boolean isGapDue() {
		return this.gap && !this.behind;
	}

	/**
	 * Queues a message that has arrived.
	 * @param position its position, {@code null} if it has none and cannot be sent later
	 * @return fails with a {@link TaskDroppedException} if the client is behind and
	 * receives the message later
	 */
	public CompletableFuture<@Nullable Void> send(WrittenMessage written, @Nullable Position position) {
		return sendArrived(written, position, false);
	}

	/**
	 * Reports a gap before the next message that arrives.
	 * @param position the position of the client after the gap, {@code null} if unknown
	 */
	public CompletableFuture<@Nullable Void> sendGap(WrittenMessage written, @Nullable Position position) {
		return sendArrived(written, position, true);
	}

	private CompletableFuture<@Nullable Void> sendArrived(WrittenMessage written, @Nullable Position position,
			boolean tellsGap) {
		Entry entry;
		synchronized (this) {
			if (this.behind || this.ended) {
				this.gap |= tellsGap || position == null;
				return CompletableFuture.failedFuture(dropped());
			}
			this.gap &= !tellsGap;
			entry = queue(tellsGap || position == null, (tellsGap || position != null) ? position : this.queued);
		}
		CompletableFuture<@Nullable Void> sent = submit(entry, written, FullBuffer.REJECT);
		if (foundNoRoom(sent)) {
			fallBehind();
		}
		return sent;
	}

	/**
	 * Returns the position at which pages begin, or {@code null} if the client is not
	 * behind.
	 */
	public synchronized @Nullable Cursor begin() {
		return (this.behind && !this.ended) ? new Cursor(this.epoch, this.queued, this.gap) : null;
	}

	/**
	 * Queues a message of the history.
	 * @param begun the cursor at the beginning of this page
	 * @param position the position of the client after the message
	 * @param tellsGap whether the message reports a gap
	 * @return {@code null} if there is no room, and further messages must wait
	 */
	public @Nullable CompletableFuture<@Nullable Void> sendMissed(Cursor begun, WrittenMessage written,
			@Nullable Position position, boolean tellsGap) {
		Entry entry;
		Position before;
		synchronized (this) {
			if (this.epoch != begun.epoch() || this.ended) {
				return null;
			}
			before = this.queued;
			this.gap &= !tellsGap;
			entry = queue(tellsGap, position);
		}
		CompletableFuture<@Nullable Void> sent = submit(entry, written, FullBuffer.REJECT_AT_HALF);
		if (foundNoRoom(sent)) {
			retract(entry, before);
			return null;
		}
		return sent;
	}

	/** Skips a message of the history that the client may have received. */
	public synchronized void skip(Cursor begun, Position position) {
		if (this.epoch == begun.epoch()) {
			this.queued = position;
		}
	}

	private synchronized void retract(Entry entry, @Nullable Position before) {
		if (entry.epoch == this.epoch && this.waiting.remove(entry)) {
			this.queued = before;
			this.gap |= entry.once;
		}
	}

	private static boolean foundNoRoom(CompletableFuture<@Nullable Void> sent) {
		return sent.isCompletedExceptionally()
				&& sent.handle((nothing, failure) -> failure instanceof TaskDroppedException).join();
	}

	/**
	 * Ends the catch-up if the client has been sent all messages, so that it receives new
	 * ones again.
	 * @param last the latest position that has arrived
	 * @return whether no more pages are required for now
	 */
	public synchronized boolean catchUp(Cursor begun, @Nullable Position last) {
		if (this.epoch != begun.epoch() || this.ended) {
			return true;
		}
		this.behind = this.gap || !Objects.equals(this.queued, last);
		return !this.behind;
	}

	/** Called with the lock held. */
	private Entry queue(boolean once, @Nullable Position position) {
		Entry entry = new Entry(this.epoch, once, position);
		this.queued = position;
		this.waiting.add(entry);
		return entry;
	}

	private CompletableFuture<@Nullable Void> submit(Entry entry, WrittenMessage written, FullBuffer full) {
		CompletableFuture<@Nullable Void> sent = this.session.outbound()
			.sendShared(written, full, () -> turn(entry, written));
		boolean stale;
		synchronized (this) {
			entry.sent = sent;
			stale = entry.epoch != this.epoch;
		}
		if (stale) {
			sent.completeExceptionally(dropped());
			isDropped(entry);
		}
		else {
			sent.whenComplete((nothing, failure) -> {
				if (failure != null && !(failure instanceof TaskDroppedException)) {
					failed(entry);
				}
			});
		}
		return sent;
	}

	/** Called when the turn of a message has come. */
	private synchronized WebSocketMessage<?> turn(Entry entry, WrittenMessage written) {
		if (!entry.begun) {
			if (entry.epoch != this.epoch) {
				throw dropped();
			}
			entry.begun = true;
			this.waiting.remove(entry);
			this.at = entry.position;
		}
		return written.message();
	}

	/** Called when a message is missing for another reason than lack of room. */
	private synchronized void failed(Entry entry) {
		if (this.waiting.remove(entry)) {
			this.gap = true;
		}
	}

	@Override
	public boolean fallBehind() {
		List<Entry> dropped;
		synchronized (this) {
			if (!this.ended && !this.waiting.isEmpty()) {
				this.gap |= this.waiting.stream().anyMatch((entry) -> entry.once);
				this.dropping.addAll(this.waiting);
				this.waiting.clear();
				this.epoch++;
				this.behind = true;
				this.queued = this.at;
			}
			dropped = List.copyOf(this.dropping);
		}
		if (dropped.isEmpty()) {
			return false;
		}
		for (Entry entry : dropped) {
			CompletableFuture<@Nullable Void> sent = sentOf(entry);
			if (sent != null) {
				sent.completeExceptionally(dropped());
				isDropped(entry);
			}
		}
		this.streams.awaitRoom(this);
		return true;
	}

	private synchronized void isDropped(Entry entry) {
		this.dropping.remove(entry);
	}

	private synchronized @Nullable CompletableFuture<@Nullable Void> sentOf(Entry entry) {
		return entry.sent;
	}

	/** Waits until the client has received the queued messages. */
	public void awaitRoom() {
		this.streams.awaitRoom(this);
	}

	@Override
	public void roomFound() {
		this.ready.accept(this);
	}

	/** Stops queueing; waiting messages are sent and not dropped. */
	public void end() {
		synchronized (this) {
			this.ended = true;
		}
		this.streams.remove(this);
	}

	private TaskDroppedException dropped() {
		return new TaskDroppedException(this.session.getId(), OverflowStrategy.DROP_NEWEST);
	}

	/**
	 * Position at which pages begin.
	 *
	 * @param epoch the epoch in which they are sent
	 * @param at the position that they follow
	 * @param gap whether to report a gap first
	 */
	public record Cursor(long epoch, @Nullable Position at, boolean gap) {
	}

	/** A message that waits for its turn. */
	private static final class Entry {

		private final long epoch;

		/** Whether it is in no history, so that dropping it requires a gap. */
		private final boolean once;

		private final @Nullable Position position;

		private boolean begun;

		private @Nullable CompletableFuture<@Nullable Void> sent;

		Entry(long epoch, boolean once, @Nullable Position position) {
			this.epoch = epoch;
			this.once = once;
			this.position = position;
		}

	}

}
