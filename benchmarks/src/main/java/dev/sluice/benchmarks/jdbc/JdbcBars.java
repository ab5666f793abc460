package dev.sluice.benchmarks.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;

/** Limits in PostgreSQL: one hot key, and a line. */
public final class JdbcBars {

	private static final List<String> JVM = List.of("-Xms512m", "-Xmx512m");

	private static final int FORKS = 3;

	private static final int ROUNDS_PER_FORK = 5;

	private static final int WAITERS = 500;

	private static final String KEY = "order";

	private JdbcBars() {
	}

	/**
	 * Immediate decisions of one caller, compared with a statement that reads nothing.
	 * @return the bars
	 */
	public static BarSuite alone() {
		return (report) -> {
			Rounds rounds = rounds(1, Contender.SLUICE, Contender.SELECT);
			report.atMost("time of a permit, 1 caller", rounds, Contender.SLUICE.title + JdbcRounds.TIME,
					Contender.SELECT.title + JdbcRounds.TIME, "us", 1.5);
		};
	}

	/**
	 * Immediate decisions of 32 callers of one key, on one node.
	 * @return the bars
	 */
	public static BarSuite together() {
		return (report) -> {
			Contender[] contenders = { Contender.SLUICE, Contender.BUCKET4J_ROW, Contender.BUCKET4J_ADVISORY };
			Rounds rounds = rounds(32, contenders);
			String ours = Contender.SLUICE.title;
			for (Contender peer : List.of(Contender.BUCKET4J_ROW, Contender.BUCKET4J_ADVISORY)) {
				report.atLeast("permits, 32 callers", rounds, ours, peer.title, "k/s", 3.0);
				report.atMost("p99, 32 callers", rounds, ours + JdbcRounds.P99, peer.title + JdbcRounds.P99, "us", 1.0);
			}
		};
	}

	private static Rounds rounds(int callers, Contender... contenders) {
		Object[] arguments = Stream.concat(Stream.of(callers, ROUNDS_PER_FORK), Stream.of(contenders)).toArray();
		Rounds rounds = new Rounds();
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(JVM, JdbcRounds.class, arguments).linesOrThrow());
		}
		return rounds;
	}

	/**
	 * Waiters of one mutex that alternate between two nodes.
	 * @return the bars
	 */
	public static BarSuite line() {
		return (report) -> {
			try (Server server = new Server();
					SluiceNode first = new SluiceNode(server);
					SluiceNode second = new SluiceNode(server)) {
				List<Throttle> nodes = Stream.of(first, second)
					.map((node) -> node.manager().addOrUpdate("mutex", Limit.mutex()))
					.toList();
				Permit holder = nodes.get(0).tryAcquire(KEY).permit();
				Queue<Integer> served = new ConcurrentLinkedQueue<>();
				List<CompletableFuture<?>> waiters = new ArrayList<>();
				for (int i = 0; i < WAITERS; i++) {
					int number = i;
					waiters.add(nodes.get(i % 2).acquire(KEY, 1, Duration.ofHours(1)).thenAccept((permit) -> {
						served.add(number);
						permit.close();
					}));
					awaitWaiters(nodes.get(0), i + 1);
				}
				long start = System.nanoTime();
				holder.close();
				CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).join();
				double millis = (System.nanoTime() - start) / 1e6 / WAITERS;
				List<Integer> order = IntStream.range(0, WAITERS).boxed().toList();
				report.counted("waiters of two nodes, served as they came", served.size() + "", "", "all in order",
						List.copyOf(served).equals(order));
				report.shown("time of a hand-over", String.format(Locale.ROOT, "%.4g ms", millis));
			}
		};
	}

	private static void awaitWaiters(Throttle throttle, int waiters) {
		long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
		while (throttle.state(KEY).waiting() != waiters) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException("Waiters are missing: " + throttle.state(KEY));
			}
			Thread.onSpinWait();
		}
	}

}
