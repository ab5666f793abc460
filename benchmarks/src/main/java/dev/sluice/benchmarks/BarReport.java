package dev.sluice.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/** Prints one line a bar and remembers whether all of them hold. */
public final class BarReport {

	private static final String ROW = "%-54s %14s  %-36s %-30s %10s  %s%n";

	/** How far the worse quartile may lie beyond a bar that the median holds. */
	private static final double QUARTILE_SHARE = 0.9;

	private final PrintStream out;

	private boolean allHold = true;

	BarReport(PrintStream out) {
		this.out = out;
	}

	void title(String suite) {
		this.out.printf(Locale.ROOT, "%s on JDK %s, %d processors%n", suite, Runtime.version(),
				Runtime.getRuntime().availableProcessors());
		this.out.printf(ROW, "bar", "ours", "best peer or floor", "ratio (quartile, range)", "wanted", "");
	}

	/**
	 * Reports a ratio that must not be lower: more is better.
	 * @param name the bar's name
	 * @param rounds the measured values
	 * @param ours the contender that must hold the bar
	 * @param peer what it is compared with
	 * @param unit the values' unit
	 * @param wanted the least median of the ratios
	 */
	public void atLeast(String name, Rounds rounds, String ours, String peer, String unit, double wanted) {
		Spread ratio = rounds.ratio(ours, peer);
		boolean holds = ratio.median() >= wanted && ratio.lowerQuartile() >= QUARTILE_SHARE * wanted;
		row(name, rounds.of(ours).median(), rounds.of(peer).median(), peer, unit, ratio, ratio.lowerQuartile(),
				">= " + wanted, holds);
	}

	/**
	 * Reports a ratio that must not be higher: less is better.
	 * @param name the bar's name
	 * @param rounds the measured values
	 * @param ours the contender that must hold the bar
	 * @param peer what it is compared with
	 * @param unit the values' unit
	 * @param wanted the greatest median of the ratios
	 */
	public void atMost(String name, Rounds rounds, String ours, String peer, String unit, double wanted) {
		Spread ratio = rounds.ratio(ours, peer);
		boolean holds = ratio.median() <= wanted && ratio.upperQuartile() <= wanted / QUARTILE_SHARE;
		row(name, rounds.of(ours).median(), rounds.of(peer).median(), peer, unit, ratio, ratio.upperQuartile(),
				"<= " + wanted, holds);
	}

	/**
	 * Reports something counted: it holds or it does not.
	 * @param name the bar's name
	 * @param ours what was counted
	 * @param peer what peers have, or an empty string
	 * @param wanted the bar
	 * @param holds whether it holds
	 */
	public void counted(String name, String ours, String peer, String wanted, boolean holds) {
		print(name, ours, peer, "", wanted, holds);
	}

	/**
	 * Shows a value that is no bar.
	 * @param name what was measured
	 * @param value its value
	 */
	public void shown(String name, String value) {
		this.out.printf(ROW, name, value, "", "", "", "");
	}

	private void row(String name, double ours, double other, String peer, String unit, Spread ratio, double quartile,
			String wanted, boolean holds) {
		print(name, String.format(Locale.ROOT, "%.4g %s", ours, unit),
				String.format(Locale.ROOT, "%.4g %s %s", other, unit, peer), String.format(Locale.ROOT,
						"%.2f (%.2f, %.2f to %.2f)", ratio.median(), quartile, ratio.min(), ratio.max()),
				wanted, holds);
	}

	private void print(String name, String ours, String peer, String ratio, String wanted, boolean holds) {
		this.allHold &= holds;
		this.out.printf(ROW, name, ours, peer, ratio, wanted, holds ? "holds" : "falls short");
	}

	boolean allHold() {
		return this.allHold;
	}

}
