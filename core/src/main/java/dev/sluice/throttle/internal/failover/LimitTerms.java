package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;

/**
 * A limit and its options, and their text at a server:
 * {@code type=sliding-log limit=10 period=PT1S max-waiting=10000}. Options that were not
 * set, and for which each node has a default of its own, are left out.
 *
 * @param limit the limit
 * @param options the options of the limit
 */
public record LimitTerms(Limit limit, LimitOptions options) {

	/** Returns the text. */
	public String text() {
		StringJoiner terms = new StringJoiner(" ");
		terms.add("type=" + this.limit.type());
		LimitDefinition.of(this.limit)
			.options()
			.forEach((option, value) -> terms.add(hyphenated(option) + "=" + value));
		terms.add("dry-run=" + this.options.dryRun())
			.add("max-keys=" + this.options.maxKeys(this.limit))
			.add("at-max-keys=" + this.options.atMaxKeys())
			.add("max-waiting=" + this.options.maxWaiting());
		if (this.options.failurePolicy() != null) {
			terms.add("failure-policy=" + this.options.failurePolicy());
		}
		if (this.options.lease() != null) {
			terms.add("lease=" + this.options.lease());
		}
		if (this.options.batch() != null) {
			terms.add("batch=" + this.options.batch());
		}
		return terms.toString();
	}

	/** Reads a text. */
	public static LimitTerms parse(String text) {
		Map<String, String> terms = new LinkedHashMap<>();
		for (String word : text.split(" ")) {
			int sign = word.indexOf('=');
			terms.put(word.substring(0, sign), word.substring(sign + 1));
		}
		Limit limit = limit(terms);
		LimitOptions.Builder options = LimitOptions.builder()
			.dryRun(Boolean.parseBoolean(terms.get("dry-run")))
			.atMaxKeys(AtMaxKeys.valueOf(String.valueOf(terms.get("at-max-keys"))))
			.maxWaiting(number(terms, "max-waiting"));
		int maxKeys = number(terms, "max-keys");
		if (maxKeys != limit.defaultMaxKeys()) {
			options.maxKeys(maxKeys);
		}
		option(terms, "failure-policy").map(FailurePolicy::valueOf).ifPresent(options::failurePolicy);
		option(terms, "lease").map(Duration::parse).ifPresent(options::lease);
		option(terms, "batch").map(Integer::valueOf).ifPresent(options::batch);
		return new LimitTerms(limit, options.build());
	}

	private static Limit limit(Map<String, String> terms) {
		LimitType type = LimitType.of(String.valueOf(terms.get("type")));
		LimitDefinition definition = LimitDefinition.of(type);
		for (String option : type.options()) {
			String text = terms.get(hyphenated(option));
			if (text != null) {
				definition = definition.option(option,
						option.equals("period") ? Duration.parse(text) : Integer.valueOf(text));
			}
		}
		return definition.toLimit();
	}

	/** Returns the name of an option as it is written, such as min-limit. */
	private static String hyphenated(String option) {
		return option.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	private static int number(Map<String, String> terms, String option) {
		return Integer.parseInt(String.valueOf(terms.get(option)));
	}

	private static Optional<String> option(Map<String, String> terms, String name) {
		return Optional.ofNullable(terms.get(name));
	}

}
