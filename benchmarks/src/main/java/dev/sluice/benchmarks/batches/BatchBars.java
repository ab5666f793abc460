package dev.sluice.benchmarks.batches;

import java.util.List;
import java.util.Locale;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;

/** Batches: throughput, and wake-ups while idle. */
public final class BatchBars implements BarSuite {

	private static final List<String> JVM = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");

	private static final int FORKS = 5;

	private static final int ROUNDS_PER_FORK = 3;

	@Override
	public void measure(BarReport report) {
		for (int slots : new int[] { 1, 4 }) {
			for (int producers : new int[] { 1, 2 }) {
				throughput(report, slots, producers);
			}
		}
		String ours = wakeUps(Contender.SLUICE);
		report.counted("wake-ups in 2 s, idle", ours, wakeUps(Contender.REACTOR) + " " + Contender.REACTOR.title + ", "
				+ wakeUps(Contender.QUEUE) + " " + Contender.QUEUE.title, "0", ours.equals("0"));
	}

	private static void throughput(BarReport report, int slots, int producers) {
		Rounds rounds = new Rounds();
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(JVM, BatchRounds.class, slots, producers, ROUNDS_PER_FORK).linesOrThrow());
		}
		String name = String.format(Locale.ROOT, "throughput, %d slot%s, %d producer%s", slots, (slots > 1) ? "s" : "",
				producers, (producers > 1) ? "s" : "");
		for (Contender peer : List.of(Contender.REACTOR, Contender.REACTOR_INLINE, Contender.QUEUE)) {
			report.atLeast(name, rounds, Contender.SLUICE.title, peer.title, "M/s", 1.0);
		}
	}

	private static String wakeUps(Contender contender) {
		return Fork.run(List.of(), IdleWakeUps.class, contender).linesOrThrow().get(0);
	}

}
