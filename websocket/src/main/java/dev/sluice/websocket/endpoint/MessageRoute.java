package dev.sluice.websocket.endpoint;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;

import dev.sluice.execution.Level;
import dev.sluice.websocket.ManagedSession;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;

/**
 * A method and the argument that it is called with.
 *
 * @param method the method
 * @param payload the type of its parameter, or {@code null} for none
 * @param level the level of its messages
 * @param hints the validation groups of its messages, empty for the default; {@code null}
 * to skip validation
 * @param reader reads JSON messages, or verifies them if the method has no parameter or a
 * text; {@code null} for plain texts and bytes
 */
record MessageRoute(Method method, @Nullable Type payload, Level level, @Nullable List<Object> hints,
		@Nullable ObjectReader reader) {

	/**
	 * Calls the method.
	 * @return its result; a stage for a suspend function
	 * @throws Exception if the method throws it
	 */
	@Nullable Object call(ManagedSession session, @Nullable Object[] arguments) throws Exception {
		if (KotlinDetector.isSuspendingFunction(this.method)) {
			return Mono.from(CoroutinesUtils.invokeSuspendingFunction(this.method, session, arguments)).toFuture();
		}
		try {
			return this.method.invoke(session, arguments);
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
			throw ex;
		}
	}

	MessageRoute withJson(@Nullable Type type, ObjectReader json) {
		return new MessageRoute(this.method, type, this.level, this.hints, json);
	}

	/** Reads a message. */
	@Nullable Object read(String json) throws JacksonException {
		Object value = Objects.requireNonNull(this.reader).readValue(json);
		return (this.payload == String.class) ? json : value;
	}

}
