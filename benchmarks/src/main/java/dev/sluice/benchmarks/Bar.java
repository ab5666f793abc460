package dev.sluice.benchmarks;

/**
 * One line of a report, as it is printed.
 *
 * @param name what was measured
 * @param ours the median of ours, or what was counted
 * @param beside the same of the peer or floor, and its name; may be empty
 * @param ratio how the ratios spread; may be empty
 * @param wanted the bar; empty if there is none
 * @param verdict whether the bar holds; empty if there is none
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
