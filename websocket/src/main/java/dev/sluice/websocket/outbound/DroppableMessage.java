package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * A message of a stream, or a gap in its place.
 */
final class DroppableMessage implements LateContent {

	/*
	 * The state is guarded by the gaps of the stream. The turn begins, and the message is
	 * marked as dropped, with the lock held, and each excludes the other. Futures and
	 * observations are ended without the lock. Attacked by DroppableStreamTests and
	 * DroppedHistoryTests.
	 */

	private final Gaps gaps;

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
	 * @param gaps the gaps of its stream
	 * @param frame creates the gap in its place
	 * @param gap whether the message is a gap itself
	 */
	DroppableMessage(Gaps gaps, WebSocketMessage<?> content, Supplier<WrittenMessage> frame, boolean gap) {
		this.gaps = gaps;
		this.content = content;
		this.frame = frame;
		this.gap = gap;
	}

	/** Called before the message is queued. */
	void queue(Queued message) {
		synchronized (this.gaps) {
			this.outgoing = message;
			this.number = this.gaps.queue(this);
		}
	}

	boolean isQueued() {
		synchronized (this.gaps) {
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
		synchronized (this.gaps) {
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
		synchronized (this.gaps) {
			Queued message = this.outgoing;
			if (this.begun || message == null) {
				return false;
			}
			boolean remains = this.gaps.drop(this);
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
		synchronized (this.gaps) {
			remains = this.gap;
			message = this.outgoing;
			own = this.outcome;
		}
		if (!remains) {
			task.completeExceptionally(reason);
		}
		else if (message != null) {
			message.release();
			this.gaps.count();
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
		synchronized (this.gaps) {
			if (!this.begun) {
				this.begun = true;
				this.gaps.remove(this);
				if (this.gap) {
					this.content = this.frame.get().message();
				}
			}
			return this.gap;
		}
	}

	@Override
	public WebSocketMessage<?> get() {
		synchronized (this.gaps) {
			WebSocketMessage<?> present = this.content;
			if (present == null) {
				throw this.gaps.dropped();
			}
			return present;
		}
	}

	/** Called when the message, or the gap in its place, has been sent or has failed. */
	void ended() {
		synchronized (this.gaps) {
			this.begun = true;
			this.content = null;
			this.outgoing = null;
			this.gaps.remove(this);
		}
	}

	/** The gaps of a stream, and the lock of the state of its messages. */
	static final class Gaps {

		/*
		 * "gap" is the gap in the place of dropped messages until its turn begins, and
		 * "gapEnd" the number of the latest message that it replaces: the buffer drops
		 * the messages of a stream in their order, so that no message of the stream
		 * remains between the two. Attacked by DroppedHistoryTests.
		 */

		private final TaskQueue queue;

		/** Number of messages queued. */
		private long queued;

		private @Nullable DroppableMessage gap;

		private long gapEnd;

		/** The latest gap that was queued as one, until its turn begins. */
		private @Nullable DroppableMessage told;

		Gaps(TaskQueue queue) {
			this.queue = queue;
		}

		/**
		 * Lets the latest gap replace a message for which there is no room.
		 * @return {@code false} if a message has been queued behind it
		 */
		synchronized boolean add(Supplier<WrittenMessage> frame) {
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
