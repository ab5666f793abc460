package dev.sluice.compatibility;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sizes that the application has set for its container, its sessions and STOMP, in the
 * sessions of the container and in those of Jakarta WebSocket, which Tomcat's are anyway.
 */
@Tag("full")
class SizesTests {

	private static final int MEGABYTE = 1024 * 1024;

	private static final int PART = 10_000;

	static Stream<Arguments> sessions() {
		return Stream.of(Container.values())
			.flatMap((container) -> Stream.of("", "/standard").map((prefix) -> Arguments.of(container, prefix)));
	}

	@ParameterizedTest
	@MethodSource("sessions")
	void ofTheContainer(Container container, String prefix) {
		for (int size : new int[] { 130_000, 132_000, 260_000, 264_000 }) {
			compare(container, prefix + "/echo", size);
		}
	}

	@ParameterizedTest
	@MethodSource("sessions")
	void ofASession(Container container, String prefix) {
		compare(container, prefix + "/limited", 19_999);
		compare(container, prefix + "/limited", 20_001);
		compare(container, prefix + "/generous", 399_999);
		compare(container, prefix + "/generous", 400_001);
	}

	@ParameterizedTest
	@MethodSource("sessions")
	void ofMessagesInParts(Container container, String prefix) {
		String without = echoInParts(Servers.on(container).without(), prefix + "/parts");
		assertThat(echoInParts(Servers.on(container).with(), prefix + "/parts")).isEqualTo(without);
	}

	@ParameterizedTest
	@MethodSource("sessions")
	void ofStomp(Container container, String prefix) {
		for (int size : new int[] { 20_000, 90_000, 100_000 }) {
			String without = stomp(Servers.on(container).without(), prefix, size);
			assertThat(stomp(Servers.on(container).with(), prefix, size)).as("%s letters", size).isEqualTo(without);
		}
	}

	private static void compare(Container container, String path, int size) {
		String without = echo(Servers.on(container).without(), path, size);
		assertThat(echo(Servers.on(container).with(), path, size)).as("%s letters", size).isEqualTo(without);
	}

	/** The first message comes before the handler has seen that its session is open. */
	private static String echo(Server server, String path, int size) {
		Inbox inbox = new Inbox();
		try (Link link = new WebSocketLink(server.port(), path, inbox, inbox::end)) {
			link.send("a".repeat(size));
			return describe(inbox);
		}
	}

	private static String echoInParts(Server server, String path) {
		Inbox inbox = new Inbox();
		try (WebSocketLink link = new WebSocketLink(server.port(), path, inbox, inbox::end)) {
			for (int sent = 0; sent < MEGABYTE; sent += PART) {
				link.send("a".repeat(PART), sent + PART >= MEGABYTE);
			}
			return describe(inbox);
		}
	}

	private static String stomp(Server server, String prefix, int size) {
		Inbox inbox = new Inbox();
		try (Link link = new StompLink(WebSocketLink::new, server.port(), prefix + "/stomp", "length", inbox,
				inbox::end)) {
			link.send("a".repeat(size));
			return describe(inbox);
		}
	}

	/** A client that is still sending may see the end before the code of the close. */
	private static String describe(Inbox inbox) {
		List<String> messages = inbox.take(1);
		String first = messages.isEmpty() ? "none" : messages.get(0);
		return "%s messages, the first of %s letters beginning %s; %s".formatted(messages.size(), first.length(),
				first.substring(0, Math.min(first.length(), 20)), inbox.how().replace("cut off", "closed with 1009"));
	}

}
