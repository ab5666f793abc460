package dev.sluice.websocket;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Counts what a client has sent and nobody has handled, and slows the client at its
 * socket: reading stops at the high-water mark and goes on at the low one. Where the
 * container cannot stop reading, the thread that delivers the messages waits instead, for
 * a limited time.
 */
final class InboundPressure {

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

	private int messages;

	private long bytes;

	private boolean suspended;

	private boolean released;

	/**
	 * Creates the counter.
	 * @param reading stops and resumes, or {@code null} if nothing can
	 * @param resumed run after each resuming, but for the last
	 */
	InboundPressure(Marks marks, @Nullable SocketReading reading, Runnable resumed) {
		this.marks = marks;
		this.reading = reading;
		this.resumed = resumed;
		this.relief = (reading == null) ? this.lock.newCondition() : null;
	}

	/**
	 * Counts a message that was delivered; called on the delivering thread.
	 * @return whether the message may wait; {@code false} when the delivering thread has
	 * waited in vain
	 */
	boolean add(int messageBytes) throws InterruptedException {
		this.lock.lock();
		try {
			this.messages++;
			this.bytes += messageBytes;
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

	/** Counts a message that no longer waits. */
	void remove(int messageBytes) {
		boolean resumes;
		this.lock.lock();
		try {
			this.messages--;
			this.bytes -= messageBytes;
			resumes = isLow() && resume();
		}
		finally {
			this.lock.unlock();
		}
		if (resumes) {
			this.resumed.run();
		}
	}

	/**
	 * Lets reading go on for good: a session that is closing must see its client's
	 * answer, and takes no messages any more.
	 */
	void release() {
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
			return this.suspended;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isHigh() {
		return this.messages >= this.marks.highWaterMark() || this.bytes >= this.marks.bufferSizeLimit();
	}

	private boolean isLow() {
		return this.messages <= this.marks.lowWaterMark() && this.bytes <= this.marks.bufferSizeLimit() / 2;
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

	private boolean awaitRelief() throws InterruptedException {
		Condition relief = Objects.requireNonNull(this.relief);
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
