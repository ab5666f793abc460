package dev.sluice.benchmarks.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.benchmarks.Bar;

/** Bars for the values of contenders, in groups with a scale each. */
final class BarPlot {

	private static final int LABELS = 190;

	private static final int LONGEST = 420;

	private static final int STEP = 20;

	private static final int THICKNESS = 14;

	/** By group and by whom, as the reports have them. */
	private final Map<String, Map<String, String>> groups = new LinkedHashMap<>();

	private final Figure figure;

	BarPlot(Figure figure, List<Bar> bars) {
		this.figure = figure;
		for (Bar bar : bars) {
			group(bar).put(figure.ours(bar), bar.ours());
		}
		for (Bar bar : bars) {
			Amount.of(bar.beside()).ifPresent((peer) -> group(bar).put(peer.title(), peer.text(bar.beside())));
		}
	}

	private Map<String, String> group(Bar bar) {
		return this.groups.computeIfAbsent(this.figure.part("group", bar), (absent) -> new LinkedHashMap<>());
	}

	String draw(String subtitle) {
		Svg svg = new Svg(this.figure.title, subtitle + " Each group has a scale of its own.");
		int y = Svg.TOP;
		for (Map.Entry<String, Map<String, String>> group : this.groups.entrySet()) {
			y += STEP;
			svg.text(Svg.MARGIN, y, "head", "start", group.getKey());
			y += STEP / 2;
			double most = group.getValue().values().stream().mapToDouble(BarPlot::value).max().orElseThrow();
			for (Map.Entry<String, String> one : group.getValue().entrySet()) {
				boolean ours = one.getKey().startsWith("Sluice");
				double length = LONGEST * value(one.getValue()) / most;
				svg.text(LABELS, y + STEP * 0.55, ours ? "ours-text" : "", "end", one.getKey());
				svg.bar(LABELS + 10, y, length, THICKNESS, ours ? "ours" : "peer");
				svg.text(LABELS + 16 + length, y + STEP * 0.55, ours ? "ours-text" : "", "start", one.getValue());
				y += STEP;
			}
		}
		return svg.of(y + Svg.MARGIN);
	}

	private static double value(String amount) {
		return Amount.of(amount).orElseThrow().value();
	}

}
