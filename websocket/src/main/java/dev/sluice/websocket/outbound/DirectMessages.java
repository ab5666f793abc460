package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sender of messages to one session that keeps them until the client has received them.
 */
@FunctionalInterface
public interface DirectMessages {

	/**
	 * Sends a message, on this connection of the session or a later one.
	 * @return ends when the container has sent it, or with the reason why it will never
	 * be sent
	 */
	CompletableFuture<@Nullable Void> send(WrittenMessage written, Level level);

}
