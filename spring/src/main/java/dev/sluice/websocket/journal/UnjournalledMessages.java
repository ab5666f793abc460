package dev.sluice.websocket.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.websocket.SentMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Log of messages that no journal has taken: by one warning for all of a second, however
 * many they are, with their number and the first of them.
 */
final class UnjournalledMessages {

	private static final Log logger = LogFactory.getLog(LoggingSentMessageJournal.LOGGER);

	private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

	private static final int SHOWN = 10;

	private final ReentrantLock lock = new ReentrantLock();

	private List<String> shown = new ArrayList<>();

	private long messages;

	/** Adds a message to the next warning. */
	void add(SentMessage message, Throwable reason) {
		boolean first;
		this.lock.lock();
		try {
			first = this.messages++ == 0;
			if (this.shown.size() < SHOWN) {
				this.shown.add(LoggingSentMessageJournal.line(message) + " (" + reason + ")");
			}
		}
		finally {
			this.lock.unlock();
		}
		if (first) {
			LATER.execute(this::write);
		}
	}

	/** Writes the warning now, if there is anything to warn of. */
	void write() {
		List<String> lines;
		long all;
		this.lock.lock();
		try {
			lines = this.shown;
			all = this.messages;
			this.shown = new ArrayList<>();
			this.messages = 0;
		}
		finally {
			this.lock.unlock();
		}
		if (all > 0) {
			String more = (all > lines.size()) ? "; and " + (all - lines.size()) + " more" : "";
			logger.warn("Not journalled: " + all + " messages: " + String.join("; ", lines) + more);
		}
	}

}
