package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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
	 * the gap, which uses no room in the buffer; the others are removed. A message for
	 * which there is no room is added to a gap behind which no message has been queued,
	 * and a gap is queued for it otherwise.
	 *
	 * Messages are queued in the topic's turn. They are dropped by any thread, one at a
	 * time, and none is dropped once its turn has begun. Only the frame of a gap is
	 * created with the lock held. Attacked by DroppedHistoryTests.
	 */

	private final DroppableMessage.Gaps gaps;

	private final Sender sender;

	/**
	 * Creates a stream without messages.
	 * @param queue the outbound queue of the session
	 */
	DroppableStream(TaskQueue queue, Sender sender) {
		this.gaps = new DroppableMessage.Gaps(queue);
		this.sender = sender;
	}

	/**
	 * Queues a message that many sessions send.
	 * @param frame creates the gap that is sent in its place if it is dropped
	 * @return the outcome of the message itself
	 */
	public CompletableFuture<@Nullable Void> send(WrittenMessage written, Supplier<WrittenMessage> frame) {
		DroppableMessage message = new DroppableMessage(this.gaps, written.message(), frame, false);
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
		if (this.gaps.add(frame)) {
			return CompletableFuture.completedFuture(null);
		}
		WrittenMessage written = frame.get();
		return this.sender.send(written, new DroppableMessage(this.gaps, written.message(), frame, true),
				FullBuffer.IGNORE);
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
