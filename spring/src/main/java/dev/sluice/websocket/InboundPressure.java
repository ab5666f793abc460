package dev.sluice.websocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Counts what a client has sent and nobody has handled, and slows the client at its
 * socket: reading stops at the high-water mark and goes on at the low one. Where the
 * container cannot stop reading, the thread that delivers the messages waits instead, one
 * at a time and for a limited time.
 */
final class InboundPressure implements ClientReading {

	/**
	 * When reading stops and goes on.
	 *
	 * @param highWaterMark the messages at which reading stops
	 * @param lowWaterMark the messages at which it goes on
	 * @param bufferSizeLimit the bytes at which reading stops; it goes on at half of them
	 * @param maxBlock how long a delivering thread waits where reading cannot be stopped
	 */
	record Marks(int highWaterMark, int lowWaterMark, int bufferSizeLimit, Duration maxBlock) {

		static final Marks DEFAULTS = new Marks(128, 32, 1024 * 1024, Duration.ofSeconds(10));

		Marks {
			if (lowWaterMark < 0 || lowWaterMark >= highWaterMark) {
				throw new IllegalArgumentException(
						"'lowWaterMark' must not be negative and be less than 'highWaterMark': " + lowWaterMark + ", "
								+ highWaterMark);
			}
			if (bufferSizeLimit <= 0) {
				throw new IllegalArgumentException("'bufferSizeLimit' must be greater than 0: " + bufferSizeLimit);
			}
		}

	}

	private final Marks marks;

	private final @Nullable SocketReading reading;

	private final Runnable resumed;

	/** Makes counting and the stopping or resuming that follows one step. */
	private final ReentrantLock lock = new ReentrantLock();

	/** What a delivering thread waits for where reading cannot be stopped. */
	private final @Nullable Condition relief;

	private final TotalBuffer total;

	/** The latest of those that wait, which know the ones before them. */
	private @Nullable WaitingMessage latest;

	private int messages;

	private long bytes;

	/** The bytes of a message of which parts are missing. */
	private int incomplete;

	/** Why messages are not handled any more; written with the lock only. */
	private volatile @Nullable Throwable discarded;

	private boolean over;

	private int holds;

	private boolean suspended;

	private boolean released;

	/**
	 * Creates the counter.
	 * @param total bounds what waits in all sessions
	 * @param reading stops and resumes, or {@code null} if nothing can
	 * @param resumed run after each resuming, but for the last
	 */
	InboundPressure(Marks marks, TotalBuffer total, @Nullable SocketReading reading, Runnable resumed) {
		this.marks = marks;
		this.total = total;
		this.reading = reading;
		this.resumed = resumed;
		this.relief = (reading == null) ? this.lock.newCondition() : null;
	}

	/**
	 * Counts a message that was delivered, unless it may not wait; called on the
	 * delivering thread.
	 * @return whether the message may wait; {@code false} when the delivering thread has
	 * waited in vain, or another one waits
	 */
	boolean add(WaitingMessage message) throws InterruptedException {
		this.lock.lock();
		try {
			link(message);
		}
		finally {
			this.lock.unlock();
		}
		this.total.add(message.cost());
		boolean room = false;
		try {
			room = awaitRoom();
		}
		finally {
			if (!room) {
				remove(message);
			}
		}
		return room;
	}

