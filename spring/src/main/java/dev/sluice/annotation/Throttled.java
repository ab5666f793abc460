package dev.sluice.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.sluice.throttle.LimitType;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation that limits how often a method may be called: each call acquires permits of
 * a rate limit and is rejected with a {@link dev.sluice.throttle.ThrottledException} when
 * none are available.
 * <p>
 * The limit is defined by {@code sluice.throttles.<name>.*}, or else here. Without a
 * {@link #key()} it is one limit for the whole application; with a key, the limit applies
 * to each value of the key separately. A call that several limits guard acquires permits
 * of all of them or of none.
 * <p>
 * On a type, the annotation applies to each method declared there without a
 * {@code @Throttled} of its own, except private and static methods and the callbacks for
 * a connection's start and end. As with every Spring advice, calls of an object to itself
 * are not intercepted, nor are private, static and final methods; a warning at startup
 * names the methods that carry the annotation.
 * <p>
 * The permits are acquired inside the advice of {@code @Async}, {@code @ConcurrencyLimit}
 * and {@code @Retryable}, and outside the advice of {@code @Cacheable} and
 * {@code @Transactional}. The exception is an {@code @Async} method that
 * {@link Action#WAIT waits}: it acquires its permits before it has a thread of the
 * executor. So a call that the cache answers costs its permits, and a call that is
 * rejected, or waits, costs a place in the concurrency limit, but no connection and no
 * transaction. Each attempt of a retried call costs its permits, and a rejection is tried
 * again like any failure, unless the retry excludes it or the method is
 * {@link WhenThrottled#strict() strict}. A rejected call uses no permits of any limit;
 * one that fails has used its permits of rates.
 *
 * @since 0.1.0
 * @see Semaphore
 * @see Mutex
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(LimitedMethodReflectiveProcessor.class)
@SuppressWarnings("exports")
@Repeatable(Throttled.Container.class)
public @interface Throttled {

	/**
	 * Name of the limit. May hold placeholders.
	 * @return the name
	 */
	String value();

	/**
	 * SpEL expression for the partition of the limit, such as {@code #tenantId}. It can
	 * use the parameters by name and by position ({@code #a0}), and in message handlers
	 * {@code #session}, {@code #principal} and {@code #headers}. Any type of result will
	 * do, but not {@code null}. Collections, arrays and records are compared by content,
	 * so a key of several parts is {@code {#tenant, #account}}; anything else is compared
	 * by its {@code toString}, which its class must have. May hold placeholders.
	 * @return the expression; empty for one limit over all calls
	 */
	String key() default "";

	/**
	 * SpEL expression for the permits that one call acquires, such as
	 * {@code #message.size()}, with the same variables as {@link #key()}. A call for 0
	 * permits is always admitted. May hold placeholders.
	 * @return the expression
	 */
	String permits() default "1";

	/**
	 * Kind of the limit that is defined here.
	 * @return a type of rate limit
	 */
	LimitType type() default LimitType.SLIDING_LOG;

	/**
	 * Permits per {@link #period()}, unless {@code sluice.throttles.<name>.*} defines the
	 * limit.
	 * @return the limit; unset by default
	 */
	int limit() default -1;

	/**
	 * Period of the limit, as in {@code 1s} or {@code PT1S}. May hold placeholders.
	 * @return the period; unset by default
	 */
	String period() default "";

	/**
	 * Number of buckets that the period is divided into; for sliding and dynamic windows.
	 * @return the number; unset by default
	 */
	int buckets() default -1;

	/**
	 * Maximum number of permits that a token bucket holds; or permits per
	 * {@link #period()} of all keys together, for a dynamic window.
	 * @return the number; unset by default, in which case a token bucket holds its limit
	 */
	int capacity() default -1;

	/**
	 * Minimum number of permits per {@link #period()} for each key; for a dynamic window.
	 * @return the number; 1 if unset
	 */
	int minLimit() default -1;

	/**
	 * Maximum number of permits per {@link #period()} for one key; for a dynamic window.
	 * @return the number; the capacity if unset
	 */
	int maxLimit() default -1;

	/**
	 * Holds several limits of one element.
	 *
	 * @since 0.1.0
	 */
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Reflective
	@interface Container {

		/**
		 * Limits of the element.
		 * @return the limits
		 */
		Throttled[] value();

	}

}
