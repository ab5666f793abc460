package dev.sluice.benchmarks.limits;

import java.time.Duration;

import com.google.common.util.concurrent.RateLimiter;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;

/** The contenders. */
public enum Contender {

	/** Floor: one reading of the clock. */
	NANO_TIME("nanoTime"),

	/** Floor: one compare-and-set, tried again until it succeeds. */
	CAS("CAS"),

	/** Floor: both. */
	NANO_TIME_CAS("nanoTime + CAS"),

	/** Exact. */
	SLIDING_LOG("Sluice sliding log"),

	/** Aligned to the clock. */
	FIXED_WINDOW("Sluice fixed window"),

	/** Ten buckets. */
	SLIDING_WINDOW("Sluice sliding window"),

	/** Refilled steadily. */
	TOKEN_BUCKET("Sluice token bucket"),

	/** Local and lock-free. */
	BUCKET4J("Bucket4j"),

	/**
	 * The default kind. It keeps an exact count of each cycle, which one compare-and-set
	 * changes and which was read before the clock; a thread that fails the
	 * compare-and-set parks.
	 */
	RESILIENCE4J("Resilience4j atomic"),

	/** Refilled by a timer's thread: reads no clock. */
	RESILIENCE4J_SEMAPHORE("Resilience4j semaphore"),

	/** Smooth bursts. */
	GUAVA("Guava"),

	/** A list of times under a lock: exact. */
	LOCKED_LOG("locked ArrayDeque");

	private static final int MANY = 900_000_000;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HOUR = Duration.ofHours(1);

	/** More than anybody takes in the period of a log. */
	private static final int LOG_LIMIT = 1_000_000;

	final String title;

	Contender(String title) {
		this.title = title;
	}

	/** A limiter of which every call goes the path given. */
	Limiter create(Path path, int keys) {
		if (isSluice()) {
			return new SluiceLimiter(throttle(path, keys));
		}
		return (keys > 1) ? new PerKeyLimiter(() -> single(path, keys)) : single(path, keys);
	}

	boolean isSluice() {
		return switch (this) {
			case SLIDING_LOG, FIXED_WINDOW, SLIDING_WINDOW, TOKEN_BUCKET -> true;
			default -> false;
		};
	}

	/** Whether each call holds a guard for a moment, rather than one compare-and-set. */
	boolean isGuarded() {
		return this == SLIDING_LOG;
	}

	Throttle throttle(Path path, int keys) {
		ThrottlingManager manager = ThrottlingManager.builder().build();
		LimitOptions options = LimitOptions.builder().maxKeys(2 * keys).build();
		return manager.addOrUpdate("benchmark", limit(path, keys), options);
	}

	private Limit limit(Path path, int keys) {
		boolean admits = path == Path.ADMITTED;
		int limit = admits ? MANY : 1;
		Duration period = admits ? SECOND : HOUR;
		return switch (this) {
			case SLIDING_LOG -> admits ? Limit.slidingLog(LOG_LIMIT, logPeriod(keys)) : Limit.slidingLog(1, HOUR);
			case FIXED_WINDOW -> Limit.fixedWindow(limit, period);
			case SLIDING_WINDOW -> Limit.slidingWindow(limit, period, 10);
			case TOKEN_BUCKET -> Limit.tokenBucket(limit, limit, period);
			default -> throw new IllegalStateException(this + " is not ours");
		};
	}

	private Limiter single(Path path, int keys) {
		boolean admits = path == Path.ADMITTED;
		int limit = admits ? MANY : 1;
		Duration period = admits ? SECOND : HOUR;
		return switch (this) {
			case NANO_TIME -> (key) -> (System.nanoTime() != 0) == admits;
			case CAS -> new CasFloor(false, admits);
			case NANO_TIME_CAS -> new CasFloor(true, admits);
			case BUCKET4J -> {
				Bucket bucket = Bucket.builder()
					.addLimit((bandwidth) -> bandwidth.capacity(limit).refillGreedy(limit, period))
					.build();
				yield (key) -> bucket.tryConsume(1);
			}
			case RESILIENCE4J -> {
				AtomicRateLimiter limiter = new AtomicRateLimiter("benchmark", config(limit, period));
				yield (key) -> limiter.acquirePermission(1);
			}
			case RESILIENCE4J_SEMAPHORE -> {
				SemaphoreBasedRateLimiter limiter = new SemaphoreBasedRateLimiter("benchmark", config(limit, period));
				yield (key) -> limiter.acquirePermission(1);
			}
			case GUAVA -> {
				RateLimiter limiter = RateLimiter.create(admits ? MANY : 1.0 / HOUR.toSeconds());
				yield (key) -> limiter.tryAcquire();
			}
			case LOCKED_LOG -> admits ? new LockedLog(LOG_LIMIT, logPeriod(keys)) : new LockedLog(1, HOUR);
			default -> throw new IllegalStateException(this + " is ours");
		};
	}

	/**
	 * A log remembers each permit of its period: short enough that one busy key does not
	 * fill the heap, long enough that one of many keys is not idle between two calls.
	 */
	private static Duration logPeriod(int keys) {
		return Duration.ofNanos(Math.max(100_000, 1_000L * keys));
	}

	private static RateLimiterConfig config(int limit, Duration period) {
		return RateLimiterConfig.custom()
			.limitForPeriod(limit)
			.limitRefreshPeriod(period)
			.timeoutDuration(Duration.ZERO)
			.build();
	}

	private record SluiceLimiter(Throttle throttle) implements Limiter {

		@Override
		public boolean tryAcquire(String key) {
			return this.throttle.tryAcquireNanos(key, 1) == 0;
		}

	}

}
