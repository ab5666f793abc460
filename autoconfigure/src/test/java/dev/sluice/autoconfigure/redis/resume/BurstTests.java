package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.cluster.Topic;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A loop that publishes and does not wait, with members at three nodes over Redis. */
@Tag("redis")
@Timeout(120)
class BurstTests {

	/** The default, with which most of a burst is not in the history any more. */
	private static final String HISTORY = "sluice.cluster.history.size=100";

	/** Nothing fails as late as long as the machine is busy. */
	private static final String TIMEOUT = "sluice.cluster.timeout=30s";

	@Test
	void aBurstReachesTheMembersOfAllNodesInOrder() throws Exception {
		assertDelivered(1_000);
	}

	@Test
	@Tag("hostile")
	void aBurstOfAllCommandsThatMayWaitReachesTheMembersOfAllNodesInOrder() throws Exception {
		assertDelivered(10_000);
	}

	private static void assertDelivered(int messages) throws Exception {
		try (RoomServer redis = new RoomServer();
				RoomApplication first = RoomApplication.start(redis.port(), HISTORY, TIMEOUT);
				RoomApplication second = RoomApplication.start(redis.port(), HISTORY, TIMEOUT);
				RoomApplication third = RoomApplication.start(redis.port(), HISTORY, TIMEOUT);
				SocketClient here = member(first);
				SocketClient there = member(second);
				SocketClient elsewhere = member(third)) {
			await().atMost(Duration.ofSeconds(30)).until(() -> first.hears(3));
			Topic topic = first.cluster().topic("room-burst");
			await().atMost(Duration.ofSeconds(30))
				.until(() -> topic.post(new RoomApplication.Text(-1)).join().sent() == 3);
			List<CompletableFuture<?>> answers = new ArrayList<>();
			for (int number = 0; number < messages; number++) {
				answers.add(topic.publish(new RoomApplication.Text(number)));
			}
			CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
			for (SocketClient member : List.of(here, there, elsewhere)) {
				assertThat(received(member, messages)).isEqualTo(IntStream.range(0, messages).boxed().toList());
			}
		}
	}

	private static SocketClient member(RoomApplication application) {
		return new SocketClient(application.port(), "/rooms/burst");
	}

	/** Returns the numbers up to the last, and -2 where a gap stands. */
	private static List<Integer> received(SocketClient member, int messages) throws InterruptedException {
		List<Integer> numbers = new ArrayList<>();
		while (numbers.isEmpty() || numbers.get(numbers.size() - 1) != messages - 1) {
			String frame = member.next();
			if (frame.contains("\"gap\"")) {
				numbers.add(-2);
			}
			else if (frame.contains("\"text\":") && !frame.contains("\"text\":-1")) {
				numbers.add(Integer.parseInt(frame.replaceAll(".*\"text\":(\\d+).*", "$1")));
			}
		}
		return numbers;
	}

}
