package dev.sluice.benchmarks;

/** The bars of one part of Sluice. */
public interface BarSuite {

	/**
	 * Measures each bar and reports it.
	 * @param report takes the bars
	 */
	void measure(BarReport report);

}
