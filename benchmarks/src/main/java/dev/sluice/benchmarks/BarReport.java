package dev.sluice.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints one line a bar and remembers whether all of them hold. */
public final class BarReport {

	private static final String ROW = "%-54s %14s  %-36s %-30s %10s  %s%n";

	/** How far the worse quartile may lie beyond a bar that the median holds. */
	private static final double QUARTILE_SHARE = 0.9;

	private final PrintStream out;

	private final List<Bar> bars = new ArrayList<>();

	private boolean allHold = true;

	/**
	 * Creates an empty report.
	 * @param out receives the lines
	 */
	public BarReport(PrintStream out) {
		this.out = out;
	}

	/**
	 * Begins a suite with its title.
	 * @param suite the name of the suite
	 */
	public void title(String suite) {
		this.bars.clear();
		this.out.printf(Locale.ROOT, "%s on JDK %s, %d processors%n", suite, Runtime.version(),
				Runtime.getRuntime().availableProcessors());
		this.out.printf(ROW, "bar", "ours", "best peer or floor", "ratio (quartile, range)", "wanted", "");
	}

	/**
	 * Reports a ratio that must not be lower: more is better.
	 * @param name the bar's name
	 * @param rounds the measured values
	 * @param ours the contender that must hold the bar
	 * @param peer the contender to compare with
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
	 * @param peer the contender to compare with
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
	 * @param ours the counted value
	 * @param peer the values of peers, or an empty string
	 * @param wanted the bar
	 * @param holds whether it holds
	 */
	public void counted(String name, String ours, String peer, String wanted, boolean holds) {
		print(new Bar(name, ours, peer, "", wanted, verdict(holds)));
	}

	/**
	 * Reports a ratio for which there is no bar: less is better.
	 * @param name the name of the measurement
	 * @param rounds the measured values
	 * @param ours the contender
	 * @param peer the contender to compare with
	 * @param unit the values' unit
	 */
	public void compared(String name, Rounds rounds, String ours, String peer, String unit) {
		Spread ratio = rounds.ratio(ours, peer);
		print(new Bar(name, value(rounds.of(ours).median(), unit), value(rounds.of(peer).median(), unit) + ' ' + peer,
				spread(ratio, ratio.upperQuartile()), "", ""));
	}

	/**
	 * Shows a value that is no bar.
	 * @param name the name of the measurement
	 * @param value its value
	 */
	public void shown(String name, String value) {
		shown(name, value, "");
	}

	/**
	 * Shows a value that is no bar.
	 * @param name the name of the measurement
	 * @param value its value
	 * @param peer the value of a peer
	 */
	public void shown(String name, String value, String peer) {
		print(new Bar(name, value, peer, "", "", ""));
	}

	private void row(String name, double ours, double other, String peer, String unit, Spread ratio, double quartile,
			String wanted, boolean holds) {
		print(new Bar(name, value(ours, unit), value(other, unit) + ' ' + peer, spread(ratio, quartile), wanted,
				verdict(holds)));
	}

	/**
	 * Writes a value as reports do, with four digits that count or more.
	 * @param value the value
	 * @param unit its unit
	 * @return both
	 */
	public static String value(double value, String unit) {
		return String.format(Locale.ROOT, (value < 10_000) ? "%.4g %s" : "%,.0f %s", value, unit);
	}

	private static String spread(Spread ratio, double quartile) {
		return String.format(Locale.ROOT, "%.2f (%.2f, %.2f to %.2f)", ratio.median(), quartile, ratio.min(),
				ratio.max());
	}

	private static String verdict(boolean holds) {
		return holds ? Bar.HOLDS : Bar.FALLS_SHORT;
	}

	private void print(Bar bar) {
		this.bars.add(bar);
		this.allHold &= !bar.fallsShort();
		this.out.printf(ROW, bar.name(), bar.ours(), bar.beside(), bar.ratio(), bar.wanted(), bar.verdict());
	}

	/**
	 * Returns the bars of the current suite.
	 * @return the bars, in the order of the report
	 */
	public List<Bar> bars() {
		return List.copyOf(this.bars);
	}

	/**
	 * Returns whether all bars of all suites hold.
	 * @return {@code false} if one falls short
	 */
	public boolean allHold() {
		return this.allHold;
	}

}
