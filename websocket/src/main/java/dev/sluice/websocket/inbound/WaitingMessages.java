package dev.sluice.websocket.inbound;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Waiting messages of one session; not thread-safe. */
final class WaitingMessages {

	/** The latest waiting message, which refers to the ones before it. */
	private @Nullable WaitingMessage latest;

	private int count;

	private long bytes;

	int count() {
		return this.count;
	}

	/** The cost of all messages together. */
	long bytes() {
		return this.bytes;
	}

	void add(WaitingMessage message) {
		WaitingMessage before = this.latest;
		message.previous = before;
		if (before != null) {
			before.next = message;
		}
		this.latest = message;
		this.count++;
		this.bytes += message.cost();
	}

	void remove(WaitingMessage message) {
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
		this.count--;
		this.bytes -= message.cost();
	}

	/** Returns the messages, the latest first. */
	List<WaitingMessage> all() {
		List<WaitingMessage> all = new ArrayList<>(this.count);
		for (WaitingMessage message = this.latest; message != null; message = message.previous) {
			all.add(message);
		}
		return all;
	}

}
