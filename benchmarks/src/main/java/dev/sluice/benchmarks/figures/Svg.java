package dev.sluice.benchmarks.figures;

import java.util.Locale;

/** A drawing that is as readable on dark pages as on light ones. */
final class Svg {

	static final int WIDTH = 760;

	static final int MARGIN = 20;

	/** Where the drawing begins, below its titles. */
	static final int TOP = 62;

	private static final String STYLE = """
			svg { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
			.page { fill: #ffffff; } text { fill: #59636e; } .title { fill: #1f2328; font-size: 15px; font-weight: 600; }
			.head, .ours-text { fill: #1f2328; font-weight: 600; } .axis { stroke: #d1d9e0; }
			.ours { fill: #1f6feb; } .peer { fill: #afb8c1; } .ours-line { stroke: #1f6feb; } .peer-line { stroke: #afb8c1; }
			.ours-line, .peer-line { stroke-width: 2; fill: none; }
			@media (prefers-color-scheme: dark) {
			.page { fill: #0d1117; } text { fill: #9198a1; } .title, .head, .ours-text { fill: #f0f6fc; }
			.axis { stroke: #3d444d; } .ours { fill: #4493f8; } .peer { fill: #656c76; }
			.ours-line { stroke: #4493f8; } .peer-line { stroke: #656c76; } }
			""";

	private final StringBuilder body = new StringBuilder();

	Svg(String title, String subtitle) {
		text(MARGIN, 28, "title", "start", title);
		text(MARGIN, 46, "", "start", subtitle);
	}

	void text(double x, double y, String type, String anchor, String text) {
		add("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>", x, y, type, anchor,
				text.replace("&", "&amp;").replace("<", "&lt;"));
	}

	void bar(double x, double y, double width, double height, String type) {
		add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" class=\"%s\"/>", x, y, width, height,
				type);
	}

	void dot(double x, double y, String type) {
		add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>", x, y, type);
	}

	void line(double fromX, double fromY, double toX, double toY, String type) {
		add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>", fromX, fromY, toX, toY, type);
	}

	private void add(String pattern, Object... values) {
		this.body.append(String.format(Locale.ROOT, pattern, values)).append('\n');
	}

	/** The whole drawing. */
	String of(int height) {
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %d %d\" width=\"%1$d\" height=\"%2$d\">\n"
			.formatted(WIDTH, height) + "<style>\n" + STYLE + "</style>\n"
				+ "<rect width=\"%d\" height=\"%d\" rx=\"6\" class=\"page\"/>\n".formatted(WIDTH, height) + this.body
				+ "</svg>\n";
	}

}
