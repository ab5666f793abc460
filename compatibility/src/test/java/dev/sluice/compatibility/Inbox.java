package dev.sluice.compatibility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a client has received, up to the end of its connection. */
final class Inbox implements Consumer<String> {

	/** How long a client waits for one message. */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final String END = "end";

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private volatile String how = "open";

	@Override
	public void accept(String message) {
		this.received.add(message);
	}

	/** Notes that nothing comes any more. */
	void end(String how) {
		this.how = how;
		this.received.add(END);
	}

	/** Tells how the connection has ended, if it has. */
	String how() {
		return this.how;
	}

	/**
	 * Waits for messages until there are so many, the connection ends, or none comes for
	 * as long as a client waits.
	 */
	List<String> take(int count) {
		List<String> messages = new ArrayList<>();
		while (messages.size() < count) {
			String message = poll();
			if (message.equals(END)) {
				return messages;
			}
			messages.add(message);
		}
		return messages;
	}

	private String poll() {
		try {
			String message = this.received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			return (message != null) ? message : END;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return END;
		}
	}

}
