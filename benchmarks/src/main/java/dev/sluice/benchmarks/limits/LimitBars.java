package dev.sluice.benchmarks.limits;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;

/** Limits: the cost of a call, of a key and of a hand-over. */
public final class LimitBars implements BarSuite {

	private static final List<Contender> OURS = Stream.of(Contender.values()).filter(Contender::isSluice).toList();

	private static final int FORKS = 3;

	private static final int ROUNDS_PER_FORK = 5;

	private static final int CROWDED_ROUNDS = FORKS * ROUNDS_PER_FORK;

	private static final int WAITING = 500;

	private static final int KEYS = 100_000;

	/** Nanoseconds of a call that meets a cap, and of one that shares with many keys. */
	private static final double MOST_AT_CAP = 5_000;

	private static final double MOST_OF_ACTIVE = 50_000;

	/** How much slower two threads may read the clock than one on a quiet machine. */
	private static final double SANE_CLOCK = 1.25;

	@Override
	public void measure(BarReport report) {
		clock(report);
		admitted(report, 1, Contender.BUCKET4J, Contender.RESILIENCE4J, Contender.GUAVA);
		admitted(report, 2, Contender.BUCKET4J, Contender.RESILIENCE4J, Contender.GUAVA, Contender.LOCKED_LOG);
		rejected(report, 1);
		rejected(report, 2);
		keyed(report, 10_000);
		keyed(report, 1_000_000);
		bytesPerKey(report);
		crowded(report);
		handOver(report);
	}

	private static void clock(BarReport report) {
		double one = rounds(Path.REJECTED, 1, 1, List.of(Contender.NANO_TIME)).of(Contender.NANO_TIME.title).median();
		double two = rounds(Path.REJECTED, 2, 1, List.of(Contender.NANO_TIME)).of(Contender.NANO_TIME.title).median();
		report.counted("nanoTime, 2 threads (else the run does not count)", format("%.1f ns", two),
				format("%.1f ns 1 thread", one), "<= " + SANE_CLOCK, two <= SANE_CLOCK * one);
	}

	private static void admitted(BarReport report, int threads, Contender... peers) {
		List<Contender> contenders = new ArrayList<>(List.of(peers));
		contenders.add(Contender.NANO_TIME_CAS);
		contenders.addAll(OURS);
		Rounds rounds = rounds(Path.ADMITTED, threads, 1, contenders);
		for (Contender ours : OURS) {
			String name = name(ours, "admitted", threads);
			double wanted = (threads > 1 && ours.isGuarded()) ? 2 : 1.25;
			report.atMost(name, rounds, ours.title, Contender.NANO_TIME_CAS.title, "ns", wanted);
			for (Contender peer : peers) {
				report.atMost(name, rounds, ours.title, peer.title, "ns", 1);
			}
			allocation(report, name, rounds, ours);
		}
	}

	private static void rejected(BarReport report, int threads) {
		List<Contender> contenders = new ArrayList<>(OURS);
		contenders.add(Contender.NANO_TIME);
		Rounds rounds = rounds(Path.REJECTED, threads, 1, contenders);
		for (Contender ours : OURS) {
			String name = name(ours, "rejected", threads);
			report.atMost(name, rounds, ours.title, Contender.NANO_TIME.title, "ns", 1.5);
			allocation(report, name, rounds, ours);
		}
	}

	private static void allocation(BarReport report, String name, Rounds rounds, Contender ours) {
		double bytes = rounds.of(ours.title + LimitRounds.BYTES).median();
		report.counted(name, format("%.0f B/op", bytes), "", "0 B/op", bytes < 0.5);
	}

	private static void keyed(BarReport report, int keys) {
		List<Contender> contenders = new ArrayList<>(OURS);
		contenders.add(Contender.NANO_TIME_CAS);
		Rounds rounds = rounds(Path.ADMITTED, 2, keys, contenders);
		for (Contender ours : OURS) {
			report.atMost(format("%s, %,d keys, 2 threads", ours.title, keys), rounds, ours.title,
					Contender.NANO_TIME_CAS.title, "ns", 1.25);
		}
	}

	private static void bytesPerKey(BarReport report) {
		String peer = format("%.0f B %s", bytesPerKey(Contender.GUAVA), Contender.GUAVA.title);
		for (Contender ours : OURS) {
			if (ours != Contender.SLIDING_LOG) {
				double bytes = bytesPerKey(ours);
				report.counted(ours.title + ", bytes a key", format("%.0f B", bytes), peer, "<= 100 B", bytes <= 100);
			}
		}
	}

	private static double bytesPerKey(Contender contender) {
		return bytes(BytesPerKey.class, contender, KEYS);
	}

	static double bytes(Class<?> main, Object... arguments) {
		List<String> lines = Fork.run(List.of("-XX:+UseSerialGC", "-Xmx2g"), main, arguments).linesOrThrow();
		return Double.parseDouble(lines.get(0));
	}

	private static void crowded(BarReport report) {
		crowded(report, format("new key at a cap of %,d, all in use", CrowdedKeys.KEYS_AT_CAP), MOST_AT_CAP,
				CrowdedKeys::newcomerNanos);
		crowded(report, format("dynamic window, %,d active keys, rejected", CrowdedKeys.ACTIVE_KEYS), MOST_OF_ACTIVE,
				CrowdedKeys::dynamicWindowNanos);
		crowded(report, format("dynamic window, %,d active keys, %d in line, rejected", CrowdedKeys.ACTIVE_KEYS,
				CrowdedKeys.WAITING), MOST_OF_ACTIVE, CrowdedKeys::dynamicWindowLineNanos);
	}

	private static void crowded(BarReport report, String name, double most, DoubleSupplier measurement) {
		double nanos = IntStream.range(0, CROWDED_ROUNDS)
			.mapToDouble((round) -> measurement.getAsDouble())
			.sorted()
			.skip(CROWDED_ROUNDS / 2)
			.findFirst()
			.orElseThrow();
		report.counted(name, format("%,.0f ns", nanos), "", format("<= %,.0f ns", most), nanos <= most);
	}

	private static void handOver(BarReport report) {
		report.atMost("hand-over of a mutex, 500 waiting, in order", HandOver.rounds(WAITING), HandOver.MUTEX,
				HandOver.TASK, "ns", 2);
	}

	static Rounds rounds(Path path, int threads, int keys, List<Contender> contenders) {
		List<Object> arguments = new ArrayList<>(List.of(path, threads, keys, ROUNDS_PER_FORK));
		arguments.addAll(contenders);
		Rounds rounds = new Rounds();
		List<String> options = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(options, LimitRounds.class, arguments.toArray()).linesOrThrow());
		}
		return rounds;
	}

	private static String name(Contender ours, String path, int threads) {
		return format("%s, %s, %d thread%s", ours.title, path, threads, (threads > 1) ? "s" : "");
	}

	private static String format(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

}
