package dev.sluice.websocket.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.sluice.websocket.SentMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Log of messages that no journal has accepted: one warning a second at most, with their
 * number and the first of them.
 */
final class UnjournalledMessages {

	/*
	 * All state is guarded by "this". The first message of a warning schedules it, and
	 * take() empties the list, so each message is in one warning. Attacked by
	 * SentMessageRecorderTests.
	 */

	private static final Log logger = LogFactory.getLog(LoggingSentMessageJournal.LOGGER);

	private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

	private static final int SHOWN = 10;

	private final List<String> shown = new ArrayList<>();

	private long messages;

	/** Adds a message to the next warning. */
	synchronized void add(SentMessage message, Throwable reason) {
		if (this.shown.size() < SHOWN) {
			this.shown.add(LoggingSentMessageJournal.line(message) + " (" + reason + ")");
		}
		if (this.messages++ == 0) {
			LATER.execute(this::write);
		}
	}

	/** Writes the warning now, if messages were added. */
	void write() {
		String warning = take();
		if (warning != null) {
			logger.warn(warning);
		}
	}

	private synchronized @Nullable String take() {
		if (this.messages == 0) {
			return null;
		}
		long more = this.messages - this.shown.size();
		String warning = "Messages not journalled (" + this.messages + " in all): " + String.join("; ", this.shown)
				+ ((more > 0) ? "; and " + more + " more" : "");
		this.shown.clear();
		this.messages = 0;
		return warning;
	}

}
