package dev.sluice.sample;

import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/** The board, on a node of its own. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BoardTests {

	@LocalServerPort
	private int port;

	@Test
	void whatOneGuestWritesAllReadInOneOrder() throws InterruptedException {
		try (SocketClient ann = open(); SocketClient ben = open()) {
			String node = ann.next().replaceAll("\\{\"type\":\"welcome\",\"node\":\"(.+)\"}", "$1");
			assertThat(ben.next()).contains(node);
			ben.send(note("Ben is here"));
			assertThat(ben.next()).as("he reads all that follows").contains("Ben is here");
			ann.send(note("Soup is out"));
			String line = ann.next();
			line = line.contains("Ben is here") ? ann.next() : line;
			assertThat(line).startsWith(
					"{\"type\":\"line\",\"node\":\"" + node + "\",\"text\":\"Soup is out\",\"topic\":\"board\"");
			ben.send(note("So is bread"));
			assertThat(ben.next(2)).containsExactly(line, ann.next());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ",
			"A note of more than eighty characters, which is more than anybody who cooks has time to read" })
	void aNoteThatIsNoneIsAnsweredWithWhatIsWrong(String text) throws InterruptedException {
		try (SocketClient guest = open()) {
			guest.next();
			guest.send(note(text));
			assertThat(guest.next()).startsWith("{\"type\":\"error\",\"reason\":\"unreadable\"");
			guest.send(note("Soup is out"));
			assertThat(guest.next()).contains("Soup is out");
		}
	}

	private SocketClient open() {
		return new SocketClient(this.port, "/board");
	}

	private static String note(String text) {
		return "{\"type\":\"note\",\"text\":\"%s\"}".formatted(text);
	}

}
