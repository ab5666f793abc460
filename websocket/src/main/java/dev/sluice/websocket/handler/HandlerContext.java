package dev.sluice.websocket.handler;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.execution.Level;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionAdmission;
import dev.sluice.websocket.session.SessionEvents;
import dev.sluice.websocket.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.validation.Validator;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Context that all handlers share.
 *
 * @param sessions has the sessions
 * @param admission decides which sessions are admitted
 * @param events publishes the events of sessions
 * @param messages reads and writes JSON
 * @param throttledAnswer answers messages whose limits reject them
 * @param levels determines the level of messages, or {@code null}
 * @param gate acquires the permits that annotations on handling methods require, or
 * {@code null} if those annotations have no effect
 * @param validator validates the messages of typed sessions whose methods require it, or
 * {@code null} if no method may
 */
public record HandlerContext(SessionRegistry sessions, SessionAdmission admission, SessionEvents events,
		JsonMessages messages, ThrottledAnswer throttledAnswer, @Nullable LevelResolver levels,
		@Nullable ThrottleGate gate, @Nullable Validator validator) {

	/**
	 * Returns the level of a message, which is its own unless the application resolves
	 * another one.
	 */
	public Level level(OrderedWebSocketSession session, WebSocketMessage<?> message, Level own) {
		Level resolved = (this.levels != null) ? this.levels.resolve(session, message) : null;
		return (resolved != null) ? resolved : own;
	}

}
