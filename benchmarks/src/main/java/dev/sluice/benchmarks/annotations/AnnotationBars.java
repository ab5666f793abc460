package dev.sluice.benchmarks.annotations;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;

/** Annotations: the cost of a call of a limited method beyond proxy and limit. */
public final class AnnotationBars implements BarSuite {

	private static final int FORKS = 3;

	private static final int ROUNDS_PER_FORK = 5;

	@Override
	public void measure(BarReport report) {
		List<Object> arguments = new ArrayList<>(List.of(ROUNDS_PER_FORK));
		arguments.addAll(List.of(Contender.values()));
		Rounds rounds = new Rounds();
		List<String> options = List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch");
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(options, AnnotationRounds.class, arguments.toArray()).linesOrThrow());
		}
		atMost(report, rounds, Contender.THROTTLED, Contender.TRY_ACQUIRE, 1.2);
		atMost(report, rounds, Contender.THROTTLED_BY_KEY, Contender.SPEL_KEY, 1.2);
		for (Contender ours : List.of(Contender.THROTTLED, Contender.THROTTLED_BY_KEY)) {
			atMost(report, rounds, ours, Contender.RESILIENCE4J, 1);
		}
		for (Contender contender : Contender.values()) {
			report.shown(contender.title, format("%.4g ns, %.0f B", rounds.of(contender.title).median(),
					rounds.of(contender.title + AnnotationRounds.BYTES).median()));
		}
		allocation(report, rounds, Contender.THROTTLED);
	}

	private static void atMost(BarReport report, Rounds rounds, Contender ours, Contender other, double wanted) {
		report.atMost(ours.title, rounds, ours.title, other.title, "ns", wanted);
	}

	private static void allocation(BarReport report, Rounds rounds, Contender ours) {
		double proxy = rounds.of(Contender.NO_OP_INTERCEPTOR.title + AnnotationRounds.BYTES).median();
		double bytes = rounds.of(ours.title + AnnotationRounds.BYTES).median();
		report.counted(ours.title, format("%.0f B/op", bytes),
				format("%.0f B/op %s", proxy, Contender.NO_OP_INTERCEPTOR.title), "0 B more", bytes - proxy < 0.5);
	}

	private static String format(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

}
