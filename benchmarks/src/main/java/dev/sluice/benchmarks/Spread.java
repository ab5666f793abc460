package dev.sluice.benchmarks;

import java.util.Arrays;

/**
 * What became of one quantity over the rounds.
 *
 * @param median the median
 * @param lowerQuartile a quarter of the values lie below it
 * @param upperQuartile a quarter of the values lie above it
 * @param min the least value
 * @param max the greatest value
 */
public record Spread(double median, double lowerQuartile, double upperQuartile, double min, double max) {

	/**
	 * Summarises some values.
	 * @param values the values; at least one
	 * @return their spread
	 */
	public static Spread of(double... values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return new Spread(quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75), sorted[0],
				sorted[sorted.length - 1]);
	}

	/** Interpolates between the two values next to the requested place. */
	private static double quantile(double[] sorted, double fraction) {
		double place = fraction * (sorted.length - 1);
		int below = (int) place;
		int above = Math.min(below + 1, sorted.length - 1);
		return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
	}

}
