package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.Incrementer.Ledger;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four nodes, which are processes, increment a number under a mutex; one of them is
 * killed every second, with whatever it holds and wherever it waits, and another started.
 */
@Tag("full")
class RedisMutexProcessTests {

	private static final int NODES = 4;

	private static final int INCREMENTS = 10_000;

	@Test
	void noIncrementIsLostNoTokenComesTwiceAndTheLineIsKept() throws Exception {
		RedisClient client = null;
		List<JavaProcess> nodes = new ArrayList<>();
		List<Turn> turns = new ArrayList<>();
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
				turns(nodes.remove(0).kill(), turns);
				killed++;
				nodes.add(JavaProcess.start(Incrementer.class, "" + server.port(), "" + storage.port()));
			}
			for (JavaProcess node : nodes) {
				turns(node.kill(), turns);
			}

			List<Long> counted = ledger.count();
			System.out.printf("%d increments, %d nodes killed, %d turns told of%n", counted.get(0), killed,
					turns.size());
			assertThat(counted.get(0)).isEqualTo(counted.get(1)).isGreaterThanOrEqualTo(INCREMENTS);
			assertThat(counted.get(2)).as("Tokens that came twice").isZero();
			assertThat(overtaken(turns)).isEmpty();
		}
		finally {
			nodes.forEach(JavaProcess::close);
			if (client != null) {
				client.shutdown();
			}
		}
	}

	private static void turns(List<String> lines, List<Turn> turns) {
		for (String line : lines) {
			String[] numbers = line.split(" ");
			if (numbers.length == 3) {
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
	 * A turn of a thread.
	 *
	 * @param asked when it had not been asked for yet
	 * @param inLine when it was in line, or granted, for certain
	 * @param token in which place it was granted
	 */
	private record Turn(long asked, long inLine, long token) {
	}

}
