package dev.sluice.benchmarks.limits;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.benchmarks.Scale;

/** Limits with very many keys, and very many waiters. */
public final class LimitScale {

	private static final int KEYS = 10 * Scale.LARGE;

	private static final int ROUNDS = 12;

	private static final int FEW_WAITING = 500;

	private LimitScale() {
	}

	/**
	 * Measures each rate with a million keys that are replaced, compared with as many
	 * that stay.
	 * @param report takes the bars
	 */
	public static void keys(BarReport report) {
		Stream.of(Contender.values()).filter(Contender::isSluice).forEach((rate) -> keys(report, rate));
	}

	private static void keys(BarReport report, Contender rate) {
		Rounds rounds = new Rounds();
		rounds.addAll(Fork.run(List.of("-Xms2g", "-Xmx2g"), KeyTurnover.class, rate, KEYS, ROUNDS).linesOrThrow());
		report.atMost(format("%s, %,d keys that come and go", rate.title, KEYS), rounds, KeyTurnover.REPLACED,
				KeyTurnover.STAYING, "ns", 2);
		double kept = rounds.of(KeyTurnover.KEPT).median();
		report.counted(
				rate.title + ", keys kept", format("%,.0f in %,.0f MB, %,.0f /s new", kept,
						rounds.of(KeyTurnover.BYTES).median() / 1e6, rounds.of(KeyTurnover.NEW).median()),
				"", format("<= %,d", 2 * KEYS), kept <= 2 * KEYS);
	}

	/**
	 * Measures a line of very many.
	 * @param report takes the bars
	 */
	public static void line(BarReport report) {
		Rounds few = HandOver.rounds(FEW_WAITING);
		Rounds many = HandOver.rounds(Scale.LARGE);
		String name = format("hand-over of a mutex, %,d waiting, in order", Scale.LARGE);
		report.atMost(name, many, HandOver.MUTEX, HandOver.TASK, "ns", 2);
		double ours = many.of(HandOver.MUTEX).median();
		double base = few.of(HandOver.MUTEX).median();
		report.counted(name, BarReport.value(ours, "ns"), BarReport.value(base, "ns") + " 500 waiting", "<= 2.0",
				ours <= 2 * base);
	}

	/**
	 * Measures the cost of a permit and of a hand-over for increasing numbers of keys and
	 * waiters.
	 * @param report takes the costs
	 */
	public static void timesByNumber(BarReport report) {
		for (int keys : Scale.sizes()) {
			Rounds rounds = LimitBars.rounds(Path.ADMITTED, 2, keys,
					List.of(Contender.TOKEN_BUCKET, Contender.NANO_TIME_CAS));
			shown(report, format("time of a permit, %,d keys", keys), rounds.of(Contender.TOKEN_BUCKET.title).median(),
					rounds.of(Contender.NANO_TIME_CAS.title).median(), "ns", Contender.NANO_TIME_CAS.title);
		}
		for (int waiting : Scale.sizes()) {
			Rounds rounds = HandOver.rounds(waiting);
			shown(report, format("time of a hand-over, %,d waiting", waiting), rounds.of(HandOver.MUTEX).median(),
					rounds.of(HandOver.TASK).median(), "ns", HandOver.TASK);
		}
	}

	/**
	 * Measures the cost of a key and of a waiter for increasing numbers of them.
	 * @param report takes the costs
	 */
	public static void bytesByNumber(BarReport report) {
		for (int keys : Scale.sizes()) {
			shown(report, format("bytes of a key, %,d keys", keys),
					LimitBars.bytes(BytesPerKey.class, Contender.TOKEN_BUCKET, keys),
					LimitBars.bytes(BytesPerKey.class, Contender.BUCKET4J, keys), "B", Contender.BUCKET4J.title);
		}
		for (int waiting : Scale.sizes()) {
			report.shown(format("bytes of a waiter, %,d waiting", waiting),
					BarReport.value(LimitBars.bytes(BytesPerWaiter.class, waiting), "B"));
		}
	}

	private static void shown(BarReport report, String name, double ours, double peer, String unit, String title) {
		report.shown(name, BarReport.value(ours, unit), BarReport.value(peer, unit) + ' ' + title);
	}

	private static String format(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

}
