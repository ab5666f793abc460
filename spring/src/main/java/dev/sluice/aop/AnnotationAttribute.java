package dev.sluice.aop;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/** Names an attribute of an annotation of a method, and complains about it. */
record AnnotationAttribute(Method method, String annotation, String name, String text) {

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
		return '\'' + this.name + " = \"" + this.text + "\"' of " + this.annotation;
	}

	@Override
	public String toString() {
		return describe() + " on " + ClassUtils.getShortName(this.method.getDeclaringClass()) + '.'
				+ this.method.getName();
	}

}
