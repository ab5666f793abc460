package dev.sluice.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * {@link ReflectiveProcessor} that registers hints for a limited method, for the members
 * that the expressions of its limits read, and for its fallback if it is a method of the
 * same class. Not exported: the module opens the package to Spring, which creates it.
 */
final class LimitedMethodReflectiveProcessor implements ReflectiveProcessor {

	private final ReflectiveProcessor methods = new SimpleReflectiveProcessor();

	@Override
	public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
		this.methods.registerReflectionHints(hints, element);
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		Method[] limited = (element instanceof Class<?> type) ? type.getDeclaredMethods()
				: new Method[] { (Method) element };
		for (Method method : limited) {
			ExpressionHints expressions = new ExpressionHints(hints, method);
			expressions(annotations).forEach(expressions::register);
			annotations.stream(WhenThrottled.class)
				.map((annotation) -> annotation.getString("fallback"))
				.forEach((fallback) -> registerFallback(hints, method.getDeclaringClass(), fallback));
		}
	}

	private static Stream<String> expressions(MergedAnnotations annotations) {
		return Stream.of(Throttled.class, Semaphore.class, Mutex.class)
			.flatMap(annotations::stream)
			.flatMap((annotation) -> Stream.of("key", "permits", "owner")
				.flatMap((attribute) -> annotation.getValue(attribute, String.class).stream()))
			.filter((expression) -> !expression.isEmpty());
	}

	private void registerFallback(ReflectionHints hints, Class<?> type, String fallback) {
		Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(fallback))
			.forEach((method) -> this.methods.registerReflectionHints(hints, method));
	}

}
