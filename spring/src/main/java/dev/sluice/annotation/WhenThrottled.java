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
@SuppressWarnings("exports")
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
	 * Maximum number of retries of a call, for {@link Action#RETRY} only.
	 * @return the number; 3 if unset
	 */
	int maxRetries() default -1;

	/**
	 * Whether all attempts of a {@code @Retryable} method count as one call, which holds
	 * its permits between the attempts as well, and is rejected before the first one.
	 * Otherwise each attempt is a separate call. A message that a session handles is
	 * always one call. Also enabled by {@code sluice.annotations.strict}.
	 * @return whether all attempts share one acquisition
	 */
	boolean strict() default false;

	/**
	 * Method to call instead of throwing when the limited method is rejected: of the same
	 * class, as in {@code later}, or of a bean, as in {@code apologies.later}. It has the
	 * same parameters, optionally followed by the
	 * {@link dev.sluice.throttle.ThrottledException}. May hold placeholders.
	 * @return the name of the method; empty for none
	 */
	String fallback() default "";

}
