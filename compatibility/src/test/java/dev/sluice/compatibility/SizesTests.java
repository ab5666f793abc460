package dev.sluice.compatibility;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sizes that the application has set for its container, its sessions and STOMP.
 */
@Tag("full")
class SizesTests {

	@ParameterizedTest
	@EnumSource(names = "TOMCAT")
	void ofTheContainer(Container container) {
		compare(container, "/echo", 130_000);
		compare(container, "/echo", 132_000);
	}

	@ParameterizedTest
	@EnumSource
	void ofASession(Container container) {
		compare(container, "/limited", 19_999);
		compare(container, "/limited", 20_001);
	}

	@ParameterizedTest
	@EnumSource(names = "TOMCAT")
	void ofStomp(Container container) {
		for (int size : new int[] { 20_000, 90_000, 100_000 }) {
			String without = stomp(Servers.on(container).without(), size);
			assertThat(stomp(Servers.on(container).with(), size)).as("%s letters", size).isEqualTo(without);
		}
	}

	private static void compare(Container container, String path, int size) {
		String without = echo(Servers.on(container).without(), path, size);
		assertThat(echo(Servers.on(container).with(), path, size)).as("%s letters", size).isEqualTo(without);
	}

	private static String echo(Server server, String path, int size) {
		Inbox inbox = new Inbox();
		try (Link link = new WebSocketLink(server.port(), path, inbox, inbox::end)) {
			link.send("first");
			inbox.take(1);
			link.send("a".repeat(size));
			return describe(inbox);
		}
	}

	private static String stomp(Server server, int size) {
		Inbox inbox = new Inbox();
		try (Link link = Way.STOMP.open(server, "length", inbox)) {
			link.send("a".repeat(size));
			return describe(inbox);
		}
	}

	private static String describe(Inbox inbox) {
		List<String> messages = inbox.take(1);
		String first = messages.isEmpty() ? "none" : messages.get(0);
		return "%s messages, the first of %s letters beginning %s; %s".formatted(messages.size(), first.length(),
				first.substring(0, Math.min(first.length(), 20)), inbox.how());
	}

}
