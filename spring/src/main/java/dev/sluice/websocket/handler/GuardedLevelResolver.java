package dev.sluice.websocket.handler;

import dev.sluice.execution.Level;
import dev.sluice.internal.ExtensionPoint;
import dev.sluice.websocket.LevelResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/**
 * Guard of a {@link LevelResolver}: if it fails, the message has the level of its method.
 */
record GuardedLevelResolver(LevelResolver resolver) implements LevelResolver {

	private static final ExtensionPoint RESOLVE = new ExtensionPoint("LevelResolver",
			"the message has the level of its method");

	@Override
	public @Nullable Level resolve(WebSocketSession session, WebSocketMessage<?> message) {
		try {
			return this.resolver.resolve(session, message);
		}
		catch (Throwable ex) {
			RESOLVE.failed(this.resolver, ex);
			return null;
		}
	}

}
