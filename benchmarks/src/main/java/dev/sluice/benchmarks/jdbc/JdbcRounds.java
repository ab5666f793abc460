package dev.sluice.benchmarks.jdbc;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.benchmarks.Load;
import dev.sluice.benchmarks.Node;
import dev.sluice.benchmarks.Rounds;

/**
 * Runs contenders one after the other on one key and prints of each in each round the
 * thousand permits a second, the mean time of a call and the 99th percentile, in
 * microseconds. Arguments: callers, rounds, contenders.
 */
final class JdbcRounds {

	static final String P99 = ", p99";

	static final String TIME = ", time";

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	private JdbcRounds() {
	}

	public static void main(String[] args) {
		int callers = Integer.parseInt(args[0]);
		int rounds = Integer.parseInt(args[1]);
		try (Server server = new Server(); Load load = new Load(callers)) {
			List<Contender> contenders = Stream.of(args).skip(2).map(Contender::valueOf).toList();
			List<Node> connected = contenders.stream().map((contender) -> contender.connect(server)).toList();
			connected.forEach((each) -> load.run(List.of(each), WARM_UP_NANOS));
			for (int round = 0; round < rounds; round++) {
				for (int turn = 0; turn < contenders.size(); turn++) {
					int next = (round + turn) % contenders.size();
					String title = contenders.get(next).title;
					Load.Result result = load.run(List.of(connected.get(next)), MEASURE_NANOS);
					System.out.println(Rounds.line(title, result.perSecond() / 1e3));
					System.out.println(Rounds.line(title + TIME, callers * 1e6 / result.perSecond()));
					System.out.println(Rounds.line(title + P99, result.p99Micros()));
				}
			}
			connected.forEach(Node::close);
		}
		System.exit(0);
	}

}
