package dev.sluice.compatibility;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What handlers rely on, and what the migration page says of it. */
@Tag("full")
class HabitsTests {

	private static final int LARGE = 16 * 1024 * 1024;

	/** More than the shorter send time limit, and much less than any other. */
	private static final Duration LONG = Duration.ofSeconds(4);

	@ParameterizedTest
	@EnumSource
	void aLoopWhileASessionIsOpenEndsWhenItsClientHasGone(Container container) {
		assertLoopEnds(Servers.on(container).without());
		assertLoopEnds(Servers.on(container).with());
	}

	@ParameterizedTest
	@EnumSource
	void aMessageWaitsInVainForTheNextOfItsSession(Container container) {
		assertThat(meet(Way.WEBSOCKET, Servers.on(container).without())).isEqualTo("it did not come");
		assertThat(meet(Way.WEBSOCKET, Servers.on(container).with())).isEqualTo("it did not come");
	}

	/** The difference that the migration page tells of. */
	@ParameterizedTest
	@EnumSource
	void aMessageOfStompWaitsInVainToo(Container container) {
		assertThat(meet(Way.STOMP, Servers.on(container).without())).isEqualTo("it came");
		assertThat(meet(Way.STOMP, Servers.on(container).with())).isEqualTo("it did not come");
		try (Server server = Server.existing(container, true, "sluice.websocket.stomp.enabled=false")) {
			assertThat(meet(Way.STOMP, server)).isEqualTo("it came");
		}
	}

	/** The difference that the migration page tells of. */
	@ParameterizedTest
	@EnumSource
	void aMessageMayTakeAsLongToWriteAsTheSendTimeLimitSays(Container container) {
		try (Server impatient = Server.existing(container, true, "sluice.websocket.outbound.send-time-limit=1s")) {
			assertThat(receiveLarge(impatient)).isEqualTo("nothing");
			assertThat(receiveLarge(Servers.on(container).without())).isEqualTo(LARGE + " letters");
			assertThat(receiveLarge(Servers.on(container).with())).isEqualTo(LARGE + " letters");
		}
	}

	private static void assertLoopEnds(Server server) {
		Inbox inbox = new Inbox();
		String name = UUID.randomUUID().toString();
		WebSocketLink link = new WebSocketLink(server.port(), "/looping", inbox, inbox::end);
		link.send(name);
		assertThat(inbox.take(3)).containsExactly("tick", "tick", "tick");
		assertThat(server.get("/closed/" + name)).isEmpty();
		link.abort();
		await().until(() -> server.get("/closed/" + name).equals("the loop has ended"));
	}

	private static String meet(Way way, Server server) {
		Inbox inbox = new Inbox();
		try (Link link = way.open(server, "waiting", inbox)) {
			link.send("first");
			link.send("second");
			return String.join(", ", inbox.take(1));
		}
	}

	private static String receiveLarge(Server server) {
		Inbox inbox = new Inbox();
		try (WebSocketLink link = new WebSocketLink(server.port(), "/large", inbox, inbox::end)) {
			link.pause();
			link.send(String.valueOf(LARGE));
			await().pollDelay(LONG).atMost(LONG.multipliedBy(2)).until(() -> true);
			link.resume();
			return inbox.take(1).stream().map((message) -> message.length() + " letters").findFirst().orElse("nothing");
		}
	}

}
