package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;

import dev.sluice.annotation.InvalidThrottledMethodException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Attribute of an annotation of a method, which creates the exceptions for its mistakes.
 */
record AnnotationAttribute(Method method, String annotation, String name, Object value) {

	/** Returns the value, for an expression or name. */
	String text() {
		return this.value.toString();
	}

	InvalidThrottledMethodException invalid(String problem, String action) {
		return invalid(problem, action, null);
	}

	InvalidThrottledMethodException invalid(String problem, String action, @Nullable Throwable cause) {
		InvalidThrottledMethodException exception = new InvalidThrottledMethodException(this.method, null,
				describe() + ' ' + problem, action);
		exception.initCause(cause);
		return exception;
	}

	private String describe() {
		return '\'' + this.name + assigned() + "' of " + this.annotation;
	}

	/** The attribute as written in the source; defaults are not shown. */
	private String assigned() {
		if (this.value instanceof Integer number) {
			return (number != AnnotatedLimit.UNSET) ? " = " + number : "";
		}
		if (this.value instanceof Boolean) {
			return " = " + this.value;
		}
		return (this.value instanceof Enum<?> constant) ? " = " + constant.name() : " = \"" + this.value + '"';
	}

	@Override
	public String toString() {
		return describe() + " on " + ClassUtils.getShortName(this.method.getDeclaringClass()) + '.'
				+ this.method.getName();
	}

}
