package dev.sluice.autoconfigure.annotation;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.sluice.autoconfigure.properties.NearestName;
import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.autoconfigure.throttle.ThrottleSource;
import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Report of limits in properties that no annotation names, beside a limit of almost the
 * same name that an annotation defines and that was likely meant. Other limits that no
 * annotation names are for code.
 *
 * @param limits the limits in properties
 * @param sources where limits were defined
 */
record UnnamedLimits(SluiceThrottleProperties limits, ThrottleSourceRegistry sources) {

	private static final Log logger = LogFactory.getLog(UnnamedLimits.class);

	/**
	 * Logs each such limit.
	 * @param named the names of the limits in annotations
	 */
	void report(Set<String> named) {
		List<String> defined = named.stream().filter(this::isInAnnotation).toList();
		this.limits.keySet()
			.stream()
			.filter((name) -> !named.contains(name))
			.forEach((name) -> defined.stream()
				.filter((other) -> isAlmost(name, other))
				.forEach((other) -> warn(name, other)));
	}

	private static void warn(String name, String other) {
		logger.warn("Property '" + SluiceThrottleProperties.PREFIX + '.' + name
				+ "' is for a limit that no annotation names, beside the limit '" + other
				+ "', which an annotation defines. If '" + other + "' is meant, correct the name");
	}

	private boolean isInAnnotation(String name) {
		return this.sources.atStart(name).filter(ThrottleSource.ANNOTATION::equals).isPresent();
	}

	/** Short words and numbers differ in names that are meant to differ. */
	private static boolean isAlmost(String name, String other) {
		String[] words = words(name);
		String[] others = words(other);
		if (String.join("", words).equals(String.join("", others))) {
			return String.join("", name.split("\\D+")).equals(String.join("", other.split("\\D+")));
		}
		boolean misspelt = words.length == others.length;
		for (int i = 0; misspelt && i < words.length; i++) {
			misspelt = words[i].equals(others[i])
					|| words[i].length() > 4 && NearestName.isMisspelt(words[i], others[i], words[i].length() / 4);
		}
		return misspelt;
	}

	private static String[] words(String name) {
		return name.replaceAll("(\\p{Lower})(\\p{Upper})", "$1-$2").toLowerCase(Locale.ROOT).split("[^\\p{L}]+");
	}

}
