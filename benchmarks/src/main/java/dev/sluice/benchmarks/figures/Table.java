package dev.sluice.benchmarks.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.sluice.benchmarks.Bar;
import dev.sluice.benchmarks.SavedSuite;

/** Bars as rows, with a column for each JDK. */
final class Table {

	private final Set<String> jdks = new LinkedHashSet<>();

	/** By measurement, peer and bar; then by JDK. */
	private final Map<List<String>, Map<String, String>> rows = new LinkedHashMap<>();

	Table(List<SavedSuite> suites) {
		for (SavedSuite saved : suites) {
			this.jdks.add(saved.jdk());
			for (Bar bar : saved.bars()) {
				Optional<Amount> peer = Amount.of(bar.beside());
				String wanted = bar.wanted().replace(">=", "≥").replace("<=", "≤");
				this.rows
					.computeIfAbsent(List.of(bar.name(), peer.map(Amount::title).orElse(""), wanted),
							(absent) -> new LinkedHashMap<>())
					.put(saved.jdk(), cell(bar, peer));
			}
		}
	}

	private static String cell(Bar bar, Optional<Amount> peer) {
		String values = bar.ours() + peer.map((amount) -> " to " + amount.text(bar.beside())).orElse("")
				+ (bar.ratio().isEmpty() ? "" : ": " + bar.ratio());
		return bar.fallsShort() ? "**" + values + "**" : values;
	}

	String lines() {
		StringBuilder lines = new StringBuilder();
		List<String> head = new ArrayList<>(List.of("bar", "peer", "target"));
		this.jdks.forEach((jdk) -> head.add("JDK " + jdk));
		append(lines, head);
		append(lines, head.stream().map((cell) -> "---").toList());
		this.rows.forEach((row, measured) -> {
			List<String> cells = new ArrayList<>(row);
			this.jdks.forEach((jdk) -> cells.add(measured.getOrDefault(jdk, "")));
			append(lines, cells);
		});
		return lines.toString();
	}

	private static void append(StringBuilder lines, List<String> cells) {
		lines.append("| ").append(String.join(" | ", cells)).append(" |\n");
	}

}
