package dev.sluice.jdbc.throttle;

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
 * A limit as all nodes know it, and its text in the database: {@code rate
 * type=sliding-log limit=10 period=PT1S max-waiting=10000}. The first word is the kind.
 * Options that were not set, and for which each node has a default of its own, are left
 * out.
 *
 * @param epoch number of the definition among those of all limits
 * @param version 1 when defined, and one more with each change
 * @param limit what it grants
 * @param options what else it was told
 */
public record Definition(long epoch, long version, Limit limit, LimitOptions options) {

	/** Returns the text. */
	public static String terms(Limit limit, LimitOptions options) {
		StringJoiner terms = new StringJoiner(" ");
		terms.add(limit.isHeld() ? "held" : "rate").add("type=" + limit.type());
		LimitDefinition.of(limit).options().forEach((option, value) -> terms.add(hyphenated(option) + "=" + value));
		terms.add("dry-run=" + options.dryRun())
			.add("max-keys=" + options.maxKeys(limit))
			.add("at-max-keys=" + options.atMaxKeys())
			.add("max-waiting=" + options.maxWaiting());
		if (options.failurePolicy() != null) {
			terms.add("failure-policy=" + options.failurePolicy());
		}
		if (options.lease() != null) {
			terms.add("lease=" + options.lease());
		}
		if (options.batch() != null) {
			terms.add("batch=" + options.batch());
		}
		return terms.toString();
	}

	/** Reads the text of a definition that was not removed. */
	public static Definition parse(long epoch, long version, String text) {
		String[] words = text.split(" ");
		Map<String, String> terms = terms(words);
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
		return new Definition(epoch, version, limit, options.build());
	}

	private static Optional<String> option(Map<String, String> terms, String name) {
		return Optional.ofNullable(terms.get(name));
	}

	private static Map<String, String> terms(String[] words) {
		Map<String, String> terms = new LinkedHashMap<>();
		for (int i = 1; i < words.length; i++) {
			int sign = words[i].indexOf('=');
			terms.put(words[i].substring(0, sign), words[i].substring(sign + 1));
		}
		return terms;
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

	/**
	 * Returns the name of an option as it is written in the database, such as min-limit.
	 */
	private static String hyphenated(String option) {
		return option.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	private static int number(Map<String, String> terms, String option) {
		return Integer.parseInt(String.valueOf(terms.get(option)));
	}

}
