package dev.sluice.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values of several contenders, each measured once a round, one after the other. */
public final class Rounds {

	private final Map<String, List<Double>> values = new LinkedHashMap<>();

	/**
	 * Adds the value of a contender's next round.
	 * @param contender the contender
	 * @param value the value
	 */
	public void add(String contender, double value) {
		this.values.computeIfAbsent(contender, (absent) -> new ArrayList<>()).add(value);
	}

	/**
	 * Adds the values that a {@link Fork} printed, as {@link #line} wrote them.
	 * @param lines the lines
	 */
	public void addAll(List<String> lines) {
		for (String line : lines) {
			int tab = line.indexOf('\t');
			if (tab > 0) {
				add(line.substring(0, tab), Double.parseDouble(line.substring(tab + 1)));
			}
		}
	}

	/**
	 * Writes one value as a line.
	 * @param contender the contender
	 * @param value its value in this round
	 * @return the line
	 */
	public static String line(String contender, double value) {
		return contender + "\t" + value;
	}

	/**
	 * Returns how the values of one contender spread.
	 * @param contender the contender
	 * @return the spread of its values
	 */
	public Spread of(String contender) {
		return Spread.of(valuesOf(contender));
	}

	/**
	 * Divides two contenders round by round.
	 * @param contender the contender
	 * @param base the contender to divide by
	 * @return the spread of the ratios
	 */
	public Spread ratio(String contender, String base) {
		double[] ratios = valuesOf(contender);
		double[] divisors = valuesOf(base);
		if (ratios.length != divisors.length) {
			throw new IllegalStateException(
					"'" + contender + "' has " + ratios.length + " rounds, '" + base + "' has " + divisors.length);
		}
		for (int round = 0; round < ratios.length; round++) {
			ratios[round] /= divisors[round];
		}
		return Spread.of(ratios);
	}

	private double[] valuesOf(String contender) {
		List<Double> found = this.values.get(contender);
		if (found == null) {
			throw new IllegalArgumentException("'" + contender + "' was not measured, only " + this.values.keySet());
		}
		return found.stream().mapToDouble(Double::doubleValue).toArray();
	}

}
