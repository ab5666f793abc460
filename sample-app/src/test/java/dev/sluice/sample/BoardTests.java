package dev.sluice.sample;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/** The board, on a node of its own. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BoardTests {

	@LocalServerPort
	private int port;

	@Autowired
	private SessionCluster cluster;

	@Test
	void whatOneGuestWritesAllReadInOneOrder() throws InterruptedException {
		try (SocketClient ann = open(); SocketClient ben = open()) {
			ann.send(note("Soup is out"));
			String line = ann.next();
			assertThat(line).startsWith(
					"{\"type\":\"line\",\"node\":\"" + node() + "\",\"text\":\"Soup is out\",\"topic\":\"board\"");
			ben.send(note("So is bread"));
			assertThat(ben.next(2)).containsExactly(line, ann.next());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ",
			"A note of more than eighty characters, which is more than anybody who cooks has time to read" })
	void aNoteThatIsNoneIsAnsweredWithWhatIsWrong(String text) throws InterruptedException {
		try (SocketClient guest = open()) {
			guest.send(note(text));
			assertThat(guest.next()).startsWith("{\"type\":\"error\",\"reason\":\"unreadable\"");
			guest.send(note("Soup is out"));
			assertThat(guest.next()).contains("Soup is out");
		}
	}

	/** A guest who has a new session, and is told of its node and its topic. */
	private SocketClient open() throws InterruptedException {
		SocketClient guest = new SocketClient(this.port, "/board");
		guest.send("{\"type\":\"resume\"}");
		assertThat(guest.next()).startsWith("{\"type\":\"session\"");
		assertThat(guest.next(2)).anyMatch((frame) -> frame.startsWith("{\"type\":\"joined\""))
			.contains("{\"type\":\"welcome\",\"node\":\"" + node() + "\",\"seq\":1}");
		return guest;
	}

	private String node() {
		return this.cluster.nodes().iterator().next().name();
	}

	private static String note(String text) {
		return "{\"type\":\"note\",\"text\":\"%s\"}".formatted(text);
	}

}
