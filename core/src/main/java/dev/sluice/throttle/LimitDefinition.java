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
		for (String option : definition.type.options()) {
			definition = definition.with(option, value(limit, option));
		}
		return definition;
	}

	private static @Nullable Object value(Limit limit, String option) {
		return switch (option) {
			case "limit" -> limit.limit();
			case "period" -> limit.period();
			case "buckets" -> limit.buckets();
			case "capacity" -> limit.capacity();
			case "minLimit" -> limit.minLimit();
			case "maxLimit" -> limit.maxLimit();
			default -> throw new IllegalArgumentException("Unknown option: " + option);
		};
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
		this.options.keySet().stream().filter((option) -> !this.type.options().contains(option)).forEach((option) -> {
			throw new InvalidLimitOptionException(option, "is no option of type " + this.type);
		});
		return switch (this.type) {
			case SLIDING_LOG -> Limit.slidingLog(number("limit"), period());
			case FIXED_WINDOW -> Limit.fixedWindow(number("limit"), period());
			case SLIDING_WINDOW -> Limit.slidingWindow(number("limit"), period(), number("buckets"));
			case DYNAMIC_WINDOW -> {
				int capacity = number("capacity");
				yield Limit.dynamicWindow(capacity, number("minLimit", 1), number("maxLimit", capacity), period(),
						number("buckets"));
			}
			case TOKEN_BUCKET -> {
				int limit = number("limit");
				yield Limit.tokenBucket(number("capacity", limit), limit, period());
			}
			case SEMAPHORE -> Limit.semaphore(number("limit"));
			case MUTEX -> Limit.mutex();
		};
	}

	private int number(String option) {
		return (int) value(option);
	}

	private int number(String option, int otherwise) {
		return this.options.containsKey(option) ? number(option) : otherwise;
	}

	private Duration period() {
		return (Duration) value("period");
	}

	private Object value(String option) {
		Object value = this.options.get(option);
		if (value == null) {
			throw new InvalidLimitOptionException(option, "is missing: type " + this.type + " needs it");
		}
		return value;
	}

	@Override
	public String toString() {
		return this.type + " " + this.options;
	}

}
