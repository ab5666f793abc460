package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one topic to one client, where a gap is sent in the place of messages that
 * a full buffer drops.
 */
public final class DroppableStream {

	/*
	 * The first of several consecutive messages that are dropped stays in the queue as
	 * the gap, which uses no room in the buffer; the others are removed. "gap" is that
	 * gap until its turn begins, and "gapEnd" the number of the latest message that it
	 * replaces: the buffer drops the messages of a stream in their order, so that no
	 * message of the stream remains between the two. A message for which there is no room
	 * is added to a gap behind which no message has been queued, and a gap is queued for
	 * it otherwise.
	 *
	 * Messages are queued in the topic's turn. They are dropped by any thread, one at a
	 * time, and none is dropped once its turn has begun. Only the frame of a gap is
	 * created with the lock held. Attacked by DroppedHistoryTests.
	 */

	private final TaskQueue queue;

	private final Sender sender;

	/** Number of messages queued. */
	private long queued;

	private @Nullable DroppableMessage gap;

	private long gapEnd;

	/** The latest gap that was queued as one, until its turn begins. */
	private @Nullable DroppableMessage told;

	/**
	 * Creates a stream without messages.
	 * @param queue the outbound queue of the session
	 */
	DroppableStream(TaskQueue queue, Sender sender) {
		this.queue = queue;
		this.sender = sender;
	}

	/**
	 * Queues a message that many sessions send.
	 * @param frame creates the gap that is sent in its place if it is dropped
	 * @return the outcome of the message itself
	 */
	public CompletableFuture<@Nullable Void> send(WrittenMessage written, Supplier<WrittenMessage> frame) {
		DroppableMessage message = new DroppableMessage(this, written.message(), frame, false);
		CompletableFuture<@Nullable Void> sent = this.sender.send(written, message, null);
		if (!message.isQueued()) {
			sendGap(frame);
		}
		return sent;
	}

	/**
	 * Queues a gap, unless a gap is the latest message that waits. It is dropped only if
	 * a gap waits directly before it.
	 * @param frame creates the gap
	 */
	public CompletableFuture<@Nullable Void> sendGap(Supplier<WrittenMessage> frame) {
		if (addToGap(frame)) {
			return CompletableFuture.completedFuture(null);
		}
		WrittenMessage written = frame.get();
		return this.sender.send(written, new DroppableMessage(this, written.message(), frame, true), FullBuffer.IGNORE);
	}

	private synchronized boolean addToGap(Supplier<WrittenMessage> frame) {
		DroppableMessage latest = (this.gap != null && this.gapEnd == this.queued) ? this.gap : this.told;
		if (latest == null || latest != this.gap && latest.number() != this.queued) {
			return false;
		}
		latest.add(frame);
		return true;
	}

	/** Numbers a message that is being queued; called with the lock held. */
	long queue(DroppableMessage message) {
		if (message.isGap()) {
			this.told = message;
		}
		return ++this.queued;
	}

	/**
	 * Drops a message, or finds a gap in its place; called with the lock held.
	 * @return whether it remains in the queue as the gap
	 */
	boolean drop(DroppableMessage message) {
		this.gapEnd = message.number();
		if (this.gap != null) {
			this.gap.add(message.frame());
			this.told = (message != this.told) ? this.told : null;
			return false;
		}
		this.gap = message;
		return true;
	}

	/** The turn of a message begins, or it has ended; called with the lock held. */
	void remove(DroppableMessage message) {
		if (message == this.gap) {
			this.gap = null;
		}
		if (message == this.told) {
			this.told = null;
		}
	}

	/** Counts a message as dropped, in whose place a gap remains in the queue. */
	void count() {
		this.queue.drop(Level.NORMAL);
	}

	TaskDroppedException dropped() {
		return new TaskDroppedException(this.queue.id(), OverflowStrategy.DROP_OLDEST);
	}

	/** Queues the messages of a stream. */
	@FunctionalInterface
	interface Sender {

		/**
		 * Queues a message.
		 * @param full strategy if there is no room, {@code null} for a message that many
		 * sessions share
		 */
		CompletableFuture<@Nullable Void> send(WrittenMessage written, DroppableMessage message,
				@Nullable FullBuffer full);

	}

}
