package dev.sluice.throttle;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * {@link Limit} as given by properties, annotations and requests: a type and options,
 * unchecked until {@link #toLimit()}. Immutable; each method returns a changed copy.
 *
 * @since 0.1.0
 */
public final class LimitDefinition {

	private final LimitType type;

	private final Map<String, Object> options;

	private LimitDefinition(LimitType type, Map<String, Object> options) {
		this.type = type;
		this.options = options;
	}

	/**
	 * Starts a definition without options.
	 * @param type kind of the limit
	 * @return the definition
	 */
	public static LimitDefinition of(LimitType type) {
		return new LimitDefinition(type, Map.of());
	}

	/**
	 * Starts with the options of a limit, to change some of them.
	 * @param limit the limit as it stands
	 * @return the definition of that very limit
	 */
	public static LimitDefinition of(Limit limit) {
		LimitDefinition definition = of(LimitType.of(limit));
		if (limit instanceof Limit.DynamicWindow window) {
			return definition.capacity(window.capacity())
				.minLimit(window.minLimit())
				.maxLimit(window.maxLimit())
				.buckets(window.buckets())
				.period(window.period());
		}
		if (limit instanceof Limit.Mutex) {
			return definition;
		}
		definition = definition.limit(limit.limit()).period(limit.period());
		if (limit instanceof Limit.SlidingWindow window) {
			return definition.buckets(window.buckets());
		}
		return (limit instanceof Limit.TokenBucket bucket) ? definition.capacity(bucket.capacity()) : definition;
	}

	/**
	 * Says how much the limit grants.
	 * @param limit permits in a period or at once; {@code null} if not given
	 * @return the changed definition
	 */
	public LimitDefinition limit(@Nullable Integer limit) {
		return with("limit", limit);
	}

	/**
	 * Says in which time it grants that.
	 * @param period length of the window; {@code null} if not given
	 * @return the changed definition
	 */
	public LimitDefinition period(@Nullable Duration period) {
		return with("period", period);
	}

	/**
	 * Says into how many buckets the period is divided.
	 * @param buckets number of buckets; {@code null} if not given
	 * @return the changed definition
	 */
	public LimitDefinition buckets(@Nullable Integer buckets) {
		return with("buckets", buckets);
	}

	/**
	 * Says how much may come at once, or over all keys together.
	 * @param capacity permits in a full bucket, or in a dynamic window; {@code null} if
	 * not given
	 * @return the changed definition
	 */
	public LimitDefinition capacity(@Nullable Integer capacity) {
		return with("capacity", capacity);
	}

	/**
	 * Says how little each key of a dynamic window may get.
	 * @param minLimit permits in a period; {@code null} if not given
	 * @return the changed definition
	 */
	public LimitDefinition minLimit(@Nullable Integer minLimit) {
		return with("minLimit", minLimit);
	}

	/**
	 * Says how much one key of a dynamic window may get.
	 * @param maxLimit permits in a period; {@code null} if not given
	 * @return the changed definition
	 */
	public LimitDefinition maxLimit(@Nullable Integer maxLimit) {
		return with("maxLimit", maxLimit);
	}

	/**
	 * Sets an option by its name, for texts and documents that name their options.
	 * @param option name as the components of limits are named, such as {@code minLimit}
	 * @param value a {@link Duration} for the period, an {@link Integer} for any other
	 * @return the changed definition
	 * @throws IllegalArgumentException if the value is not of that type
	 */
	public LimitDefinition option(String option, Object value) {
		Class<?> expected = option.equals("period") ? Duration.class : Integer.class;
		if (!expected.isInstance(value)) {
			throw new IllegalArgumentException(
					"'" + option + "' must be of type " + expected.getSimpleName() + ": " + value);
		}
		return with(option, value);
	}

	/**
	 * Returns the options that were given.
	 * @return their values by name, as {@link #option} takes them, in the order in which
	 * they were given
	 */
	public Map<String, Object> options() {
		return Collections.unmodifiableMap(this.options);
	}

	private LimitDefinition with(String option, @Nullable Object value) {
		if (value == null) {
			return this;
		}
		Map<String, Object> changed = new LinkedHashMap<>(this.options);
		changed.put(option, value);
		return new LimitDefinition(this.type, changed);
	}

	/**
	 * Makes the limit.
	 * @return the limit
	 * @throws InvalidLimitOptionException if an option is missing, not one of the type,
	 * or out of its range
	 */
	public Limit toLimit() {
		Options unused = new Options(this.type, new LinkedHashMap<>(this.options));
		Limit limit = limit(unused);
		unused.requireNoneLeft();
		return limit;
	}

	private Limit limit(Options options) {
		return switch (this.type) {
			case SLIDING_LOG -> Limit.slidingLog(options.number("limit"), options.period());
			case FIXED_WINDOW -> Limit.fixedWindow(options.number("limit"), options.period());
			case SLIDING_WINDOW ->
				Limit.slidingWindow(options.number("limit"), options.period(), options.number("buckets"));
			case DYNAMIC_WINDOW -> {
				int capacity = options.number("capacity");
				yield Limit.dynamicWindow(capacity, options.number("minLimit", 1), options.number("maxLimit", capacity),
						options.period(), options.number("buckets"));
			}
			case TOKEN_BUCKET -> {
				int limit = options.number("limit");
				yield Limit.tokenBucket(options.number("capacity", limit), limit, options.period());
			}
			case SEMAPHORE -> Limit.semaphore(options.number("limit"));
			case MUTEX -> Limit.mutex();
		};
	}

	@Override
	public String toString() {
		return this.type + " " + this.options;
	}

	/** Options that were given and have not been used so far. */
	private record Options(LimitType type, Map<String, Object> unused) {

		int number(String option) {
			return (int) use(option);
		}

		int number(String option, int otherwise) {
			return this.unused.containsKey(option) ? number(option) : otherwise;
		}

		Duration period() {
			return (Duration) use("period");
		}

		private Object use(String option) {
			Object value = this.unused.remove(option);
			if (value == null) {
				throw new InvalidLimitOptionException(option, "is missing: type " + this.type + " needs it");
			}
			return value;
		}

		void requireNoneLeft() {
			this.unused.keySet().stream().findFirst().ifPresent((option) -> {
				throw new InvalidLimitOptionException(option, "is no option of type " + this.type);
			});
		}

	}

}
