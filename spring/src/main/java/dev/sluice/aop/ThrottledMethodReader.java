package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Turns the annotations of a method into what the gate needs, and checks them. */
final class ThrottledMethodReader {

	private final ThrottlingManager manager;

	private final StringValueResolver placeholders;

	ThrottledMethodReader(ThrottlingManager manager, StringValueResolver placeholders) {
		this.manager = manager;
		this.placeholders = placeholders;
	}

	/**
	 * Reads the annotations of a method.
	 * @param method the method, as its class declares it
	 * @return what they ask for, or empty if there are none
	 * @throws InvalidThrottledMethodException if they cannot be followed
	 */
	Optional<ThrottledMethod> read(Method method) {
		if (!LimitAnnotations.present(method)) {
			return Optional.empty();
		}
		MethodParameters parameters = new MethodParameters(method);
		Reading reading = new Reading(method, parameters, parser(method));
		List<MethodLimit> limits = new ArrayList<>();
		for (Semaphore semaphore : LimitAnnotations.find(method, Semaphore.class)) {
			limits.add(reading.limit(LimitKind.SEMAPHORE, semaphore.value(), semaphore.key(), semaphore.permits()));
		}
		for (Mutex mutex : LimitAnnotations.find(method, Mutex.class)) {
			limits.add(reading.limit(LimitKind.MUTEX, mutex.value(), mutex.key(), "1"));
		}
		for (Throttled throttled : LimitAnnotations.find(method, Throttled.class)) {
			limits.add(reading.limit(LimitKind.RATE, throttled.value(), throttled.key(), throttled.permits()));
		}
		return Optional.of(new ThrottledMethod(this.manager, parameters, limits));
	}

	/*
	 * Mixed mode: an expression is compiled once it is hot, and goes back to being
	 * interpreted when a value turns up of another class than it was compiled for.
	 */
	private static SpelExpressionParser parser(Method method) {
		return new SpelExpressionParser(
				new SpelParserConfiguration(SpelCompilerMode.MIXED, method.getDeclaringClass().getClassLoader()));
	}

	/** One reading of one method. */
	private final class Reading {

		private final Method method;

		private final MethodParameters parameters;

		private final SpelExpressionParser parser;

		Reading(Method method, MethodParameters parameters, SpelExpressionParser parser) {
			this.method = method;
			this.parameters = parameters;
			this.parser = parser;
		}

		MethodLimit limit(LimitKind kind, String value, String key, String permits) {
			String annotation = kind.annotation() + "(\"" + value + "\")";
			String resource = resolve(new AnnotationAttribute(this.method, annotation, "value", value));
			define(kind, resource, new AnnotationAttribute(this.method, annotation, "value", value));
			return new MethodLimit(resource,
					expression(new AnnotationAttribute(this.method, annotation, "key", key), ""),
					expression(new AnnotationAttribute(this.method, annotation, "permits", permits), "1"));
		}

		private @Nullable MethodExpression expression(AnnotationAttribute attribute, String none) {
			String text = resolve(attribute);
			return text.equals(none) ? null : MethodExpression.parse(this.parser, text, this.parameters, attribute);
		}

		private String resolve(AnnotationAttribute attribute) {
			try {
				String resolved = ThrottledMethodReader.this.placeholders.resolveStringValue(attribute.text());
				return (resolved != null) ? resolved : "";
			}
			catch (IllegalArgumentException ex) {
				throw attribute.invalid("has a placeholder without a value",
						"Set the property, or give it a default as in ${name:default}.", ex);
			}
		}

		private void define(LimitKind kind, String resource, AnnotationAttribute attribute) {
			ThrottlingManager manager = ThrottledMethodReader.this.manager;
			if (!StringUtils.hasText(resource)) {
				throw attribute.invalid("is no name", "Name the limit, as in " + kind.annotation() + "(\"commands\").");
			}
			Optional<Throttle> throttle = manager.find(resource);
			if (throttle.isEmpty() && kind == LimitKind.MUTEX) {
				throttle = Optional.of(manager.addOrUpdate(resource, Limit.mutex()));
			}
			Limit limit = throttle.orElseThrow(() -> undefined(kind, resource, attribute)).limit();
			if (!kind.matches(limit)) {
				throw attribute.invalid("asks for " + kind + ", but '" + resource + "' is " + LimitKind.of(limit),
						"Use " + LimitKind.of(limit).annotation() + ", or give one of the two another name.");
			}
		}

		private InvalidThrottledMethodException undefined(LimitKind kind, String resource,
				AnnotationAttribute attribute) {
			String property = "sluice.throttles." + (resource.matches("[a-z0-9-]+") ? resource : '[' + resource + ']');
			String properties = (kind == LimitKind.SEMAPHORE)
					? "'" + property + ".type=semaphore' and '" + property + ".limit'"
					: "'" + property + ".limit' and '" + property + ".period'";
			String defined = ThrottledMethodReader.this.manager.throttles()
				.stream()
				.map(Throttle::resource)
				.sorted()
				.collect(Collectors.joining(", "));
			return attribute.invalid("names a limit that is not defined",
					"Set " + properties + ". Limits so far: " + (defined.isEmpty() ? "none" : defined) + '.');
		}

	}

}
