package dev.sluice.cluster.resume.outbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.outbound.DirectMessages;
import dev.sluice.websocket.outbound.SessionOutbound;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;

/** Direct messages of one session that its client may not have received. */
public final class Outbox implements DirectMessages {

	/*
	 * Messages wait in the order of the calls. When its turn on a connection has come, a
	 * message gets its permanent number, and is kept until the client acknowledges it. A
	 * number that the client may have received is never given to another message. A
	 * replaced connection gets no numbers: it is compared in the same critical section.
	 * While messages are repeated, one at a time, new messages wait behind them.
	 *
	 * If numbers are unknown because their node is lost, new numbers continue far above
	 * them: the client may have received more messages than it has acknowledged.
	 *
	 * If messages are written before they are sent, each gets its number immediately, and
	 * messages are sent in that order once they are written.
	 *
	 * Two kinds of losses: numbered messages that were dropped before they were
	 * acknowledged, of which only the latest number is recorded, and messages without a
	 * number, which count until a client has acknowledged the notification of the loss.
	 *
	 * Attacked by ResumeTests and ResumeHistoryTests.
	 */

	private final OutboxEntry.Failures failures;

	private final int limit;

	private final ResumeBudget budget;

	/** Present if messages are written before they are sent. */
	private @Nullable WriteThrough writes;

	/** Numbered, in that order. */
	private final Deque<OutboxEntry> handed = new ArrayDeque<>();

	/** Without a number yet. */
	private final Set<OutboxEntry> waiting = new LinkedHashSet<>();

	/** The messages of {@link #handed} to be repeated. */
	private final Deque<OutboxEntry> repeated = new ArrayDeque<>();

	private long handedBytes;

	private long waitingBytes;

	/** The latest number. */
	private long last;

	/** The latest number of a dropped message. */
	private long dropped;

	/** Losses of messages without a number: all, those offered and those reported. */
	private long losses;

	private long offeredLosses;

	private long toldLosses;

	private @Nullable SessionOutbound connection;

	private boolean replaying;

	private boolean ended;

	/** Creates the outbox of a session without a connection. */
	public Outbox(String sessionKey, int limit, ResumeBudget budget) {
		this.failures = new OutboxEntry.Failures(sessionKey);
		this.limit = limit;
		this.budget = budget;
	}

	/** Sends messages only once they are written; called before all other methods. */
	public void write(WriteThrough through) {
		this.writes = through;
	}

