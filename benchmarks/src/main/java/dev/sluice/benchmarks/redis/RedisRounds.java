package dev.sluice.benchmarks.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.benchmarks.Load;
import dev.sluice.benchmarks.Node;
import dev.sluice.benchmarks.Rounds;

/**
 * Runs contenders one after the other on one key and prints of each in each round the
 * thousand permits a second, the 99th percentile in microseconds, and the scripts a
 * permit. Arguments: callers, nodes, rounds, contenders.
 */
final class RedisRounds {

	static final String P99 = ", p99";

	static final String SCRIPTS = ", scripts";

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	private RedisRounds() {
	}

	public static void main(String[] args) {
		int nodes = Integer.parseInt(args[1]);
		int rounds = Integer.parseInt(args[2]);
		try (Server server = new Server(); Load load = new Load(Integer.parseInt(args[0]))) {
			List<Contender> contenders = Stream.of(args).skip(3).map(Contender::valueOf).toList();
			List<List<Node>> connected = contenders.stream()
				.map((contender) -> Stream.generate(() -> contender.connect(server.port())).limit(nodes).toList())
				.toList();
			connected.forEach((each) -> load.run(each, WARM_UP_NANOS));
			for (int round = 0; round < rounds; round++) {
				for (int turn = 0; turn < contenders.size(); turn++) {
					int next = (round + turn) % contenders.size();
					String title = contenders.get(next).title;
					long before = server.scripts();
					Load.Result result = load.run(connected.get(next), MEASURE_NANOS);
					double scripts = (double) (server.scripts() - before) / result.calls();
					System.out.println(Rounds.line(title, result.perSecond() / 1e3));
					System.out.println(Rounds.line(title + P99, result.p99Micros()));
					System.out.println(Rounds.line(title + SCRIPTS, scripts));
				}
			}
			connected.forEach((each) -> each.forEach(Node::close));
		}
		System.exit(0);
	}

}
