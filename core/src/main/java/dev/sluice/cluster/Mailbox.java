package dev.sluice.cluster;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.sluice.execution.Level;
import dev.sluice.execution.TaskQueue;

/** Queue of the messages to one node, delivered in order. */
final class Mailbox {

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
