package dev.sluice.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many messages at once, each way. */
@Tag("full")
class BurstsTests {

	/** What 100 ms each make longer than any patience of a server. */
	private static final int IN = 200;

	/** Of 100 bytes each, so that they are more than a send buffer holds. */
	private static final int OUT = 10_000;

	/** All at once, as nearly all of them wait. */
	@Test
	void fromClientsToASlowHandler() throws Exception {
		List<String> messages = IntStream.range(0, IN).mapToObj((i) -> "message " + i).toList();
		ExecutorService clients = Executors.newCachedThreadPool();
		try {
			List<Future<?>> comparisons = new ArrayList<>();
			for (Container container : Container.values()) {
				Servers servers = Servers.on(container);
				for (Way way : Way.values()) {
					Future<Received> without = clients
						.submit(() -> receive(way, servers.without(), "slow", messages, IN));
					Future<Received> with = clients.submit(() -> receive(way, servers.with(), "slow", messages, IN));
					comparisons.add(clients.submit(() -> assertEqual(container, way, without.get(), with.get())));
				}
			}
			for (Future<?> comparison : comparisons) {
				comparison.get();
			}
		}
		finally {
			clients.shutdownNow();
		}
	}

	@Test
	void fromAHandlerToAClientThatReads() {
		for (Container container : Container.values()) {
			Received all = new Received(OUT, true, "open");
			for (Way way : List.of(Way.WEBSOCKET, Way.SOCKJS_WEBSOCKET, Way.STOMP, Way.STOMP_OVER_SOCKJS_WEBSOCKET)) {
				List<String> count = List.of(String.valueOf(OUT));
				assertThat(receive(way, Servers.on(container).without(), "burst", count, OUT))
					.as("%s, %s, without", container, way)
					.isEqualTo(all);
				assertThat(receive(way, Servers.on(container).with(), "burst", count, OUT))
					.as("%s, %s, with", container, way)
					.isEqualTo(all);
			}
		}
	}

	private static Void assertEqual(Container container, Way way, Received without, Received with) {
		assertThat(with).as("%s, %s", container, way).isEqualTo(without);
		return null;
	}

	private static Received receive(Way way, Server server, String handler, List<String> messages, int count) {
		Inbox inbox = new Inbox();
		try (Link link = way.open(server, handler, inbox)) {
			messages.forEach(link::send);
			List<String> received = inbox.take(count);
			return new Received(received.size(), !way.isOrdered() || isOrdered(received), inbox.how());
		}
	}

	private static boolean isOrdered(List<String> messages) {
		List<Integer> numbers = new ArrayList<>();
		messages.forEach((message) -> numbers.add(Integer.valueOf(message.replaceAll("\\D", ""))));
		return numbers.equals(numbers.stream().sorted().toList());
	}

	/** What a client got, and how its connection was then. */
	private record Received(int count, boolean ordered, String connection) {
	}

}
