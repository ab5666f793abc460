package dev.sluice.benchmarks.annotations;

import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.LimitType;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

import org.springframework.resilience.annotation.ConcurrencyLimit;

/** The bean that is called, in one class for each way to limit it. */
public class Quotes {

	/** A limit per second that is never reached. */
	static final int LIMIT = 900_000_000;

	/**
	 * Does next to nothing.
	 * @param user the caller
	 * @param number what for
	 * @return a number that depends on both
	 */
	public int quote(User user, int number) {
		return user.id().length() + number;
	}

	/** By us, one limit for all users. */
	public static class Limited extends Quotes {

		@Override
		@Throttled(value = "quotes", type = LimitType.FIXED_WINDOW, limit = LIMIT, period = "1s")
		public int quote(User user, int number) {
			return super.quote(user, number);
		}

	}

	/** By us, one limit for each user. */
	public static class LimitedByUser extends Quotes {

		@Override
		@Throttled(value = "quotes-by-user", key = "#user.id", type = LimitType.FIXED_WINDOW, limit = LIMIT,
				period = "1s")
		public int quote(User user, int number) {
			return super.quote(user, number);
		}

	}

	/** By Resilience4j. */
	public static class LimitedByResilience4j extends Quotes {

		@Override
		@RateLimiter(name = "quotes")
		public int quote(User user, int number) {
			return super.quote(user, number);
		}

	}

	/** By Spring, which bounds the calls that run at once. */
	public static class LimitedBySpring extends Quotes {

		@Override
		@ConcurrencyLimit(100)
		public int quote(User user, int number) {
			return super.quote(user, number);
		}

	}

	/** By nothing, but there is an aspect. */
	public static class Observed extends Quotes {

		@Override
		public int quote(User user, int number) {
			return super.quote(user, number);
		}

	}

	/** Does nothing. */
	@Aspect
	public static class NoOpAspect {

		/**
		 * Proceeds with the call.
		 * @param call the call
		 * @return its result
		 * @throws Throwable if the call throws it
		 */
		@Around("execution(* dev.sluice.benchmarks.annotations.Quotes.Observed.*(..))")
		public @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
			return call.proceed();
		}

	}

}
