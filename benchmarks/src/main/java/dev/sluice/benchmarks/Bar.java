package dev.sluice.benchmarks;

/**
 * One line of a report, as it is printed.
 *
 * @param name the name of the measurement
 * @param ours the median of Sluice's values, or the counted value
 * @param beside the value and the name of the peer or floor; may be empty
 * @param ratio how the ratios spread; may be empty
 * @param wanted the bar; empty if there is no bar
 * @param verdict whether the bar holds; empty if there is no bar
 */
public record Bar(String name, String ours, String beside, String ratio, String wanted, String verdict) {

	static final String HOLDS = "holds";

	static final String FALLS_SHORT = "falls short";

	/**
	 * Returns whether there is a bar that does not hold.
	 * @return {@code true} if it falls short
	 */
	public boolean fallsShort() {
		return this.verdict.equals(FALLS_SHORT);
	}

}
