package dev.sluice.compatibility;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that send and then leave, while the handler answers before it saves. */
@Tag("full")
class SendsAndClosesTests {

	private static final int CLIENTS = 20;

	private static final int MESSAGES = 20;

	@ParameterizedTest
	@EnumSource
	void allThatCameBeforeTheCloseIsSaved(Container container) {
		Servers servers = Servers.on(container);
		assertAllIsSaved(servers.without());
		assertAllIsSaved(servers.with());
	}

	private static void assertAllIsSaved(Server server) {
		int before = saved(server);
		List<Inbox> inboxes = new ArrayList<>();
		for (int client = 0; client < CLIENTS; client++) {
			Inbox inbox = new Inbox();
			inboxes.add(inbox);
			Link link = Way.WEBSOCKET.open(server, "saving", inbox);
			for (int i = 0; i < MESSAGES; i++) {
				link.send("message " + i);
			}
			link.close();
		}
		await().until(() -> inboxes.stream().noneMatch((inbox) -> inbox.how().equals("open")));
		await().untilAsserted(() -> assertThat(saved(server) - before).isEqualTo(CLIENTS * MESSAGES));
	}

	private static int saved(Server server) {
		return Integer.parseInt(server.get("/saved"));
	}

}
