package dev.sluice.actuate;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.sluice.throttle.InvalidLimitOptionException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

/**
 * What a request wants changed of a limit, in its own words; {@code null} is left as it
 * is.
 */
record LimitChange(@Nullable String type, @Nullable String limit, @Nullable String period, @Nullable String buckets,
		@Nullable String capacity, @Nullable String minLimit, @Nullable String maxLimit, @Nullable String dryRun,
		@Nullable String version) {

	/** Makes the limit that is asked for of the present one. */
	Limit applyTo(Limit present) {
		if (this.type != null && !this.type.equals(present.type())) {
			throw RefusedRequestException.badField("type", "'type' is " + present.type() + " and cannot be changed");
		}
		LimitDefinition changed = LimitDefinition.of(present)
			.limit(number("limit", this.limit))
			.period(parse("period", this.period, "a time such as 1s or PT1S", LimitChange::duration))
			.buckets(number("buckets", this.buckets))
			.capacity(number("capacity", this.capacity))
			.minLimit(number("minLimit", this.minLimit))
			.maxLimit(number("maxLimit", this.maxLimit));
		try {
			return changed.toLimit();
		}
		catch (InvalidLimitOptionException ex) {
			throw RefusedRequestException.badField(ex.option(), ex);
		}
	}

	/** Makes the options that are asked for of the present ones. */
	LimitOptions applyTo(LimitOptions present) {
		Boolean value = parse("dryRun", this.dryRun, "true or false", LimitChange::flag);
		return (value != null) ? present.toBuilder().dryRun(value).build() : present;
	}

	/** Refuses a change of another version, or of nothing at all. */
	void check(long present) {
		if (Stream
			.of(this.type, this.limit, this.period, this.buckets, this.capacity, this.minLimit, this.maxLimit,
					this.dryRun)
			.allMatch(Objects::isNull)) {
			throw RefusedRequestException.noField("There is nothing to change: give 'limit', 'period', 'buckets', "
					+ "'capacity', 'minLimit', 'maxLimit' or 'dryRun'");
		}
		Long expected = parse("version", this.version, "a whole number", Long::valueOf);
		if (expected != null && expected != present) {
			throw RefusedRequestException.conflict("version",
					"'version' is " + present + " by now: the limit was changed after version " + expected);
		}
	}

	private static @Nullable Integer number(String field, @Nullable String text) {
		return parse(field, text, "a whole number", Integer::valueOf);
	}

	private static Duration duration(String text) {
		if (text.matches("[+-]?\\d+")) {
			throw new IllegalArgumentException("No unit: " + text);
		}
		return DurationStyle.detectAndParse(text);
	}

	private static Boolean flag(String text) {
		return switch (text.toLowerCase(Locale.ROOT)) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException(text);
		};
	}

	private static <T> @Nullable T parse(String field, @Nullable String text, String expected,
			Function<String, T> parser) {
		try {
			return (text != null) ? parser.apply(text) : null;
		}
		catch (IllegalArgumentException ex) {
			throw RefusedRequestException.badField(field, "'" + field + "' must be " + expected + ": " + text);
		}
	}

}
