package dev.sluice.bus;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.sluice.execution.Level;
import dev.sluice.execution.TaskQueue;

/** Queue of the messages to one node, delivered in order. */
final class Mailbox {

	/*
	 * The queue delivers one message at a time. "interrupted" is set when a message finds
	 * no room, and cleared by the next delivery, which then notifies the node. "closed"
	 * is written before the queue is removed, so that messages which still wait have no
	 * effect. Attacked by MemoryBusTests.
	 */

	private final TaskQueue queue;

	private final BusListener listener;

	private final AtomicBoolean interrupted = new AtomicBoolean();

	private volatile boolean closed;

	Mailbox(TaskQueue queue, BusListener listener) {
		this.queue = queue;
		this.listener = listener;
	}

	/**
	 * Adds a message. If the queue is full, the message is lost, and the node is notified
	 * after the next delivery.
	 */
	void add(Consumer<BusListener> delivery) {
		this.queue.execute(Level.NORMAL, () -> deliver(delivery)).whenComplete((nothing, failure) -> {
			if (failure != null) {
				this.interrupted.set(true);
			}
		});
	}

	private void deliver(Consumer<BusListener> delivery) {
		if (!this.closed) {
			delivery.accept(this.listener);
			if (this.interrupted.getAndSet(false)) {
				this.listener.interrupted();
			}
		}
	}

	void close() {
		this.closed = true;
		this.queue.remove();
	}

}
