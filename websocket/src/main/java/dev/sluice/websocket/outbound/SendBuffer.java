package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.message.TotalBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of the messages that wait to be sent to one client: their total cost, and the
 * messages that may be dropped.
 */
final class SendBuffer {

	/*
	 * A message is in "high" or "normal" from its submission until its end is detected
	 * there. Dropping a message means trying to end it, and only one thread can end a
	 * message that has not begun. The end of a message releases its bytes; so does a
	 * message of a topic in whose place a gap remains. Attacked by SessionOutboundTests
	 * and DroppedHistoryTests.
	 *
	 * A thread that waits for room is counted in "line" before it checks for room, and a
	 * thread that releases room reads "line" afterwards, so that one of the two detects
	 * the other. It is woken when half of the buffer is free, not for each message.
	 * Attacked by SendBufferTests.
	 *
	 * If streams may fall behind, messages of streams need room within all waiting bytes,
	 * and other messages only within the bytes of other messages: one step admits them,
	 * however much the streams have. Their bytes are in "all" before the total is
	 * checked, and a message of a stream is recorded in its stream before its bytes are
	 * in "all", so that the message admitted last gives way or makes the streams give
	 * way. Until they have, and where a stream has ended, at most twice the limit waits.
	 * Attacked by CatchUpHistoryTests.
	 */

	private static final AtomicLongFieldUpdater<SendBuffer> WAITING = AtomicLongFieldUpdater
		.newUpdater(SendBuffer.class, "waiting");

	private static final AtomicLongFieldUpdater<SendBuffer> ALL = AtomicLongFieldUpdater.newUpdater(SendBuffer.class,
			"all");

	private static final AtomicLongFieldUpdater<SendBuffer> HELD = AtomicLongFieldUpdater.newUpdater(SendBuffer.class,
			"held");

	private static final AtomicReferenceFieldUpdater<SendBuffer, @Nullable Line> LINE = AtomicReferenceFieldUpdater
		.newUpdater(SendBuffer.class, Line.class, "line");

	private final long limit;

	/**
	 * Bytes of the messages whose turn has not come, except messages of streams; bounded
	 * by the limit.
	 */
	@SuppressWarnings("unused")
	private volatile long waiting;

	/** The same, including messages of streams; zero without streams. */
	@SuppressWarnings("unused")
	private volatile long all;

	/** Bytes of the messages that wait or are being sent. */
	@SuppressWarnings("unused")
	private volatile long held;

	private final TotalBuffer<?> total;

	private final @Nullable Droppable droppable;

	/** Present if messages of topics may be dropped and sent later. */
	private final @Nullable RecoverableStreams streams;

	/** Created by the first thread that waits for room. */
	private volatile @Nullable Line line;

	private volatile boolean over;

	SendBuffer(long limit, SendOverflow overflow, TotalBuffer<?> total) {
		this.limit = limit;
		this.total = total;
		this.droppable = (overflow == SendOverflow.DROP_OLDEST) ? new Droppable() : null;
		this.streams = (overflow == SendOverflow.CATCH_UP)
				? new RecoverableStreams(() -> this.held == 0 && this.all == 0, () -> this.all <= this.limit / 4)
				: null;
	}

	/** Returns the streams that may fall behind, if any may. */
	@Nullable RecoverableStreams streams() {
		return this.streams;
	}

	/** Returns whether a full buffer drops messages instead of closing the session. */
	boolean drops() {
		return this.droppable != null;
	}

	/**
	 * Reserves room, dropping other messages if necessary. One message is always
	 * accepted, whatever its size, so that the limit never makes a message unsendable.
	 * @return whether room was reserved
	 */
	boolean reserve(int bytes, Level level, String queueId) {
		while (!tryReserve(WAITING, bytes, this.limit)) {
			if (this.droppable == null || !(this.droppable.drop(Level.NORMAL, queueId)
					|| level == Level.HIGH && this.droppable.drop(Level.HIGH, queueId))) {
				return false;
			}
		}
		taken(bytes);
		return true;
	}

	/**
	 * Reserves the remaining room for a message of a stream, without dropping other
	 * messages.
	 * @param half whether only half of the buffer may be used
	 */
	boolean reserveForStream(int bytes, boolean half) {
		return tryReserve(ALL, bytes, half ? this.limit / 2 : this.limit);
	}

	/** Reverts {@link #reserveForStream}. */
	void releaseOfStream(int bytes) {
		ALL.getAndAdd(this, -bytes);
	}

	/**
	 * A message that does not belong to a stream was admitted, for which streams may fall
	 * behind.
	 */
	private void taken(int bytes) {
		if (this.streams != null && ALL.addAndGet(this, bytes) > this.limit) {
			this.streams.fallBehind();
		}
	}

	/** Makes a message droppable while it waits. */
	void add(Waiting message, Level level) {
		if (this.droppable != null) {
			this.droppable.add(message, level);
		}
	}

	/** Counts the bytes that a message holds until it has been sent or has failed. */
	void hold(int bytes) {
		HELD.getAndAdd(this, bytes);
		this.total.add(bytes);
	}

