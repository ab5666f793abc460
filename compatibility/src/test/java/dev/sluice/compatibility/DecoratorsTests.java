package dev.sluice.compatibility;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application's own {@code ConcurrentWebSocketSessionDecorator}, from four threads:
 * one with a larger buffer than any default, and one that drops messages. Each message
 * has ten thousand letters.
 */
@Tag("full")
class DecoratorsTests {

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/** Together more than a send buffer of ours and less than that of the application. */
	private static final int BUFFERED = 400;

	/** Together more than that and what a connection holds. */
	private static final int DROPPED = 2_000;

	private static final int SENDERS = 4;

	@ParameterizedTest
	@EnumSource
	void aLargeBufferKeepsAllForAClientThatReadsLater(Container container) {
		assertThat(receiveLate(Servers.on(container).without())).isEqualTo(BUFFERED + " messages; open");
		assertThat(receiveLate(Servers.on(container).with())).isEqualTo(BUFFERED + " messages; open");
	}

	@ParameterizedTest
	@EnumSource
	void aBufferThatDropsKeepsItsSessionOpen(Container container) {
		assertThat(receiveSome(Servers.on(container).without())).isEqualTo("some messages; open");
		assertThat(receiveSome(Servers.on(container).with())).isEqualTo("some messages; open");
	}

	private static String receiveLate(Server server) {
		Inbox inbox = new Inbox();
		try (WebSocketLink link = new WebSocketLink(server.port(), "/buffering", inbox, inbox::end)) {
			pauseDuring(link, BUFFERED);
			return inbox.take(BUFFERED).size() + " messages; " + inbox.how();
		}
	}

	private static String receiveSome(Server server) {
		Inbox inbox = new Inbox();
		try (WebSocketLink link = new WebSocketLink(server.port(), "/dropping", inbox, inbox::end)) {
			pauseDuring(link, DROPPED);
			link.send(String.valueOf(SENDERS));
			int received = 0;
			for (int firsts = 0; firsts <= SENDERS; received++) {
				List<String> next = inbox.take(1);
				if (next.isEmpty()) {
					return "not the last messages; " + inbox.how();
				}
				firsts += next.get(0).startsWith("0.") ? 1 : 0;
			}
			return ((received < DROPPED) ? "some" : "all") + " messages; " + inbox.how();
		}
	}

	/** Has so many messages sent, of which some are read after a pause only. */
	private static void pauseDuring(WebSocketLink link, int messages) {
		link.pause();
		link.send(String.valueOf(messages));
		await().pollDelay(PAUSE).until(() -> true);
		link.resume();
	}

}
