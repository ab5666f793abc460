package dev.sluice.websocket;

import java.lang.reflect.Method;
import java.lang.reflect.Type;

import dev.sluice.execution.Level;
import org.jspecify.annotations.Nullable;

/**
 * A method and what it wants to be called with.
 *
 * @param method the method
 * @param payload the type of its argument, or {@code null} for none
 * @param level the level of its messages
 */
record MessageRoute(Method method, @Nullable Type payload, Level level) {

	MessageRoute withPayload(Type type) {
		return new MessageRoute(this.method, type, this.level);
	}

}
