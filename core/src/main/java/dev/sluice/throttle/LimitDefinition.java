package dev.sluice.throttle;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A {@link Limit} as properties, annotations and requests give it: a type and options,
 * unchecked until {@link #toLimit()}.
 *
 * @param type kind of the limit
 * @param limit how much it grants
 * @param period time in which it grants that
 * @since 0.1.0
 */
public record LimitDefinition(LimitType type, @Nullable Integer limit, @Nullable Duration period) {

	/**
	 * Makes the limit.
	 * @return the limit
	 * @throws InvalidLimitOptionException if an option is missing, not one of the type,
	 * or out of its range
	 */
	public Limit toLimit() {
		Options options = new Options();
		options.give("limit", this.limit);
		options.give("period", this.period);
		Limit limit = switch (this.type) {
			case SLIDING_LOG -> Limit.slidingLog(options.number("limit"), options.duration("period"));
			case SEMAPHORE -> Limit.semaphore(options.number("limit"));
			case MUTEX -> Limit.mutex();
		};
		options.refuseTheRest();
		return limit;
	}

	/** The options that were given and have not been used so far. */
	private final class Options {

		private final Map<String, Object> unused = new LinkedHashMap<>();

		void give(String option, @Nullable Object value) {
			if (value != null) {
				this.unused.put(option, value);
			}
		}

		int number(String option) {
			int number = (int) use(option);
			if (number <= 0) {
				throw new InvalidLimitOptionException(option, "must be greater than 0: " + number);
			}
			return number;
		}

		Duration duration(String option) {
			Duration duration = (Duration) use(option);
			if (duration.isNegative() || duration.isZero() || duration.compareTo(Checks.MAX_PERIOD) > 0) {
				throw new InvalidLimitOptionException(option,
						"must be greater than 0 and at most " + Checks.MAX_PERIOD + ": " + duration);
			}
			return duration;
		}

		private Object use(String option) {
			Object value = this.unused.remove(option);
			if (value == null) {
				throw new InvalidLimitOptionException(option,
						"is missing: type " + LimitDefinition.this.type + " needs it");
			}
			return value;
		}

		void refuseTheRest() {
			this.unused.keySet().stream().findFirst().ifPresent((option) -> {
				throw new InvalidLimitOptionException(option, "is no option of type " + LimitDefinition.this.type);
			});
		}

	}

}
