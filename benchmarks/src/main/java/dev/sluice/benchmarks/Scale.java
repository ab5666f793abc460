package dev.sluice.benchmarks;

/**
 * Quantities of measured items. There are fewer with the system property {@code scale},
 * for a trial.
 */
public final class Scale {

	/** The largest number by which costs are compared. */
	public static final int LARGE = Integer.getInteger("scale", 100_000);

	private Scale() {
	}

	/**
	 * Returns the numbers by which costs are compared.
	 * @return a hundredth, a tenth and all
	 */
	public static int[] sizes() {
		return new int[] { LARGE / 100, LARGE / 10, LARGE };
	}

}
