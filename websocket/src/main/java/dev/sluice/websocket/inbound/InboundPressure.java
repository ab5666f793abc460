package dev.sluice.websocket.inbound;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.websocket.container.ClientReading;
import dev.sluice.websocket.container.FrameGate;
import dev.sluice.websocket.container.SocketReading;
import dev.sluice.websocket.message.TotalBuffer;
import dev.sluice.websocket.settings.InboundLimits;
import org.jspecify.annotations.Nullable;

/**
 * Pressure of a client's messages that are not handled yet, which slows the client at its
 * socket. If the messages of a session cannot pass each other, one message is read at a
 * time: all that follows a message, including the close frame, is read once the message
 * is handled, and the thread that has read a message may handle it. Other sessions are
 * read ahead: reading stops at the high-water mark and resumes at the low one. If the
 * container cannot stop reading, the thread that delivers the messages waits instead, one
 * at a time.
 */
public final class InboundPressure implements ClientReading, FrameGate {

	/*
	 * All state is guarded by "lock", except that "handler" is written by the thread that
	 * it names, and "discarded" is read without the lock. A count changes, and reading
	 * stops or resumes, in one step, so reading does not stay stopped. A message gets its
	 * future before "discarded" is read, and "discarded" is written before the messages
	 * are read, so one of the two threads discards a message. Attacked by
	 * InboundPressureTests and BacklogHostileTests.
	 */

	private final InboundLimits limits;

	private final @Nullable SocketReading reading;

	/** Whether each message is read once the previous one has been handled. */
	private final boolean inStep;

	/** Whether the container calls the gate before it reads a frame. */
	private final boolean gated;

	private final Runnable resumed;

	/** Makes a count and the stopping or resuming that follows from it atomic. */
	private final ReentrantLock lock = new ReentrantLock();

	/** Condition of a delivering thread when reading cannot be stopped. */
	private final Condition relief = this.lock.newCondition();

	private final TotalBuffer<?> total;

	private final WaitingMessages messages = new WaitingMessages();

	/** The bytes of a message with missing parts. */
	private int incomplete;

	/** Why messages are no longer handled; written with the lock only. */
	private volatile @Nullable Throwable discarded;

	private boolean over;

	/** The id of the thread that handles a message which it has delivered, or 0. */
	private volatile long handler;

	private int holds;

	private boolean suspended;

	private boolean released;

	/** Whether the session's turn waits for a stage, and no thread does. */
	private boolean parked;

	/** Whether the handler has yet to be notified that the session is open. */
	private boolean opening;

	/**
	 * Creates the counter.
	 * @param ahead whether messages are read before earlier ones are handled
	 * @param total bounds the waiting bytes of all sessions
	 * @param reading stops and resumes reading, or {@code null} if unsupported
	 * @param resumed run after each resuming that may leave frames unread, except the
	 * last
	 */
	public InboundPressure(InboundLimits limits, boolean ahead, TotalBuffer<?> total, @Nullable SocketReading reading,
			Runnable resumed) {
		this.limits = limits;
		this.inStep = !ahead && (reading != null || limits.blocking());
		this.total = total;
		this.reading = reading;
		this.resumed = resumed;
		this.gated = reading != null && reading.connect(this);
	}

	/**
	 * Counts the opening of the session, before the end of which no message is read. The
	 * handler's settings in the opening therefore apply to the first message, and no
	 * message passes the opening.
	 * @param opened ends when the handler has processed the opening
	 */
	public void opening(CompletableFuture<?> opened) {
		WaitingMessage waiting = new WaitingMessage(0);
		setOpening(this.reading != null || this.limits.blocking());
		boolean counted = add(waiting);
		opened.whenComplete((nothing, failure) -> {
			setOpening(false);
			if (counted) {
				remove(waiting);
			}
		});
	}

	private void setOpening(boolean opening) {
		change(() -> this.opening = opening);
	}

	/**
	 * Counts a delivered message, unless it may not wait; called on the delivering
	 * thread.
	 * @return whether the message may wait; {@code false} if reading cannot be stopped,
	 * and the delivering thread must not wait or another one already does
	 */
	public boolean add(WaitingMessage message) {
		change(() -> this.messages.add(message));
		this.total.add(message.cost());
		if (!hasRoom()) {
			remove(message);
			return false;
		}
		return true;
	}

