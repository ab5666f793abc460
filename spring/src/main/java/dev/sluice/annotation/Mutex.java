package dev.sluice.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation that allows one call of a method at a time: each call holds the mutex until
 * it has ended and is rejected with a {@link dev.sluice.throttle.ThrottledException}
 * while another call holds it. A call whose result comes later ends with that result.
 * <p>
 * A mutex needs no definition. <strong>It is not reentrant</strong>: it belongs to a
 * call, not to a thread, so a method that holds it and calls another method guarded by it
 * for the same key is rejected. If a nested call would wait on the thread that holds the
 * mutex, it is rejected immediately with
 * {@link dev.sluice.throttle.Decision.Reason#NESTED}. If it returns a stage, or runs on
 * another thread, it waits like any other call, and forever if the holder waits for it.
 * Set an {@link #owner()} on both methods if one may call the other. In all other
 * respects, {@link Throttled} applies.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(LimitedMethodReflectiveProcessor.class)
@SuppressWarnings("exports")
@Repeatable(Mutex.Container.class)
public @interface Mutex {

	/**
	 * Name of the mutex. May hold placeholders.
	 * @return the name
	 */
	String value();

	/**
	 * SpEL expression for the exclusive resource, such as {@code #orderId}, as in
	 * {@link Throttled#key()}.
	 * @return the expression; empty for one mutex over all calls
	 */
	String key() default "";

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
	 * Holds several mutexes of one element.
	 *
	 * @since 0.1.0
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Reflective
	@interface Container {

		/**
		 * Mutexes of the element.
		 * @return the mutexes
		 */
		Mutex[] value();

	}

}
