package dev.sluice.websocket.outbound;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/** The message of a session that is being sent in parts, if any. */
final class OutboundParts {

	/*
	 * "open" is created once, by CAS. Its message is guarded by its lock, which is held
	 * while the message is queued, so one message at a time consists of parts. Parts are
	 * added, and messages fail, without the lock. Attacked by SessionOutboundTests and
	 * SendOutcomeComparisonTests.
	 */

	private static final AtomicReferenceFieldUpdater<OutboundParts, @Nullable Open> OPEN = AtomicReferenceFieldUpdater
		.newUpdater(OutboundParts.class, Open.class, "open");

	private final TaskQueue queue;

	/** Created with the first part of a message. */
	private volatile @Nullable Open open;

	OutboundParts(TaskQueue queue) {
		this.queue = queue;
	}

	/**
	 * Sends a message as a part of another message, which is one task from the first part
	 * to the last.
	 * @return the part's outcome, or {@code null} if the message is not a part
	 */
	@Nullable CompletableFuture<@Nullable Void> send(Callable<CompletionStage<@Nullable Void>> sending, boolean last,
			Level level) {
		FragmentedMessage message = messageOf(last, level);
		return (message != null) ? message.add(sending, last) : null;
	}

	/** Finds the message that a part belongs to; it begins with the first part. */
	private @Nullable FragmentedMessage messageOf(boolean last, Level level) {
		Open open = this.open;
		if (open == null) {
			if (last) {
				return null;
			}
			open = open();
		}
		open.lock.lock();
		try {
			FragmentedMessage present = open.message;
			if (last && (present == null || level == Level.HIGH)) {
				return null;
			}
			FragmentedMessage message = (present != null) ? present : new FragmentedMessage();
			open.message = last ? null : message;
			if (present == null) {
				this.queue.submitStage(level, message).exceptionally((ex) -> {
					message.fail(ex);
					return null;
				});
			}
			return message;
		}
		finally {
			open.lock.unlock();
		}
	}

	private Open open() {
		Open made = new Open();
		return OPEN.compareAndSet(this, null, made) ? made : Objects.requireNonNull(this.open);
	}

	/** A message whose last part can no longer come must not hold the queue. */
	void end(Supplier<SessionClosedException> reason) {
		Open open = this.open;
		if (open == null) {
			return;
		}
		FragmentedMessage unfinished;
		open.lock.lock();
		try {
			unfinished = open.message;
			open.message = null;
		}
		finally {
			open.lock.unlock();
		}
		if (unfinished != null) {
			unfinished.fail(reason.get());
		}
	}

	/** The message whose last part has yet to come. */
	private static final class Open {

		private final ReentrantLock lock = new ReentrantLock();

		/** Guarded by "lock". */
		private @Nullable FragmentedMessage message;

	}

}
