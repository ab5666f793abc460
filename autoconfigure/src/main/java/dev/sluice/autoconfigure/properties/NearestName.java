package dev.sluice.autoconfigure.properties;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Finds the known name that is closest to a mistyped one. */
public final class NearestName {

	private NearestName() {
	}

	/**
	 * Returns the name with the smallest edit distance to another.
	 * @param name the unknown name
	 * @param known the names to choose from
	 * @param form what to compare of each
	 */
	public static Optional<String> of(String name, Collection<String> known, UnaryOperator<String> form) {
		return known.stream().min(Comparator.comparingInt((candidate) -> distance(name, form.apply(candidate))));
	}

	/**
	 * Returns a question whether the nearest name is meant; empty if no name is near
	 * enough.
	 * @param prefix the prefix of the name
	 */
	public static String question(String name, Collection<String> known, String prefix) {
		return of(name, known, UnaryOperator.identity()).map((nearest) -> "Did you mean '" + prefix + nearest + "'? ")
			.orElse("");
	}

	/**
	 * Returns whether a name differs from another one in few letters, at least in one.
	 */
	public static boolean isMisspelt(String name, String known, int most) {
		int distance = (Math.abs(name.length() - known.length()) <= most) ? distance(name, known) : Integer.MAX_VALUE;
		return distance > 0 && distance <= most;
	}

	/** Levenshtein distance: how many letters to add, remove or change. */
	private static int distance(String left, String right) {
		int[] above = new int[right.length() + 1];
		Arrays.setAll(above, (column) -> column);
		for (int row = 1; row <= left.length(); row++) {
			int[] current = new int[right.length() + 1];
			current[0] = row;
			for (int column = 1; column <= right.length(); column++) {
				int change = above[column - 1] + ((left.charAt(row - 1) == right.charAt(column - 1)) ? 0 : 1);
				current[column] = Math.min(change, 1 + Math.min(above[column], current[column - 1]));
			}
			above = current;
		}
		return above[right.length()];
	}

}
