package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NativeDetector;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads the attributes of the annotations of one method: placeholders, expressions,
 * times.
 */
final class MethodAttributes {

	/** Zero needs no unit. */
	private static final Pattern NO_UNIT = Pattern.compile("\\s*[+-]?0*[1-9]\\d*\\s*");

	/** A native image cannot load classes compiled at runtime. */
	private static final SpelCompilerMode COMPILER_MODE = NativeDetector.inNativeImage() ? SpelCompilerMode.OFF
			: SpelCompilerMode.MIXED;

	private final Method method;

	private final StringValueResolver placeholders;

	private final MethodParameters parameters;

	private final SpelExpressionParser parser;

	/*
	 * Mixed mode: a hot expression is compiled, and is interpreted again if a value has
	 * another class than it was compiled for.
	 */
	MethodAttributes(Method method, StringValueResolver placeholders) {
		this.method = method;
		this.placeholders = placeholders;
		this.parameters = new MethodParameters(method);
		this.parser = new SpelExpressionParser(
				new SpelParserConfiguration(COMPILER_MODE, method.getDeclaringClass().getClassLoader()));
	}

	MethodParameters parameters() {
		return this.parameters;
	}

	AnnotationAttribute attribute(AnnotatedLimit annotated, String name) {
		return attribute(annotated, name, annotated.get(name));
	}

	AnnotationAttribute attribute(Object annotation, String name, Object value) {
		return new AnnotationAttribute(this.method, annotation.toString(), name, value);
	}

	/** Returns the text with its placeholders replaced. */
	String text(AnnotationAttribute attribute) {
		try {
			String resolved = this.placeholders.resolveStringValue(attribute.text());
			return (resolved != null) ? resolved : "";
		}
		catch (IllegalArgumentException ex) {
			throw attribute.invalid("has a placeholder without a value",
					"Set the property, or give it a default, as in ${name:default}.", ex);
		}
	}

	/**
	 * Returns the expression, or {@code null} if the text is the default.
	 */
	@Nullable MethodExpression expression(AnnotationAttribute attribute, String none) {
		String text = text(attribute);
		if (text.isBlank() && !text.equals(none)) {
			throw attribute.invalid("is blank",
					"Write an expression, as in \"#a0\", or remove '" + attribute.name() + "'.");
		}
		return text.equals(none) ? null : MethodExpression.parse(this.parser, text, this.parameters, attribute);
	}

	/** Returns the time, or {@code null} if the text is empty. */
	@Nullable Duration duration(AnnotationAttribute attribute) {
		String text = text(attribute);
		if (NO_UNIT.matcher(text).matches()) {
			throw attribute.invalid("has no unit", "Add one, as in " + text.trim() + "s or " + text.trim() + "ms.");
		}
		try {
			return text.isEmpty() ? null : DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw attribute.invalid("is no time", "Write a number and a unit, as in 500ms, 5s or 1h, or PT0.5S.", ex);
		}
	}

}
