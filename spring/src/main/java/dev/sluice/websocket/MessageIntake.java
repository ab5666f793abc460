package dev.sluice.websocket;

import dev.sluice.execution.LeveledTask;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/** Turns what a client sends into tasks of its session. */
@FunctionalInterface
interface MessageIntake {

	/**
	 * Queues the handling of a message; called on the container's thread, in the order of
	 * the messages.
	 * @return the task, which fails only if it is never run; {@code null} if there is
	 * nothing to do
	 */
	@Nullable LeveledTask<?> offer(OrderedWebSocketSession session, WebSocketMessage<?> message);

}
