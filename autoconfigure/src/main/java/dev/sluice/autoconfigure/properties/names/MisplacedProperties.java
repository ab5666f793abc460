package dev.sluice.autoconfigure.properties.names;

import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.properties.NearestName;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Finds properties that have the name of a property of Sluice below another prefix. The
 * prefix may be of another program, so that only names whose other parts are known are
 * found.
 */
final class MisplacedProperties {

	private static final String ROOT = "sluice";

	private static final String MANAGEMENT = "management";

	/** Options that no endpoint of Spring Boot has. */
	private static final Set<String> OPTIONS = Set.of("top", "showkeys", "maxwait");

	private MisplacedProperties() {
	}

	/** Returns whether it is worth comparing a name with those that are known. */
	static boolean isCandidate(ConfigurationPropertyName name) {
		if (name.getNumberOfElements() < 2) {
			return false;
		}
		String first = name.getElement(0, Form.UNIFORM);
		return first.equals(MANAGEMENT) ? OPTIONS.contains(name.getLastElement(Form.UNIFORM)) : first.startsWith(ROOT)
				|| NearestName.isMisspelt(first, ROOT, 1) || name.getElement(1, Form.UNIFORM).equals(ROOT);
	}

	/** Returns the property that is likely meant. */
	static Optional<ConfigurationPropertyName> meant(ConfigurationPropertyName name, PropertyNames known) {
		if (name.getElement(0, Form.UNIFORM).equals(MANAGEMENT)) {
			return PropertyNames.management()
				.filter((candidate) -> candidate.getLastElement(Form.UNIFORM).equals(name.getLastElement(Form.UNIFORM))
						&& hasGroup(name))
				.findFirst();
		}
		return candidates(name).filter((candidate) -> known.type(candidate) != null).findFirst();
	}

	/** Returns whether a part of the name is, or is nearly, a group of Sluice. */
	private static boolean hasGroup(ConfigurationPropertyName name) {
		return IntStream.range(1, name.getNumberOfElements() - 1)
			.mapToObj((index) -> name.getElement(index, Form.UNIFORM))
			.anyMatch((element) -> Set.of(ROOT, "throttling", "throttle", "throttles", "throttled").contains(element)
					|| NearestName.isMisspelt(element, "throttling", 2) || NearestName.isMisspelt(element, ROOT, 1));
	}

	private static Stream<ConfigurationPropertyName> candidates(ConfigurationPropertyName name) {
		String rest = name.subName(1).toString();
		String first = name.getElement(0, Form.DASHED);
		return Stream
			.of(rest, NearestName.isMisspelt(first, ROOT, 1) ? ROOT + '.' + rest : "",
					first.startsWith(ROOT)
							? ROOT + '.' + first.substring(ROOT.length()).replaceFirst("^-", "") + '.' + rest : "")
			.map((candidate) -> ConfigurationPropertyName.ofIfValid(candidate))
			.filter((candidate) -> candidate != null && PropertyNames.own(candidate));
	}

}
