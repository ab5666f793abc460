package dev.sluice.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation that configures how to handle the calls of a limited method for which no
 * permit is available. One annotation holds for all limits of the method. On a type, it
 * applies to each method declared there without an annotation of its own. Attributes that
 * neither sets default to {@code sluice.annotations.*}.
 *
 * @since 0.1.0
 * @see Throttled
 * @see Semaphore
 * @see Mutex
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(LimitedMethodReflectiveProcessor.class)
public @interface WhenThrottled {

	/**
	 * Action to take with the call.
	 * @return the action
	 */
	Action action() default Action.DEFAULT;

	/**
	 * How long a call may wait, as in {@code 500ms} or {@code PT0.5S}; for
	 * {@link Action#WAIT} only. May hold placeholders.
	 * @return the time; empty for {@code sluice.annotations.max-wait}
	 */
	String maxWait() default "";

	/**
	 * Minimum time before a call is retried, as in {@code 500ms} or {@code PT0.5S}; for
	 * {@link Action#RETRY} only. If the limit reports a longer time, that time applies.
	 * Up to half of it is added at random. May hold placeholders.
	 * @return the time; empty for one second
	 */
	String delay() default "";

	/**
	 * Maximum number of times that a call is tried again, for {@link Action#RETRY} only.
	 * @return the number; unset by default, when it is 3
	 */
	int maxRetries() default -1;

	/**
	 * Returns whether all attempts of a {@code @Retryable} method count as one call,
	 * which then holds its permits between them, too, and is rejected before the first of
	 * them. Otherwise each attempt is a call for itself. Messages that a session handles
	 * are always one call. Also so if {@code sluice.annotations.strict} is set.
	 * @return whether there is one acquisition over all attempts
	 */
	boolean strict() default false;

	/**
	 * Method that is called in place of the limited one instead of throwing: of the same
	 * class, as in {@code later}, or of a bean, as in {@code apologies.later}. It takes
	 * the same arguments, and after them, if it likes, the
	 * {@link dev.sluice.throttle.ThrottledException}. May hold placeholders.
	 * @return the name of the method; empty for none
	 */
	String fallback() default "";

}