	/** Reverts {@link #hold}. */
	void releaseHeld(int bytes) {
		HELD.getAndAdd(this, -bytes);
		this.total.remove(bytes);
		if (this.streams != null) {
			this.streams.messageEnded();
		}
	}

	/** Returns the bytes of all messages that wait or are being sent. */
	long held() {
		return this.held;
	}

	/** Releases reserved bytes, and wakes threads that wait for them. */
	void releaseWaiting(int bytes) {
		if (bytes != 0) {
			if (this.streams != null) {
				ALL.getAndAdd(this, -bytes);
			}
			WAITING.getAndAdd(this, -bytes);
			Line line = this.line;
			if (line != null && line.threads > 0 && this.waiting <= this.limit / 2) {
				line.wake();
			}
		}
	}

	/**
	 * Returns whether the waiting bytes exceed the limit, even without messages of
	 * streams.
	 */
	boolean isExceeded() {
		return this.waiting > this.limit;
	}

	/** Counts the bytes of a message beyond the limit. */
	void exceed(int bytes) {
		WAITING.getAndAdd(this, bytes);
		taken(bytes);
	}

	/**
	 * Waits for room and reserves it, as long as messages are being sent.
	 * @param patience the maximum time without progress
	 * @param progress a value that changes with each message sent
	 * @return whether room was reserved; {@code false} without progress, or once the
	 * session has ended
	 */
	boolean awaitRoom(int bytes, Duration patience, LongSupplier progress) throws InterruptedException {
		boolean room = awaitTurn(bytes, patience, progress);
		if (room) {
			taken(bytes);
		}
		return room;
	}

	private boolean awaitTurn(int bytes, Duration patience, LongSupplier progress) throws InterruptedException {
		Line line = line();
		line.lock.lock();
		try {
			line.threads++;
			long seen = progress.getAsLong();
			long nanos = patience.toNanos();
			while (!this.over) {
				if (tryReserve(WAITING, bytes, this.limit)) {
					return true;
				}
				if (nanos <= 0) {
					if (progress.getAsLong() == seen) {
						return false;
					}
					seen = progress.getAsLong();
					nanos = patience.toNanos();
				}
				nanos = line.room.awaitNanos(nanos);
			}
			return false;
		}
		finally {
			line.threads--;
			line.lock.unlock();
		}
	}

	/** Called when nothing is sent any longer: no thread waits for room. */
	void end() {
		this.over = true;
		Line line = this.line;
		if (line != null) {
			line.wake();
		}
	}

	private Line line() {
		Line made = new Line();
		return LINE.compareAndSet(this, null, made) ? made : Objects.requireNonNull(this.line);
	}

	private boolean tryReserve(AtomicLongFieldUpdater<SendBuffer> room, int bytes, long limit) {
		long before = room.get(this);
		while (before <= 0 || before + bytes <= limit) {
			if (room.compareAndSet(this, before, before + bytes)) {
				return true;
			}
			before = room.get(this);
		}
		return false;
	}

	@Override
	public String toString() {
		return this.waiting + " bytes waiting to be sent; the limit is " + this.limit;
	}

	/** The threads that wait for room. */
	private static final class Line {

		private final ReentrantLock lock = new ReentrantLock();

		private final Condition room = this.lock.newCondition();

		/** Written with the lock only. */
		private volatile int threads;

		void wake() {
			this.lock.lock();
			try {
				this.room.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}

	}

	/** A message that may be dropped while it waits. */
	interface Waiting {

		/** Returns whether it has ended. */
		boolean isDone();

		/** Chooses the message, unless it can no longer be dropped. */
		boolean mark();

		/** Drops the message after {@link #mark}; returns whether it was dropped. */
		boolean drop(TaskDroppedException reason);

	}

	/** The messages that may be dropped, the oldest of each level first. */
	private static final class Droppable {

		private final Queue<Waiting> high = new ConcurrentLinkedQueue<>();

		private final Queue<Waiting> normal = new ConcurrentLinkedQueue<>();

		/** Held while a message is chosen and marked, so that all are in their order. */
		private final ReentrantLock choice = new ReentrantLock();

		void add(Waiting message, Level level) {
			Queue<Waiting> messages = of(level);
			for (Waiting oldest = messages.peek(); oldest != null && oldest.isDone(); oldest = messages.peek()) {
				messages.remove(oldest);
			}
			messages.add(message);
		}

		boolean drop(Level level, String queueId) {
			TaskDroppedException reason = new TaskDroppedException(queueId, OverflowStrategy.DROP_OLDEST);
			for (Waiting oldest = choose(level); oldest != null; oldest = choose(level)) {
				if (oldest.drop(reason)) {
					return true;
				}
			}
			return false;
		}

		private @Nullable Waiting choose(Level level) {
			this.choice.lock();
			try {
				Waiting oldest = of(level).poll();
				while (oldest != null && !oldest.mark()) {
					oldest = of(level).poll();
				}
				return oldest;
			}
			finally {
				this.choice.unlock();
			}
		}

		private Queue<Waiting> of(Level level) {
			return (level == Level.HIGH) ? this.high : this.normal;
		}

	}

}
