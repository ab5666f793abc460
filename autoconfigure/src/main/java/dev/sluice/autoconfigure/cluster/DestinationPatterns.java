package dev.sluice.autoconfigure.cluster;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;

/** Rejects patterns of destinations that match no destination of the broker. */
final class DestinationPatterns {

	private static final Pattern WILDCARD = Pattern.compile("[*?{]");

	private DestinationPatterns() {
	}

	/**
	 * Checks patterns.
	 * @param prefixes the prefixes of the destinations of the broker; empty for any
	 * @param userPrefix the prefix of the destinations of users
	 */
	static void check(List<String> patterns, Collection<String> prefixes, String userPrefix) {
		for (String pattern : patterns) {
			String begin = WILDCARD.split(pattern, 2)[0];
			if (!prefixes.isEmpty() && !fits(begin, userPrefix)
					&& prefixes.stream().noneMatch((prefix) -> fits(begin, prefix))) {
				throw new InvalidConfigurationException(
						"'" + OnStompDestinations.PROPERTY + "' has '" + pattern
								+ "', which is no destination of the simple broker; these begin with "
								+ String.join(", ", prefixes),
						"Correct '" + pattern + "', or add its prefix to 'enableSimpleBroker'.");
			}
		}
	}

	private static boolean fits(String begin, String prefix) {
		return begin.startsWith(prefix) || prefix.startsWith(begin);
	}

}
