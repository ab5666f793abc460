package dev.sluice.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.TaskDroppedException;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits to be sent to one client, by what it costs, and knows what may be
 * dropped.
 */
final class SendBuffer {

	/*
	 * A message is in "high" or "normal" from its submission until it is seen there to
	 * have ended: who drops tries to end it, and only one can end a message that has not
	 * begun. Bytes are given back by the message's own end. Attacked by
	 * SessionOutboundTests.
	 */

	private static final VarHandle WAITING;

	private static final VarHandle HELD;

	static {
		try {
			WAITING = MethodHandles.lookup().findVarHandle(SendBuffer.class, "waiting", long.class);
			HELD = MethodHandles.lookup().findVarHandle(SendBuffer.class, "held", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final long limit;

	@SuppressWarnings("unused")
	private volatile long waiting;

	/** What waits and what is on its way. */
	@SuppressWarnings("unused")
	private volatile long held;

	private final TotalBuffer total;

	private final @Nullable Droppable droppable;

	SendBuffer(long limit, SendOverflow overflow, TotalBuffer total) {
		this.limit = limit;
		this.total = total;
		this.droppable = (overflow == SendOverflow.DROP_OLDEST)
				? new Droppable(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>()) : null;
	}

	/** Whether a full buffer costs messages, and not the session. */
	boolean drops() {
		return this.droppable != null;
	}

	/**
	 * Makes room, at the cost of others if need be. One message is always taken, however
	 * large, so that the limit never makes one unsendable.
	 * @return whether there is room, which is the caller's then
	 */
	boolean reserve(int bytes, Level level, String queueId) {
		while (!tryReserve(bytes)) {
			if (this.droppable == null || !(this.droppable.drop(Level.NORMAL, queueId)
					|| level == Level.HIGH && this.droppable.drop(Level.HIGH, queueId))) {
				return false;
			}
		}
		return true;
	}

	/** Lets a message be dropped while it waits. */
	void add(LeveledTask<?> message, Level level) {
		if (this.droppable != null) {
			this.droppable.add(message, level);
		}
	}

	/** Counts what a message holds until it has been sent or has failed. */
	void hold(int bytes) {
		HELD.getAndAdd(this, (long) bytes);
		this.total.add(bytes);
	}

	void letGo(int bytes) {
		HELD.getAndAdd(this, (long) -bytes);
		this.total.remove(bytes);
	}

	/** Returns the bytes of what waits and of what is on its way. */
	long held() {
		return this.held;
	}

	void release(int bytes) {
		if (bytes != 0) {
			WAITING.getAndAdd(this, (long) -bytes);
		}
	}

	private boolean tryReserve(int bytes) {
		long before = (long) WAITING.getAndAdd(this, (long) bytes);
		if (before > 0 && before + bytes > this.limit) {
			release(bytes);
			return false;
		}
		return true;
	}

	@Override
	public String toString() {
		return this.waiting + " bytes waiting to be sent; the limit is " + this.limit;
	}

	/** The messages that may be dropped, the oldest of each level first. */
	private record Droppable(Queue<LeveledTask<?>> high, Queue<LeveledTask<?>> normal) {

		void add(LeveledTask<?> message, Level level) {
			Queue<LeveledTask<?>> messages = of(level);
			for (LeveledTask<?> oldest = messages.peek(); oldest != null && oldest.isDone(); oldest = messages.peek()) {
				messages.remove(oldest);
			}
			messages.add(message);
		}

		boolean drop(Level level, String queueId) {
			Queue<LeveledTask<?>> messages = of(level);
			for (LeveledTask<?> oldest = messages.poll(); oldest != null; oldest = messages.poll()) {
				if (oldest.completeExceptionally(new TaskDroppedException(queueId, OverflowStrategy.DROP_OLDEST))) {
					return true;
				}
			}
			return false;
		}

		private Queue<LeveledTask<?>> of(Level level) {
			return (level == Level.HIGH) ? this.high : this.normal;
		}

	}

}
