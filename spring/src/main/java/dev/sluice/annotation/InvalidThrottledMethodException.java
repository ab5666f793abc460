package dev.sluice.annotation;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Thrown when the annotations of a method cannot be applied: when the application starts,
 * or at the first call if the method is not part of a bean definition. The message
 * contains the remedy.
 *
 * @since 0.1.0
 */
public class InvalidThrottledMethodException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Method method;

	private final @Nullable String beanName;

	private final String problem;

	private final String action;

	/**
	 * Creates the exception.
	 * @param method the limited method
	 * @param beanName the name of the bean with the method, if known
	 * @param problem the problem, without the place
	 * @param action what to write instead
	 */
	public InvalidThrottledMethodException(Method method, @Nullable String beanName, String problem, String action) {
		super(place(method, beanName) + ": " + problem);
		this.method = method;
		this.beanName = beanName;
		this.problem = problem;
		this.action = action;
	}

	private static String place(Method method, @Nullable String beanName) {
		String place = "Method " + ClassUtils.getShortName(method.getDeclaringClass()) + '.' + method.getName();
		return (beanName != null) ? place + " of bean '" + beanName + "'" : place;
	}

	/**
	 * Returns the limited method.
	 * @return the method
	 */
	public Method method() {
		return this.method;
	}

	/**
	 * Returns the name of the bean with the method.
	 * @return the name, or {@code null} if unknown
	 */
	public @Nullable String beanName() {
		return this.beanName;
	}

	/**
	 * Returns the remedy.
	 * @return a sentence for the developer
	 */
	public String action() {
		return this.action;
	}

	/**
	 * Returns the same exception with the name of the bean.
	 * @param beanName the name of the bean with the method
	 * @return a new exception with the same cause
	 */
	public InvalidThrottledMethodException inBean(String beanName) {
		InvalidThrottledMethodException named = new InvalidThrottledMethodException(this.method, beanName, this.problem,
				this.action);
		named.initCause(getCause());
		return named;
	}

}