	@Override
	public CompletableFuture<@Nullable Void> send(WrittenMessage written, Level level) {
		WriteThrough through = this.writes;
		OutboxEntry entry;
		try {
			entry = new OutboxEntry(written, DirectText.of(written), (through != null) ? Level.NORMAL : level);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		SessionOutbound target;
		synchronized (this) {
			if (this.ended) {
				return CompletableFuture.failedFuture(this.failures.closed());
			}
			target = this.replaying ? null : this.connection;
			entry.kept = this.budget.take(entry.bytes);
			if (target == null && (!entry.kept || this.handedBytes + this.waitingBytes + entry.bytes > this.limit)) {
				release(entry);
				this.losses++;
				return CompletableFuture.failedFuture(this.failures.noRoom());
			}
			entry.dispatched = target != null && through == null;
			if (through != null) {
				number(entry);
				through.add((failure) -> written(entry, failure));
			}
			else {
				this.waiting.add(entry);
				this.waitingBytes += entry.bytes;
			}
		}
		if (through != null) {
			through.begin();
			this.failures.failDropped();
		}
		else if (target != null) {
			dispatch(entry, target);
		}
		return entry.sent;
	}

	private void written(OutboxEntry entry, @Nullable Throwable failure) {
		SessionOutbound target = null;
		Throwable reason = failure;
		synchronized (this) {
			if (reason == null && this.ended) {
				reason = this.failures.closed();
			}
			if (reason != null) {
				this.dropped = Math.max(this.dropped, entry.number);
				if (this.handed.remove(entry)) {
					this.handedBytes -= entry.bytes;
					release(entry);
				}
			}
			else {
				entry.stored = true;
				target = this.replaying ? null : this.connection;
				entry.dispatched = target != null;
				if (target == null && !this.handed.contains(entry)) {
					this.failures.add(entry);
				}
				else if (this.replaying) {
					this.repeated.add(entry);
				}
			}
		}
		if (reason != null) {
			entry.sent.completeExceptionally(reason);
		}
		else if (target != null) {
			dispatch(entry, target);
		}
		this.failures.failDropped();
	}

	private CompletableFuture<@Nullable Void> dispatch(OutboxEntry entry, SessionOutbound target) {
		return target.sendLate(entry.written, entry.level, () -> handOver(entry, target)).handle((nothing, failure) -> {
			ended(entry, target, failure);
			return null;
		});
	}

	/** Called when the turn of a message has come: assigns its number. */
	private synchronized TextMessage handOver(OutboxEntry entry, SessionOutbound target) throws SessionClosedException {
		if (this.connection != target) {
			throw this.failures.closed();
		}
		entry.begun = true;
		if (entry.number == 0) {
			this.waiting.remove(entry);
			this.waitingBytes -= entry.bytes;
			number(entry);
		}
		return entry.text.numbered(entry.number);
	}

	private void number(OutboxEntry entry) {
		entry.number = ++this.last;
		if (!entry.kept) {
			this.dropped = entry.number;
			return;
		}
		this.handed.add(entry);
		this.handedBytes += entry.bytes;
		while (this.handedBytes > this.limit) {
			dropOldest();
		}
	}

	private void dropOldest() {
		OutboxEntry oldest = this.handed.remove();
		this.dropped = oldest.number;
		this.handedBytes -= oldest.bytes;
		this.repeated.remove(oldest);
		release(oldest);
		if (!oldest.dispatched && (oldest.stored || this.writes == null)) {
			this.failures.add(oldest);
		}
	}

	private void release(OutboxEntry entry) {
		if (entry.kept) {
			this.budget.give(entry.bytes);
			entry.kept = false;
		}
	}

	private void ended(OutboxEntry entry, SessionOutbound target, @Nullable Throwable failure) {
		if (failure != null) {
			boolean mayBeReceived = entry.number != 0 && (entry.begun || !(failure instanceof TaskDroppedException));
			synchronized (this) {
				if (entry.kept && !this.ended && (mayBeReceived || !target.isOpen() || this.connection != target)) {
					entry.dispatched = false;
					return;
				}
				if (this.handed.remove(entry)) {
					this.handedBytes -= entry.bytes;
					this.repeated.remove(entry);
					this.losses++;
					release(entry);
				}
				else if (this.waiting.remove(entry)) {
					this.waitingBytes -= entry.bytes;
					this.losses++;
					release(entry);
				}
			}
			entry.sent.completeExceptionally(mayBeReceived ? this.failures.undecided(failure) : failure);
			save();
			return;
		}
		entry.sent.complete(null);
	}

	/** Releases all messages up to a number; ignores numbers not assigned yet. */
	public void acknowledge(long number) {
		List<OutboxEntry> received = new ArrayList<>();
		synchronized (this) {
			for (OutboxEntry first = this.handed.peek(); first != null
					&& first.number <= number; first = this.handed.peek()) {
				received.add(this.handed.remove());
				this.handedBytes -= first.bytes;
				this.repeated.remove(first);
				release(first);
			}
		}
		received.forEach((entry) -> entry.sent.complete(null));
		if (!received.isEmpty()) {
			save();
		}
	}

	private void save() {
		if (this.writes != null) {
			this.writes.again();
		}
	}

	/** The client has been notified of all losses before it was resumed. */
	public synchronized void confirm() {
		this.toldLosses = this.offeredLosses;
	}

	/** Counts the loss of a message that can no longer be sent. */
	public synchronized void lose() {
		this.losses++;
	}

	/** Begins, with the first connection. */
	public synchronized void open(SessionOutbound first) {
		this.connection = first;
	}

	/**
	 * Continues with another connection, on which nothing is sent before {@link #replay}.
	 * @param received the latest number that the client has received
	 * @return whether all messages that the client has not received will follow
	 */
	public boolean attach(SessionOutbound next, long received) {
		acknowledge(received);
		synchronized (this) {
			boolean complete = received >= this.dropped && received <= this.last && this.losses == this.toldLosses;
			this.offeredLosses = this.losses;
			this.last = Math.max(this.last, Math.min(received, OutboxContents.MOST_CLAIMED));
			this.connection = next;
			this.replaying = true;
			this.repeated.clear();
			this.handed.stream().filter((entry) -> entry.stored || this.writes == null).forEach(this.repeated::add);
			return complete;
		}
	}

	/** Sends messages that may be missing, then waiting ones, one after the other. */
	public void replay() {
		while (true) {
			OutboxEntry next;
			SessionOutbound target;
			synchronized (this) {
				target = this.connection;
				if (target == null || !this.replaying) {
					return;
				}
				next = next();
				if (next == null) {
					this.replaying = false;
					return;
				}
			}
			CompletableFuture<@Nullable Void> sent = dispatch(next, target);
			if (!sent.isDone()) {
				sent.thenRun(() -> replayed(target));
				return;
			}
			if (!target.isOpen()) {
				return;
			}
		}
	}

	private void replayed(SessionOutbound target) {
		if (target.isOpen()) {
			replay();
		}
	}

	private @Nullable OutboxEntry next() {
		OutboxEntry next = this.repeated.poll();
		if (next == null && !this.waiting.isEmpty()) {
			next = this.waiting.iterator().next();
		}
		if (next != null) {
			next.dispatched = true;
		}
		return next;
	}

	/** Stops sending on the connection; messages that exceed the limit are dropped. */
	public void detach() {
		detach(null);
	}

	/**
	 * Stops sending on a connection, unless another one has replaced it.
	 * @param present the connection, or {@code null} for the current one
	 */
	public void detach(@Nullable SessionOutbound present) {
		List<OutboxEntry> lost = new ArrayList<>();
		synchronized (this) {
			if (present != null && this.connection != present) {
				return;
			}
			this.connection = null;
			this.replaying = false;
			this.repeated.clear();
			while (!this.handed.isEmpty() && this.handedBytes + this.waitingBytes > this.limit) {
				dropOldest();
			}
			Iterator<OutboxEntry> oldest = this.waiting.iterator();
			while (oldest.hasNext() && this.waitingBytes > this.limit) {
				OutboxEntry entry = oldest.next();
				oldest.remove();
				this.waitingBytes -= entry.bytes;
				this.losses++;
				release(entry);
				lost.add(entry);
			}
		}
		this.failures.fail(lost, false);
		this.failures.failDropped();
	}

	/**
	 * Ends the outbox, and returns its content for another node.
	 * @param continued whether another node may send the messages
	 */
	public OutboxContents end(boolean continued) {
		List<OutboxEntry> left = new ArrayList<>();
		OutboxContents contents;
		synchronized (this) {
			contents = contents();
			this.ended = true;
			this.connection = null;
			left.addAll(this.handed);
			left.addAll(this.waiting);
			left.forEach(this::release);
			this.handed.clear();
			this.waiting.clear();
			this.repeated.clear();
			this.handedBytes = 0;
			this.waitingBytes = 0;
		}
		this.failures.fail(left, continued);
		return contents;
	}

	public synchronized boolean hasEnded() {
		return this.ended;
	}

	public synchronized OutboxContents contents() {
		List<OutboxContents.Kept> kept = new ArrayList<>();
		this.handed.forEach((entry) -> kept.add(new OutboxContents.Kept(entry.number, entry.text.head())));
		this.waiting.forEach((entry) -> kept.add(new OutboxContents.Kept(0, entry.text.head())));
		return new OutboxContents(kept, this.last, this.dropped, this.losses != this.toldLosses);
	}

	/** Adds the content that another node has kept. */
	public synchronized void take(OutboxContents contents) {
		this.last = contents.last();
		this.dropped = contents.dropped();
		this.losses = contents.lost() ? 1 : 0;
		for (OutboxContents.Kept kept : contents.messages()) {
			OutboxEntry entry = OutboxEntry.of(kept);
			entry.kept = this.budget.take(entry.bytes);
			if (!entry.kept) {
				this.losses++;
			}
			else if (entry.number != 0) {
				this.handed.add(entry);
				this.handedBytes += entry.bytes;
			}
			else {
				this.waiting.add(entry);
				this.waitingBytes += entry.bytes;
			}
		}
	}

}
