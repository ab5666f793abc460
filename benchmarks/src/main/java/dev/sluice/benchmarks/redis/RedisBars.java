package dev.sluice.benchmarks.redis;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.benchmarks.Spread;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;

/** Limits in Redis: one hot key, and the bytes of a key. */
public final class RedisBars {

	private static final List<String> JVM = List.of("-Xms1g", "-Xmx1g");

	private static final int FORKS = 3;

	private static final int ROUNDS_PER_FORK = 5;

	private static final Duration PERIOD = Duration.ofHours(1);

	private RedisBars() {
	}

	/**
	 * Immediate decisions, one node.
	 * @param callers how many call at a time
	 * @return the bars
	 */
	public static BarSuite immediate(int callers) {
		return (report) -> {
			Contender[] contenders = { Contender.SLUICE, Contender.REDISSON, Contender.BUCKET4J, Contender.PING };
			Rounds rounds = rounds(callers, 1, contenders);
			String name = callers + ((callers > 1) ? " callers" : " caller");
			String ours = Contender.SLUICE.title;
			Spread scripts = rounds.of(ours + RedisRounds.SCRIPTS);
			report.counted("round trips a permit, " + name, format(scripts.median()), "", "<= 1",
					scripts.median() <= 1);
			report.atLeast("permits, " + name, rounds, ours, Contender.PING.title, "k/s", 0.8);
			for (Contender peer : List.of(Contender.REDISSON, Contender.BUCKET4J)) {
				report.atLeast("permits, " + name, rounds, ours, peer.title, "k/s", 1.0);
				report.atMost("p99, " + name, rounds, ours + RedisRounds.P99, peer.title + RedisRounds.P99, "us", 1.0);
			}
			for (Contender each : contenders) {
				report.shown(each.title + ", " + name,
						format(rounds.of(each.title).median()) + " k/s, p99 "
								+ format(rounds.of(each.title + RedisRounds.P99).median()) + " us, scripts "
								+ format(rounds.of(each.title + RedisRounds.SCRIPTS).median()));
			}
		};
	}

	/**
	 * Permits taken in batches, 32 callers, on one node and on four.
	 * @return the bars
	 */
	public static BarSuite batches() {
		return (report) -> {
			for (int nodes : new int[] { 1, 4 }) {
				Rounds rounds = rounds(32, nodes, Contender.SLUICE_BATCHES, Contender.BUCKET4J_BATCHING);
				report.atLeast("permits in batches, nodes: " + nodes, rounds, Contender.SLUICE_BATCHES.title,
						Contender.BUCKET4J_BATCHING.title, "k/s", (nodes > 1) ? 2.0 : 1.0);
			}
		};
	}

	private static Rounds rounds(int callers, int nodes, Contender... contenders) {
		Object[] arguments = Stream.concat(Stream.of(callers, nodes, ROUNDS_PER_FORK), Stream.of(contenders)).toArray();
		Rounds rounds = new Rounds();
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(JVM, RedisRounds.class, arguments).linesOrThrow());
		}
		return rounds;
	}

	private static String format(double value) {
		return String.format(Locale.ROOT, "%.4g", value);
	}

	/**
	 * The bytes of a key whose name and key have eight characters together.
	 * @return the bars
	 */
	public static BarSuite bytes() {
		return (report) -> {
			try (Server server = new Server()) {
				report.shown("server", server.version());
				bytes(report, server, Limit.tokenBucket(1_000_000, 999_983, PERIOD), 999_999);
				bytes(report, server, Limit.fixedWindow(1_000_000, PERIOD), 999_999);
				bytes(report, server, Limit.slidingWindow(1_000_000, PERIOD, 12), 999_999);
				bytes(report, server, Limit.mutex(), 1);
			}
		};
	}

	private static void bytes(BarReport report, Server server, Limit limit, int permits) {
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + server.port());
		try (RedisThrottleStore store = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).build()) {
			ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
			String name = limit.type().substring(0, 4);
			manager.addOrUpdate(name, limit).tryAcquire("key1", permits).permit();
			long bytes = server.bytesOf("sluice:{" + name);
			report.counted("bytes of a key, " + limit.type(), bytes + " B", "", "<= 100 B", bytes <= 100);
		}
		finally {
			client.shutdown();
		}
	}

}
