package dev.sluice.actuate.endpoint;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.throttle.InvalidLimitOptionException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

/**
 * Requested change or definition of a limit. A component that is {@code null} keeps the
 * current value.
 */
record LimitChange(@Nullable String type, @Nullable String limit, @Nullable String period, @Nullable String buckets,
		@Nullable String capacity, @Nullable String minLimit, @Nullable String maxLimit, @Nullable String dryRun,
		@Nullable String version) {

	/** The version that a client has seen of a limit that did not exist. */
	private static final String UNDEFINED = "0";

	/** Whether the change contains the type, so that a limit can be defined. */
	boolean defines() {
		return this.type != null && (this.version == null || this.version.equals(UNDEFINED));
	}

	/** Creates a new limit with the requested values. */
	Limit define() {
		LimitType kind = Stream.of(LimitType.values())
			.filter((known) -> known.toString().equals(this.type))
			.findFirst()
			.orElseThrow(() -> RejectedRequestException.badField("type",
					"'type' must be one of "
							+ Stream.of(LimitType.values()).map(LimitType::toString).collect(Collectors.joining(", "))
							+ ": " + this.type));
		return applyTo(LimitDefinition.of(kind));
	}

	/** Creates a limit from the current one with the requested changes. */
	Limit applyTo(Limit present) {
		if (this.type != null && !this.type.equals(present.type())) {
			throw RejectedRequestException.badField("type", "'type' is " + present.type() + " and cannot be changed");
		}
		return applyTo(LimitDefinition.of(present));
	}

	/** Replaces the current options that the request contains. */
	private Limit applyTo(LimitDefinition present) {
		LimitDefinition changed = present.limit(number("limit", this.limit))
			.period(parse("period", this.period, "a time such as 1s or PT1S", LimitChange::duration))
			.buckets(number("buckets", this.buckets))
			.capacity(number("capacity", this.capacity))
			.minLimit(number("minLimit", this.minLimit))
			.maxLimit(number("maxLimit", this.maxLimit));
		try {
			return changed.toLimit();
		}
		catch (InvalidLimitOptionException ex) {
			throw RejectedRequestException.badField(ex.option(), ex);
		}
	}

	/** Creates options from the current ones with the requested changes. */
	LimitOptions applyTo(LimitOptions present) {
		Boolean value = parse("dryRun", this.dryRun, "true or false", LimitChange::flag);
		return (value != null) ? present.toBuilder().dryRun(value).build() : present;
	}

	/** Rejects a change for another version, or without content. */
	void check(long present) {
		if (isEmpty()) {
			throw RejectedRequestException.noField("There is nothing to change: give 'limit', 'period', 'buckets', "
					+ "'capacity', 'minLimit', 'maxLimit' or 'dryRun'");
		}
		checkVersion("limit", this.version, present);
	}

	/** Rejects a removal for another version, or with fields to change. */
	void checkRemoval(long present) {
		if (!isEmpty()) {
			throw RejectedRequestException.badField("action", "'action' is remove: there is nothing to change");
		}
		checkVersion("limit", this.version, present);
	}

	private boolean isEmpty() {
		return Stream
			.of(this.type, this.limit, this.period, this.buckets, this.capacity, this.minLimit, this.maxLimit,
					this.dryRun)
			.allMatch(Objects::isNull);
	}

	/** Rejects a request that refers to another version of a limit or an executor. */
	static void checkVersion(String what, @Nullable String version, long present) {
		Long expected = parse("version", version, "a whole number", Long::valueOf);
		if (expected != null && expected != present) {
			throw RejectedRequestException.conflict("version", "'version' is " + present + " by now: the " + what
					+ " was " + ((expected == 0) ? "defined in the meantime" : "changed after version " + expected));
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
			throw RejectedRequestException.badField(field, "'" + field + "' must be " + expected + ": " + text);
		}
	}

}
