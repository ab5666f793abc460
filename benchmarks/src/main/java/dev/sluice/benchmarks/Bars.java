package dev.sluice.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.sluice.benchmarks.annotations.AnnotationBars;
import dev.sluice.benchmarks.batches.BatchBars;
import dev.sluice.benchmarks.execution.ExecutionBars;
import dev.sluice.benchmarks.limits.LimitBars;

/**
 * Measures suites of bars and prints one line a bar; exits with 0 if all of them hold,
 * with 1 if one falls short, with 2 if it is called wrongly.
 */
public final class Bars {

	private static final Map<String, Supplier<BarSuite>> SUITES = new TreeMap<>(Map.of("annotations",
			AnnotationBars::new, "batches", BatchBars::new, "execution", ExecutionBars::new, "limits", LimitBars::new));

	private Bars() {
	}

	/**
	 * Runs the suites named.
	 * @param names the names
	 */
	public static void main(String[] names) {
		if (names.length == 0 || !SUITES.keySet().containsAll(List.of(names))) {
			System.err.println("Name one or more of " + SUITES.keySet());
			System.exit(2);
		}
		BarReport report = new BarReport(System.out);
		SUITES.forEach((name, suite) -> {
			if (List.of(names).contains(name)) {
				report.title(name);
				suite.get().measure(report);
			}
		});
		System.exit(report.allHold() ? 0 : 1);
	}

}
