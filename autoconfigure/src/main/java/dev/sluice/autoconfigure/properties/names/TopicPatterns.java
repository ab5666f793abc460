package dev.sluice.autoconfigure.properties.names;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.env.EnumerablePropertySource;

/**
 * Finds patterns of topics in properties that match other topics than meant. A name
 * without brackets loses its stars when it is bound, and a variable of a path is no
 * variable in a pattern.
 */
final class TopicPatterns {

	private static final Log logger = LogFactory.getLog(TopicPatterns.class);

	private static final String PREFIX = "sluice.cluster.topics.";

	private static final String PRESENCE = "sluice.cluster.presence.topics";

	/** A name without brackets, up to its first option. */
	private static final Pattern BARE = Pattern
		.compile("(?i)\\Q" + PREFIX + "\\E([^\\[]*?)\\.(?:history\\.(?:size|time)|presence|wait-?replicas)");

	private static final Pattern LOST = Pattern.compile("[^\\p{Alnum}._-]");

	/** A variable, and no placeholder. */
	private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\{\\w+}");

	private TopicPatterns() {
	}

	static void check(EnumerablePropertySource<?> source) {
		for (String name : source.getPropertyNames()) {
			check(name, name.startsWith(PRESENCE) ? String.valueOf(source.getProperty(name)) : "");
		}
	}

	private static void check(String name, String value) {
		Matcher bare = BARE.matcher(name);
		if (bare.matches() && LOST.matcher(bare.group(1)).find()) {
			throw new InvalidConfigurationException(
					"Property '" + name + "' is for topics of another name, as a name without brackets keeps letters, "
							+ "digits, hyphens and underscores only",
					"Write '" + PREFIX + '[' + bare.group(1) + ']' + name.substring(bare.end(1))
							+ "'. In YAML, quote the brackets: \"[" + bare.group(1) + "]\".");
		}
		if (name.startsWith(PREFIX) && VARIABLE.matcher(name).find()
				|| name.startsWith(PRESENCE) && VARIABLE.matcher(value).find()) {
			logger.warn("The pattern of property '" + name
					+ "' has a variable in braces, which matches only itself. Write '*' in its place");
		}
	}

}
