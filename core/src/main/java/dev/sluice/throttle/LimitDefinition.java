package dev.sluice.throttle;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.throttle.internal.argument.Checks;
import org.jspecify.annotations.Nullable;

/**
 * {@link Limit} as specified by properties, annotations and requests: a type and options,
 * which {@link #toLimit()} validates. Immutable: each setter returns a changed copy.
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
	 * Returns a definition without options.
	 * @param type the type of the limit
	 * @return the definition
	 */
	public static LimitDefinition of(LimitType type) {
		Checks.notNull("type", type);
		return new LimitDefinition(type, Map.of());
	}

	/**
	 * Returns a definition with the options of a limit.
	 * @param limit the limit
	 * @return the definition of the given limit
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
	 * Sets the number of permits.
	 * @param limit the permits per period, or held at once; {@code null} to leave it
	 * unset
	 * @return the changed definition
	 */
	public LimitDefinition limit(@Nullable Integer limit) {
		return with("limit", limit);
	}

	/**
	 * Sets the period.
	 * @param period the length of the window; {@code null} to leave it unset
	 * @return the changed definition
	 */
	public LimitDefinition period(@Nullable Duration period) {
		return with("period", period);
	}

	/**
	 * Sets the number of buckets of the period.
	 * @param buckets the number of buckets; {@code null} to leave it unset
	 * @return the changed definition
	 */
	public LimitDefinition buckets(@Nullable Integer buckets) {
		return with("buckets", buckets);
	}

	/**
	 * Sets the capacity of a token bucket, or of all keys of a dynamic window together.
	 * @param capacity the number of permits; {@code null} to leave it unset
	 * @return the changed definition
	 */
	public LimitDefinition capacity(@Nullable Integer capacity) {
		return with("capacity", capacity);
	}

	/**
	 * Sets the minimum share of a key of a dynamic window.
	 * @param minLimit the permits per period; {@code null} to leave it unset
	 * @return the changed definition
	 */
	public LimitDefinition minLimit(@Nullable Integer minLimit) {
		return with("minLimit", minLimit);
	}

	/**
	 * Sets the maximum share of a key of a dynamic window.
	 * @param maxLimit the permits per period; {@code null} to leave it unset
	 * @return the changed definition
	 */
	public LimitDefinition maxLimit(@Nullable Integer maxLimit) {
		return with("maxLimit", maxLimit);
	}

	/**
	 * Sets an option by its name.
	 * @param option the name of a component of a limit, such as {@code minLimit}
	 * @param value a {@link Duration} for the period, an {@link Integer} for any other
	 * option
	 * @return the changed definition
	 * @throws IllegalArgumentException if the value is not of that type
	 */
	public LimitDefinition option(String option, Object value) {
		Checks.notNull("option", option);
		Class<?> expected = option.equals("period") ? Duration.class : Integer.class;
		if (!expected.isInstance(value)) {
			throw new IllegalArgumentException(
					"'" + option + "' must be of type " + expected.getSimpleName() + ": " + value);
		}
		return with(option, value);
	}

	/**
	 * Returns the options that are set.
	 * @return the values by name, as for {@link #option}, in the order in which they were
	 * set
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
	 * Creates the limit.
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
