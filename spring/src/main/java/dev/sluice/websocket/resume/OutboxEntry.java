package dev.sluice.websocket.resume;

import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

/** A message that the client may not have received. */
final class OutboxEntry {

	final WrittenMessage written;

	final DirectText text;

	final Level level;

	final int bytes;

	final CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();

	long number;

	boolean stored;

	/**
	 * Whether its turn has come on a connection, so that the client may have received it.
	 */
	boolean begun;

	/** Whether its bytes are reserved in the budget. */
	boolean kept;

	OutboxEntry(WrittenMessage written, DirectText text, Level level) {
		this.written = written;
		this.text = text;
		this.level = level;
		this.bytes = text.cost();
	}

}