	private boolean awaitRoom() throws InterruptedException {
		this.lock.lock();
		try {
			if (!isHigh() || this.suspended || this.released) {
				return true;
			}
			if (this.reading == null) {
				return awaitRelief();
			}
			this.suspended = true;
			this.reading.suspend();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Told what ends when a message is handled. */
	void handedOver(WaitingMessage message, CompletableFuture<?> handling) {
		message.handledBy(handling);
		Throwable reason = this.discarded;
		if (reason != null) {
			message.discard(reason);
		}
	}

	/** Counts a message that no longer waits. */
	void remove(WaitingMessage message) {
		boolean resumes;
		this.lock.lock();
		try {
			unlink(message);
			resumes = isLow() && resume();
		}
		finally {
			this.lock.unlock();
		}
		this.total.remove(message.cost());
		if (resumes) {
			this.resumed.run();
		}
	}

	/**
	 * Counts a message of which parts are missing. It stops no reading, which would keep
	 * the parts away.
	 * @param size its bytes so far; zero when it is whole
	 */
	void incomplete(int size) {
		int more;
		this.lock.lock();
		try {
			int counted = this.over ? 0 : size;
			more = counted - this.incomplete;
			this.incomplete = counted;
		}
		finally {
			this.lock.unlock();
		}
		this.total.add(more);
	}

	/** The connection is gone: what is incomplete stays so. */
	void end() {
		this.lock.lock();
		try {
			this.over = true;
		}
		finally {
			this.lock.unlock();
		}
		incomplete(0);
	}

	/** Returns the bytes that wait, zero once they are discarded. */
	long waiting() {
		this.lock.lock();
		try {
			return (this.discarded != null) ? 0 : this.bytes + this.incomplete;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets all messages whose turn has not come go unhandled, now and from now on.
	 * @return how many were let go
	 */
	int discard(Throwable reason) {
		List<WaitingMessage> waiting = new ArrayList<>();
		this.lock.lock();
		try {
			this.discarded = reason;
			for (WaitingMessage message = this.latest; message != null; message = message.previous) {
				waiting.add(message);
			}
		}
		finally {
			this.lock.unlock();
		}
		return (int) waiting.stream().filter((message) -> message.discard(reason)).count();
	}

	@Override
	public void hold() {
		this.lock.lock();
		try {
			this.holds++;
			if (this.reading != null && !this.suspended && !this.released) {
				this.suspended = true;
				this.reading.suspend();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void letGo() {
		boolean resumes;
		this.lock.lock();
		try {
			this.holds--;
			resumes = isLow() && resume();
		}
		finally {
			this.lock.unlock();
		}
		if (resumes) {
			this.resumed.run();
		}
	}

	@Override
	public void release() {
		this.lock.lock();
		try {
			this.released = true;
			resume();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether nothing of the client is seen at present. */
	boolean isSuspended() {
		this.lock.lock();
		try {
			return this.suspended || this.relief != null && this.lock.hasWaiters(this.relief);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void link(WaitingMessage message) {
		WaitingMessage before = this.latest;
		message.previous = before;
		if (before != null) {
			before.next = message;
		}
		this.latest = message;
		this.messages++;
		this.bytes += message.cost();
	}

	private void unlink(WaitingMessage message) {
		WaitingMessage before = message.previous;
		WaitingMessage after = message.next;
		if (before != null) {
			before.next = after;
		}
		if (after != null) {
			after.previous = before;
		}
		else {
			this.latest = before;
		}
		this.messages--;
		this.bytes -= message.cost();
	}

	private boolean isHigh() {
		return this.messages >= this.marks.highWaterMark() || this.bytes >= this.marks.bufferSizeLimit()
				|| this.total.isTightFor(this.bytes);
	}

	/** A session in which nothing waits is low, however much waits in others. */
	private boolean isLow() {
		return this.holds == 0 && (this.messages == 0 || this.messages <= this.marks.lowWaterMark()
				&& this.bytes <= this.marks.bufferSizeLimit() / 2 && !this.total.isTightFor(this.bytes));
	}

	private boolean resume() {
		if (this.relief != null) {
			this.relief.signalAll();
		}
		if (!this.suspended || this.reading == null) {
			return false;
		}
		this.suspended = false;
		this.reading.resume();
		return true;
	}

	/**
	 * Waits until there is room, unless another thread does: a client that delivers by
	 * several requests at once would have them all wait.
	 */
	private boolean awaitRelief() throws InterruptedException {
		Condition relief = Objects.requireNonNull(this.relief);
		if (this.lock.hasWaiters(relief)) {
			return false;
		}
		long nanos = this.marks.maxBlock().toNanos();
		while (!isLow() && !this.released) {
			if (nanos <= 0) {
				return false;
			}
			nanos = relief.awaitNanos(nanos);
		}
		return true;
	}

}
