package dev.sluice.compatibility;

import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What handlers read from sessions and from the sessions of the container. */
@Tag("full")
class NativeSessionsTests {

	@ParameterizedTest
	@EnumSource(names = "TOMCAT")
	void whenAMessageComes(Container container) {
		String without = read(Servers.on(container).without());
		assertThat(without).contains("native query = name=");
		assertEqual(container, "open session", without, read(Servers.on(container).with()));
	}

	@ParameterizedTest
	@EnumSource
	void whenTheClientHasClosed(Container container) {
		String without = readClosed(Servers.on(container).without(), "ping");
		assertThat(without).contains("opened=yes");
		assertEqual(container, "session closed by its client", without,
				readClosed(Servers.on(container).with(), "ping"));
	}

	@ParameterizedTest
	@EnumSource
	void whenTheHandlerHasClosed(Container container) {
		String without = readClosed(Servers.on(container).without(), "close");
		assertThat(without).contains("opened=yes");
		assertEqual(container, "session closed by its handler", without,
				readClosed(Servers.on(container).with(), "close"));
	}

	private static void assertEqual(Container container, String session, String without, String with) {
		assertThat(with.lines().toList()).as("%s", container)
			.isEqualTo(without.lines().map((fact) -> expected(container, session, fact)).toList());
	}

	/** Takes what is listed as different for what is after the equals sign. */
	private static String expected(Container container, String session, String fact) {
		String[] sides = fact.split(" = ", 2);
		return sides[0] + " = " + Differences.expected(container, session + ": " + sides[0], sides[1]);
	}

	private static String read(Server server) {
		Inbox inbox = new Inbox();
		try (Link link = new WebSocketLink(server.port(), "/native?name=reader", inbox, inbox::end)) {
			link.send("read");
			return inbox.take(1).get(0).replaceAll(":\\d+/", "/");
		}
	}

	private static String readClosed(Server server, String message) {
		Inbox inbox = new Inbox();
		String name = UUID.randomUUID().toString();
		try (Link link = new WebSocketLink(server.port(), "/native?name=" + name, inbox, inbox::end)) {
			link.send(message);
			if (!message.equals("close")) {
				inbox.take(1);
			}
		}
		return Awaitility.await()
			.until(() -> server.get("/closed/" + name), (facts) -> !facts.isEmpty())
			.replace(name, "NAME")
			.replaceAll(":\\d+/", "/");
	}

}
