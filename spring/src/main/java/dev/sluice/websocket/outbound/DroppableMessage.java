package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * A message of a {@linkplain DroppableStream stream}, or a gap in its place. The stream
 * is the lock of its state.
 */
final class DroppableMessage implements LateContent {

	/*
	 * The state is guarded by the stream. The turn begins, and the message is marked as
	 * dropped, with the lock held, and each excludes the other. Futures and observations
	 * are ended without the lock. Attacked by DroppableStreamTests and
	 * DroppedHistoryTests.
	 */

	private final DroppableStream stream;

	/** Absent once the message has been dropped, or has ended. */
	private @Nullable WebSocketMessage<?> content;

	/** Creates the gap in place of the latest message that it replaces. */
	private Supplier<WrittenMessage> frame;

	private @Nullable Queued outgoing;

	/** Outcome of the message itself, if it has to wait. */
	private @Nullable CompletableFuture<@Nullable Void> outcome;

	private ObservedMessage observed = ObservedMessage.NONE;

	private long number;

	private boolean begun;

	private boolean gap;

	/**
	 * Creates a message.
	 * @param frame creates the gap in its place
	 * @param gap whether the message is a gap itself
	 */
	DroppableMessage(DroppableStream stream, WebSocketMessage<?> content, Supplier<WrittenMessage> frame, boolean gap) {
		this.stream = stream;
		this.content = content;
		this.frame = frame;
		this.gap = gap;
	}

	/** Called before the message is queued. */
	void queue(Queued message) {
		synchronized (this.stream) {
			this.outgoing = message;
			this.number = this.stream.queue(this);
		}
	}

	boolean isQueued() {
		synchronized (this.stream) {
			return this.number > 0;
		}
	}

	/** Returns the position in the stream; called with the lock held. */
	long number() {
		return this.number;
	}

	/** Returns whether a gap is sent; called with the lock held. */
	boolean isGap() {
		return this.gap;
	}

	Supplier<WrittenMessage> frame() {
		return this.frame;
	}

	/** Lets this gap replace another message; called with the lock held. */
	void add(Supplier<WrittenMessage> missed) {
		this.frame = missed;
	}

	/** Returns the outcome of the message, which ends before the gap in its place. */
	CompletableFuture<@Nullable Void> follow(CompletableFuture<@Nullable Void> sent) {
		CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
		synchronized (this.stream) {
			this.outcome = own;
		}
		sent.whenComplete((nothing, failure) -> {
			if (failure != null) {
				own.completeExceptionally(failure);
			}
			else {
				own.complete(null);
			}
		});
		return own;
	}

	/**
	 * Marks the message as dropped, with no other message being marked.
	 * @return {@code false} if its turn has begun, or it is a gap that remains
	 */
	boolean mark() {
		synchronized (this.stream) {
			Queued message = this.outgoing;
			if (this.begun || message == null) {
				return false;
			}
			boolean remains = this.stream.drop(this);
			if (this.gap && remains) {
				return false;
			}
			this.gap = remains;
			this.content = null;
			if (remains) {
				this.observed = message.replace();
			}
			return true;
		}
	}

	/** Ends the message after {@link #mark}; a gap remains in the queue. */
	void drop(LeveledTask<?> task, TaskDroppedException reason) {
		boolean remains;
		Queued message;
		CompletableFuture<@Nullable Void> own;
		synchronized (this.stream) {
			remains = this.gap;
			message = this.outgoing;
			own = this.outcome;
		}
		if (!remains) {
			task.completeExceptionally(reason);
		}
		else if (message != null) {
			message.release();
			this.stream.count();
		}
		this.observed.ended(reason);
		if (own != null) {
			own.completeExceptionally(reason);
		}
	}

	/**
	 * Begins the turn of the message.
	 * @return whether a gap is sent
	 */
	boolean begin() {
		synchronized (this.stream) {
			if (!this.begun) {
				this.begun = true;
				this.stream.remove(this);
				if (this.gap) {
					this.content = this.frame.get().message();
				}
			}
			return this.gap;
		}
	}

	@Override
	public WebSocketMessage<?> get() {
		synchronized (this.stream) {
			WebSocketMessage<?> present = this.content;
			if (present == null) {
				throw this.stream.dropped();
			}
			return present;
		}
	}

	/** Called when the message, or the gap in its place, has been sent or has failed. */
	void ended() {
		synchronized (this.stream) {
			this.begun = true;
			this.content = null;
			this.outgoing = null;
			this.stream.remove(this);
		}
	}

	/** The place of a message in the queue. */
	interface Queued {

		/**
		 * Removes the message from its place, where a gap is sent; called with the lock
		 * of the stream held.
		 * @return the observation of the message, which has yet to be ended
		 */
		ObservedMessage replace();

		/** Releases the room of the message in the buffer. */
		void release();

	}

}
