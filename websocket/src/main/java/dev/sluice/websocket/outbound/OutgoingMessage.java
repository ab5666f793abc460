package dev.sluice.websocket.outbound;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.journal.SessionJournal;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/** A message that waits for its turn, and its bytes in the buffer. */
final class OutgoingMessage implements Callable<CompletionStage<@Nullable Void>>, DroppableMessage.Queued {

	/*
	 * "waiting" is exchanged for 0, so its bytes are released once: by the turn, by the
	 * gap that replaces the message, or by its end. The other state is written before the
	 * message is queued, and by the gap, which excludes the turn (see DroppableMessage).
	 * Attacked by SessionOutboundTests and DroppableStreamTests.
	 */

	private static final AtomicIntegerFieldUpdater<OutgoingMessage> WAITING = AtomicIntegerFieldUpdater
		.newUpdater(OutgoingMessage.class, "waiting");

	private static final WebSocketMessage<?> NOTHING = new TextMessage("");

	private WebSocketMessage<?> message;

	private final @Nullable LateContent content;

	private SessionJournal.@Nullable Entry record;

	/** Bytes counted as waiting: all until its turn has come, then none. */
	private volatile int waiting;

	/** Whether the waiting bytes belong to a stream that may fall behind. */
	private final boolean recoverable;

	/** Bytes counted as held until the message has been sent or has failed. */
	private final int held;

	/** Written before the message is queued, and when a gap replaces it. */
	private ObservedMessage observed = ObservedMessage.NONE;

	private final Transmission transmission;

	OutgoingMessage(WebSocketMessage<?> message, @Nullable LateContent content, SessionJournal.@Nullable Entry record,
			int waiting, boolean recoverable, int held, Transmission transmission) {
		this.message = message;
		this.content = content;
		this.record = record;
		this.waiting = waiting;
		this.recoverable = recoverable;
		this.held = held;
		this.transmission = transmission;
		if (content instanceof DroppableMessage droppable) {
			droppable.queue(this);
		}
	}

	void observe(ObservedMessage observation) {
		this.observed = observation;
	}

	WebSocketMessage<?> message() {
		return this.message;
	}

	/** Returns the content to send to the client, now that its turn has come. */
	WebSocketMessage<?> content() throws SessionClosedException {
		return (this.content != null) ? this.content.get() : this.message;
	}

	SessionJournal.@Nullable Entry record() {
		return this.record;
	}

	ObservedMessage observed() {
		return this.observed;
	}

	/** Returns the outcome of the message for its sender. */
	CompletableFuture<@Nullable Void> follow(CompletableFuture<@Nullable Void> sent) {
		return (this.content instanceof DroppableMessage droppable) ? droppable.follow(sent) : sent;
	}

	/** Returns whether a message is data rather than a control frame. */
	static boolean isData(WebSocketMessage<?> message) {
		return message instanceof TextMessage || message instanceof BinaryMessage;
	}

	/** Returns the message as one that may be dropped in favor of others. */
	SendBuffer.Waiting waiting(LeveledTask<?> task) {
		return (this.content instanceof DroppableMessage droppable) ? new WaitingOfStream(task, droppable)
				: new WaitingAlone(task);
	}

	@Override
	public ObservedMessage replace() {
		ObservedMessage replaced = this.observed;
		this.observed = ObservedMessage.NONE;
		this.message = NOTHING;
		this.record = null;
		return replaced;
	}

	/** Begins the turn of the message, in which a gap may have replaced it. */
	void begin(@Nullable SessionJournal journal) throws SessionClosedException {
		release();
		if (this.content instanceof DroppableMessage droppable && droppable.begin() && journal != null
				&& this.record == null) {
			this.record = journal.begin(droppable.get(), "gap", Level.NORMAL);
		}
	}

	@Override
	public CompletionStage<@Nullable Void> call() throws Exception {
		return this.transmission.sender().transmit(this);
	}

	/** Transmits the message again, in its turn, on an executor that waits before. */
	CompletionStage<@Nullable Void> callLater(Executor later) {
		return CompletableFuture.runAsync(() -> {
		}, later).thenCompose((nothing) -> {
			try {
				return call();
			}
			catch (Exception ex) {
				return CompletableFuture.failedFuture(ex);
			}
		});
	}

	/** Ends the wait: when its turn has come, or when it ends without one. */
	@Override
	public void release() {
		int bytes = WAITING.getAndSet(this, 0);
		if (this.recoverable) {
			this.transmission.buffer().releaseOfStream(bytes);
		}
		else {
			this.transmission.buffer().releaseWaiting(bytes);
		}
	}

	void ended(@Nullable Throwable failure) {
		release();
		this.transmission.buffer().releaseHeld(this.held);
		this.observed.ended(failure);
		if (this.content instanceof DroppableMessage droppable) {
			if (this.record != null) {
				this.record.ended(failure);
			}
			droppable.ended();
			this.message = NOTHING;
		}
	}

	/**
	 * Collaborators that the messages of a session share.
	 *
	 * @param buffer the buffer of the session
	 * @param sender passes messages to the container
	 */
	record Transmission(SendBuffer buffer, Sender sender) {
	}

	/** Passes messages to the container. */
	@FunctionalInterface
	interface Sender {

		CompletionStage<@Nullable Void> transmit(OutgoingMessage message) throws Exception;

	}

	/** A message that is dropped without a trace. */
	private record WaitingAlone(LeveledTask<?> task) implements SendBuffer.Waiting {

		@Override
		public boolean isDone() {
			return this.task.isDone();
		}

		@Override
		public boolean mark() {
			return true;
		}

		@Override
		public boolean drop(TaskDroppedException reason) {
			return this.task.completeExceptionally(reason);
		}

	}

	/** A message of a stream, in whose place a gap may remain. */
	private record WaitingOfStream(LeveledTask<?> task, DroppableMessage message) implements SendBuffer.Waiting {

		@Override
		public boolean isDone() {
			return this.task.isDone();
		}

		@Override
		public boolean mark() {
			return this.message.mark();
		}

		@Override
		public boolean drop(TaskDroppedException reason) {
			this.message.drop(this.task, reason);
			return true;
		}

	}

}
