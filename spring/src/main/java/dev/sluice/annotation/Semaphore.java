package dev.sluice.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation that limits how many calls of a method may run at the same time: each call
 * holds permits of a semaphore until it has ended and is rejected with a
 * {@link dev.sluice.throttle.ThrottledException} when none are available. A call whose
 * result comes later (a stage, a {@code Mono} or {@code Flux}, or an asynchronous result
 * of a handler method of Spring MVC) ends with that result.
 * <p>
 * The semaphore is defined by {@code sluice.throttles.<name>.*}, or here. In all other
 * respects, {@link Throttled} applies.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(LimitedMethodReflectiveProcessor.class)
@SuppressWarnings("exports")
@Repeatable(Semaphore.Container.class)
public @interface Semaphore {

	/**
	 * Name of the semaphore. May hold placeholders.
	 * @return the name
	 */
	String value();

	/**
	 * SpEL expression for the partition of the semaphore, as in {@link Throttled#key()}.
	 * @return the expression; empty for one semaphore over all calls
	 */
	String key() default "";

	/**
	 * SpEL expression for the permits that one call holds, as in
	 * {@link Throttled#permits()}.
	 * @return the expression
	 */
	String permits() default "1";

	/**
	 * Permits that may be held at once, unless {@code sluice.throttles.<name>.*} defines
	 * the semaphore.
	 * @return the limit; unset by default
	 */
	int limit() default -1;

	/**
	 * Whether the method acquires the permits, releases them, or both.
	 * @return the mode
	 */
	Mode mode() default Mode.ACQUIRE_AND_RELEASE;

	/**
	 * SpEL expression for the owner of the permits, such as {@code #batchId}, with the
	 * same variables as {@link #key()}. An owner that enters again while it holds is
	 * admitted at once. May hold placeholders.
	 * @return the expression; empty for the call itself, which {@link Mode#ACQUIRE} and
	 * {@link Mode#RELEASE} do not allow
	 */
	String owner() default "";

	/**
	 * Whether to reject a call with {@link Mode#RELEASE} if its owner holds no permits.
	 * The rejection follows {@link WhenThrottled}, but without waiting. If {@code false},
	 * the call proceeds.
	 * @return whether the owner has to hold permits
	 */
	boolean requireHeld() default false;

	/**
	 * Holds several semaphores of one element.
	 *
	 * @since 0.1.0
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Reflective
	@interface Container {

		/**
		 * Semaphores of the element.
		 * @return the semaphores
		 */
		Semaphore[] value();

	}

}
