package dev.sluice.benchmarks.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.sluice.benchmarks.Bar;

/** The cost of one item by the number of items, a small plot for each cost. */
final class LinePlot {

	private static final int IN_A_ROW = 2;

	private static final int WIDTH = (Svg.WIDTH - Svg.MARGIN) / IN_A_ROW - Svg.MARGIN;

	private static final int HEIGHT = 200;

	/** Above the lines: the head, and the contenders. */
	private static final int HEAD = 56;

	private static final int FOOT = 34;

	private static final int SIDE = 36;

	private final Map<String, List<Point>> costs = new LinkedHashMap<>();

	private final Figure figure;

	LinePlot(Figure figure, List<Bar> bars) {
		this.figure = figure;
		for (Bar bar : bars) {
			this.costs.computeIfAbsent(figure.part("group", bar), (absent) -> new ArrayList<>())
				.add(new Point(figure.part("x", bar), bar));
		}
	}

	String draw(String subtitle) {
		Svg svg = new Svg(this.figure.title, subtitle);
		int place = 0;
		for (Map.Entry<String, List<Point>> cost : this.costs.entrySet()) {
			int left = Svg.MARGIN + (place % IN_A_ROW) * (WIDTH + Svg.MARGIN);
			int top = Svg.TOP + (place / IN_A_ROW) * HEIGHT;
			draw(svg, left, top, cost.getKey(), cost.getValue());
			place++;
		}
		return svg.of(Svg.TOP + (place + IN_A_ROW - 1) / IN_A_ROW * HEIGHT + Svg.MARGIN);
	}

	private static void draw(Svg svg, int left, int top, String cost, List<Point> points) {
		double bottom = top + HEIGHT - FOOT;
		svg.text(left, top + 20, "head", "start", cost);
		svg.text(left, top + 36, "", "start",
				points.get(0)
					.peer()
					.map((peer) -> "Sluice in blue, " + peer.title() + " in grey")
					.orElse("Sluice in blue"));
		svg.line(left, bottom, left + WIDTH, bottom, "axis");
		double most = points.stream()
			.flatMap((point) -> Stream.concat(Stream.of(point.ours()), point.peer().stream()))
			.mapToDouble(Amount::value)
			.max()
			.orElseThrow();
		double height = bottom - top - HEAD - 16;
		for (int i = 0; i < points.size(); i++) {
			Point point = points.get(i);
			Point before = points.get(Math.max(0, i - 1));
			double x = x(left, i, points.size());
			double beforeX = x(left, Math.max(0, i - 1), points.size());
			boolean above = point.peer().map((peer) -> point.ours().value() >= peer.value()).orElse(true);
			svg.text(x, bottom + 16, "", "middle", point.x());
			point.peer().ifPresent((peer) -> {
				before.peer()
					.ifPresent((last) -> svg.line(beforeX, bottom - height * last.value() / most, x,
							bottom - height * peer.value() / most, "peer-line"));
				dot(svg, x, bottom - height * peer.value() / most, "peer", "", peer.text(point.bar().beside()),
						!above || isLow(peer, most));
			});
			svg.line(beforeX, bottom - height * before.ours().value() / most, x,
					bottom - height * point.ours().value() / most, "ours-line");
			dot(svg, x, bottom - height * point.ours().value() / most, "ours", "ours-text", point.bar().ours(),
					above || isLow(point.ours(), most));
		}
	}

	/** Below it is no room for a text. */
	private static boolean isLow(Amount amount, double most) {
		return amount.value() < 0.25 * most;
	}

	/** Each number is ten times the one before: the distances are equal. */
	private static double x(int left, int place, int count) {
		return left + SIDE + (double) place / Math.max(1, count - 1) * (WIDTH - 2 * SIDE);
	}

	private static void dot(Svg svg, double x, double y, String type, String textType, String text, boolean above) {
		svg.dot(x, y, type);
		svg.text(x, above ? y - 10 : y + 18, textType, "middle", text);
	}

	/** One of the numbers that a cost was measured for. */
	private record Point(String x, Bar bar) {

		Amount ours() {
			return Amount.of(this.bar.ours()).orElseThrow();
		}

		Optional<Amount> peer() {
			return Amount.of(this.bar.beside());
		}

	}

}
