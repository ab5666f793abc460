package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.JavaProcess;
import dev.sluice.redis.RedisServer;
import dev.sluice.redis.concurrency.Holdings.Holding;
import dev.sluice.redis.concurrency.Incrementer.Ledger;
import dev.sluice.test.trial.GrantHistory;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four nodes, which are processes, increment a number under a mutex; one of them is
 * stopped for longer than a lease every other second, and one killed in the next, with
 * whatever it holds and wherever it waits, and another started. Nobody is inside beside
 * another, but one that was stopped meanwhile and has not been told yet.
 */
@Tag("full")
class RedisMutexProcessTests {

	private static final int NODES = 4;

	private static final int INCREMENTS = 10_000;

	/** How long it may take until a holder is told that its time is over. */
	private static final long MOMENT = 100_000;

	private final Map<JavaProcess, List<Stop>> stops = new HashMap<>();

	/** How many holdings are not compared, as their node was stopped meanwhile. */
	private int stoppedHoldings;

	@Test
	void noIncrementIsLostNoTokenComesTwiceAndTheLineIsKept() throws Exception {
		RedisClient client = null;
		List<JavaProcess> nodes = new ArrayList<>();
		List<Turn> turns = new ArrayList<>();
		List<Holding> holdings = new ArrayList<>();
		try (RedisServer server = RedisServer.start(); RedisServer storage = RedisServer.start()) {
			client = storage.client();
			Ledger ledger = new Ledger(client.connect());
			for (int i = 0; i < NODES + 1; i++) {
				nodes.add(JavaProcess.start(Incrementer.class, "" + server.port(), "" + storage.port()));
			}
			int killed = 0;
			long end = System.nanoTime() + Duration.ofMinutes(30).toNanos();
			while (ledger.count().get(0) < INCREMENTS) {
				assertThat(System.nanoTime() - end).as("It ends: %s", ledger.count()).isNegative();
				nodes.get(0).awaitLine("ready");
				TimeUnit.SECONDS.sleep(1);
				JavaProcess stopped = nodes.get(1);
				long stoppedAt = GrantHistory.now();
				stopped.pause();
				TimeUnit.MILLISECONDS.sleep(2 * Incrementer.LEASE.toMillis());
				stopped.goOn();
				this.stops.computeIfAbsent(stopped, (node) -> new ArrayList<>())
					.add(new Stop(stoppedAt, GrantHistory.now() + MOMENT));
				killed++;
				end(nodes.remove(0), turns, holdings);
				nodes.add(JavaProcess.start(Incrementer.class, "" + server.port(), "" + storage.port()));
			}
			for (JavaProcess node : nodes) {
				end(node, turns, holdings);
			}

			List<Long> counted = ledger.count();
			System.out.printf("%d increments, %d nodes killed, %d turns told of%n", counted.get(0), killed,
					turns.size());
			assertThat(counted.get(0)).isEqualTo(counted.get(1)).isGreaterThanOrEqualTo(INCREMENTS);
			assertThat(counted.get(2)).as("Tokens that came twice").isZero();
			assertThat(overtaken(turns)).isEmpty();
			assertThat(holdings.size() + this.stoppedHoldings).isGreaterThanOrEqualTo(INCREMENTS);
			assertThat(Holdings.overlaps(holdings, MOMENT)).isEmpty();
		}
		finally {
			nodes.forEach(JavaProcess::close);
			if (client != null) {
				client.shutdown();
			}
		}
	}

	/** Kills a node, and takes up what it has told of. */
	private void end(JavaProcess node, List<Turn> turns, List<Holding> holdings) throws InterruptedException {
		long killedAt = GrantHistory.now();
		List<String> lines = node.kill();
		turns(lines, turns);
		for (Holding holding : holdings(lines, killedAt)) {
			boolean stopped = this.stops.getOrDefault(node, List.of())
				.stream()
				.anyMatch((stop) -> holding.from() <= stop.till() && holding.till() >= stop.from());
			if (stopped) {
				this.stoppedHoldings++;
			}
			else {
				holdings.add(holding);
			}
		}
	}

	private static List<Holding> holdings(List<String> lines, long killedAt) {
		Map<Long, Long> begun = new LinkedHashMap<>();
		List<Holding> holdings = new ArrayList<>();
		for (String line : lines) {
			String[] words = line.split(" ");
			if (words[0].equals("in")) {
				begun.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
			}
			else if ((words[0].equals("out") || words[0].equals("lost"))
					&& begun.containsKey(Long.parseLong(words[1]))) {
				long token = Long.parseLong(words[1]);
				holdings
					.add(new Holding(token, begun.remove(token), Long.parseLong(words[2]), words[0].equals("lost")));
			}
		}
		// one that was killed might have been told a moment later
		begun
			.forEach((token, from) -> holdings.add(new Holding(token, from, Math.max(from, killedAt - MOMENT), false)));
		return holdings;
	}

	private static void turns(List<String> lines, List<Turn> turns) {
		for (String line : lines) {
			String[] numbers = line.split(" ");
			if (numbers.length == 3 && Character.isDigit(line.charAt(0))) {
				turns.add(new Turn(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2])));
			}
		}
	}

	/**
	 * Returns the turns that came after one that had lined up later: in the order of
	 * grants, nobody may have been in line before anybody who came earlier had asked.
	 */
	private static List<Turn> overtaken(List<Turn> turns) {
		turns.sort(Comparator.comparingLong(Turn::token));
		List<Turn> overtaken = new ArrayList<>();
		long latestAsked = Long.MIN_VALUE;
		for (Turn turn : turns) {
			if (turn.inLine < latestAsked) {
				overtaken.add(turn);
			}
			latestAsked = Math.max(latestAsked, turn.asked);
		}
		return overtaken;
	}

	/**
	 * A time in which a node was stopped.
	 *
	 * @param from when it was about to be
	 * @param till when it had long gone on
	 */
	private record Stop(long from, long till) {
	}

	/**
	 * A turn of a thread.
	 *
	 * @param asked when it had not been asked for yet
	 * @param inLine when it was in line, or granted, for certain
	 * @param token in which place it was granted
	 */
	private record Turn(long asked, long inLine, long token) {
	}

}
