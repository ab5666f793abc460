package dev.sluice.compatibility;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The lines of {@code differences.txt}, which says what the columns mean. */
final class Differences {

	private static final Map<String, String> LISTED = Table.read("differences.txt")
		.stream()
		.map((line) -> line.split(" \\| "))
		.collect(Collectors.toMap((columns) -> columns[0] + " | " + columns[1], (columns) -> columns[2]));

	private Differences() {
	}

	/** Returns what is to be observed with the starter, given what is without. */
	static String expected(Container container, String what, String without) {
		return LISTED.getOrDefault(container + " | " + what, without);
	}

	/** Returns what may be observed with the starter, given what is without. */
	static Set<String> allowed(Container container, String what, String without) {
		return Set.copyOf(List.of(without, expected(container, what, without)));
	}

}
