package dev.sluice.websocket.stomp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.websocket.SessionTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageHandlingRunnable;

/** What the subscribers of a channel do about one message, one after the other. */
final class MessageTask implements SessionTask {

	private static final Log logger = LogFactory.getLog(StompTaskExecutor.class);

	private final List<MessageHandlingRunnable> handlings = new ArrayList<>(3);

	/** Adds what one more subscriber does; never after the message was handed over. */
	void add(MessageHandlingRunnable handling) {
		this.handlings.add(handling);
	}

	/** The message, or {@code null} if nobody handles it. */
	@Nullable Message<?> message() {
		return this.handlings.isEmpty() ? null : this.handlings.get(0).getMessage();
	}

	@Override
	public CompletionStage<@Nullable Void> run() {
		this.handlings.forEach(MessageTask::run);
		return CompletableFuture.completedFuture(null);
	}

	/** A subscriber that fails keeps neither the others nor the next message waiting. */
	static void run(Runnable handling) {
		try {
			handling.run();
		}
		catch (Throwable ex) {
			logger.error("Failed to handle a message", ex);
		}
	}

}