	private boolean hasRoom() {
		this.lock.lock();
		try {
			if (this.released) {
				return true;
			}
			if (this.reading == null) {
				return !isHigh() || this.limits.blocking() && !this.lock.hasWaiters(this.relief);
			}
			if (isHigh() || isInStep() && !this.gated) {
				suspend(this.reading);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether the thread that delivers a message would be idle until the message
	 * is handled: it delivers no other message, reading need not be stopped, and messages
	 * to the client are sent without that thread.
	 */
	boolean leavesReaderIdle() {
		return this.inStep && this.gated && this.reading != null && this.reading.mayBlock();
	}

	/** Sets whether the calling thread, which delivers a message, handles it. */
	void setHandler(boolean handler) {
		this.handler = handler ? Thread.currentThread().getId() : 0;
	}

	/**
	 * Counts a message that the calling thread handles, among the messages of all
	 * sessions only: it stops no reading, because that thread does not read in the
	 * meantime.
	 */
	public void beginHandling(WaitingMessage message) {
		this.total.add(message.cost());
	}

	/** Ends {@link #beginHandling}. */
	public void endHandling(WaitingMessage message) {
		this.total.remove(message.cost());
	}

	@Override
	public boolean isHandler() {
		return this.handler == Thread.currentThread().getId();
	}

	/**
	 * Keeps the thread that has delivered a message from delivering more, if reading
	 * cannot be stopped otherwise, until the required messages are handled, without a
	 * time limit. Of several threads, one waits.
	 */
	public void awaitRelief() {
		this.lock.lock();
		try {
			if (delivers() && !this.lock.hasWaiters(this.relief)) {
				while (!isLow() && !this.released && !this.over) {
					this.relief.await();
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void awaitHandled(Duration limit) {
		long left = limit.toNanos();
		this.lock.lock();
		try {
			while (left > 0 && isInStep() && this.messages.count() > 0 && !this.released && !this.over) {
				left = this.relief.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns whether the container would deliver more than is to be read. */
	private boolean delivers() {
		return (this.reading == null) ? this.limits.blocking() && (isInStep() || isHigh())
				: this.suspended && this.messages.count() > this.limits.highWaterMark();
	}

	/**
	 * Only the calling thread delivers messages, so if it finds none waiting, none waits.
	 */
	@Override
	public boolean holdsBack() {
		if (this.messages.count() == 0) {
			return false;
		}
		this.lock.lock();
		try {
			if (!isInStep() || this.reading == null || this.messages.count() == 0 || this.released) {
				return false;
			}
			suspend(this.reading);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void suspend(SocketReading reading) {
		if (!this.suspended) {
			this.suspended = true;
			reading.suspend();
		}
	}

	/**
	 * Reads messages ahead while the session's turn waits for a stage, so that a client
	 * that leaves is detected and its call leaves the waiting line.
	 */
	public void parked(CompletionStage<?> stage) {
		if (this.inStep && !(stage instanceof CompletableFuture<?> future && future.isDone())) {
			park(true);
			stage.whenComplete((value, failure) -> park(false));
		}
	}

	private void park(boolean parked) {
		changeAndResume(() -> this.parked = parked);
	}

	/** Sets the future that ends when a message is handled. */
	public void handedOver(WaitingMessage message, CompletableFuture<?> handling) {
		message.handledBy(handling);
		Throwable reason = this.discarded;
		if (reason != null) {
			message.discard(reason);
		}
	}

	/** Counts a message that no longer waits. */
	public void remove(WaitingMessage message) {
		this.total.remove(message.cost());
		changeAndResume(() -> this.messages.remove(message));
	}

	/**
	 * Counts a message with missing parts. It does not stop reading, because the parts
	 * could not arrive.
	 * @param size its bytes so far; zero when it is complete
	 */
	public void incomplete(int size) {
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

	/** The connection has ended: incomplete messages stay incomplete. */
	public void end() {
		change(() -> {
			this.over = true;
			this.relief.signalAll();
		});
		incomplete(0);
	}

	/** Returns the waiting bytes, zero once they are discarded. */
	public long waiting() {
		this.lock.lock();
		try {
			return (this.discarded != null) ? 0 : this.messages.bytes() + this.incomplete;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Discards all messages whose turn has not come, now and from now on.
	 * @return how many messages were discarded
	 */
	public int discard(Throwable reason) {
		List<WaitingMessage> waiting;
		this.lock.lock();
		try {
			this.discarded = reason;
			waiting = this.messages.all();
		}
		finally {
			this.lock.unlock();
		}
		return (int) waiting.stream().filter((message) -> message.discard(reason)).count();
	}

	@Override
	public void hold() {
		change(() -> {
			this.holds++;
			if (this.reading != null && !this.released) {
				suspend(this.reading);
			}
		});
	}

	@Override
	public void endHold() {
		changeAndResume(() -> this.holds--);
	}

	@Override
	public void release() {
		change(() -> {
			this.released = true;
			resume();
		});
	}

	/** Returns whether reading from the client is currently stopped. */
	public boolean isSuspended() {
		this.lock.lock();
		try {
			return this.suspended || this.handler != 0 || this.lock.hasWaiters(this.relief);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void change(Runnable change) {
		this.lock.lock();
		try {
			change.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Makes a change after which reading may resume. */
	private void changeAndResume(Runnable change) {
		boolean resumes;
		this.lock.lock();
		try {
			change.run();
			resumes = isLow() && resume();
		}
		finally {
			this.lock.unlock();
		}
		if (resumes && !this.gated) {
			this.resumed.run();
		}
	}

	private boolean isInStep() {
		return this.opening || this.inStep && !this.parked;
	}

	private boolean isHigh() {
		return this.messages.count() >= this.limits.highWaterMark()
				|| this.messages.bytes() >= this.limits.bufferSizeLimit()
				|| this.total.isTightFor(this.messages.bytes());
	}

	/**
	 * A session without waiting messages is below the mark, however much waits in others.
	 */
	private boolean isLow() {
		return this.holds == 0
				&& (this.messages.count() == 0 || !isInStep() && this.messages.count() <= this.limits.lowWaterMark()
						&& this.messages.bytes() <= this.limits.bufferSizeLimit() / 2
						&& !this.total.isTightFor(this.messages.bytes()));
	}

	private boolean resume() {
		this.relief.signalAll();
		if (!this.suspended || this.reading == null) {
			return false;
		}
		this.suspended = false;
		this.reading.resume();
		return true;
	}

}
