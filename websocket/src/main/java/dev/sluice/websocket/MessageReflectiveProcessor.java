package dev.sluice.websocket;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.stream.Stream;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;
import org.springframework.core.ResolvableType;

/**
 * {@link ReflectiveProcessor} that registers hints for a message-handling method, for
 * reading its message and for writing its result as JSON, including all permitted types
 * of sealed types.
 */
final class MessageReflectiveProcessor implements ReflectiveProcessor {

	private final ReflectiveProcessor methods = new SimpleReflectiveProcessor();

	private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

	@Override
	public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
		this.methods.registerReflectionHints(hints, element);
		if (element instanceof Method method) {
			Stream.concat(Stream.of(method.getGenericParameterTypes()), Stream.of(method.getGenericReturnType()))
				.forEach((type) -> registerType(hints, type));
		}
	}

	private void registerType(ReflectionHints hints, Type type) {
		this.bindings.registerReflectionHints(hints, type);
		ResolvableType resolvable = ResolvableType.forType(type);
		for (ResolvableType argument : resolvable.getGenerics()) {
			registerType(hints, argument.getType());
		}
		Class<?> resolved = resolvable.toClass();
		if (resolved.isSealed()) {
			for (Class<?> permitted : resolved.getPermittedSubclasses()) {
				registerType(hints, permitted);
			}
		}
	}

}
