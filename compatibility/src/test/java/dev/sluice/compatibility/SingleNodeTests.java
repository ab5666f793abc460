package dev.sluice.compatibility;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An application of one node, without the modules that it does not need. */
@Tag("full")
class SingleNodeTests {

	private static final String APPLICATION = "com.example.single.SingleApplication";

	@Test
	void sessionsEndpointHealthMetricsAndJournalNeedNoCluster() throws Exception {
		ClassPath classPath = ClassPath.of(Container.TOMCAT, true).withoutCluster();
		Inbox inbox = new Inbox();
		try (Server server = Server.start(classPath, APPLICATION, "management.endpoints.web.exposure.include=*",
				"management.endpoint.health.show-details=always", "sluice.journal.push-interval=10ms");
				Link link = new WebSocketLink(server.port(), "/echo", inbox, inbox::end)) {
			assertThat(server.has("dev.sluice.websocket.ManagedSession")).isTrue();
			assertThat(server.has("dev.sluice.cluster.SessionCluster")).isFalse();
			link.send("{\"type\":\"echo\",\"text\":\"hello\"}");
			assertThat(inbox.take(1)).first().asString().contains("hello");
			assertThat(server.get("/actuator/throttling")).contains("EchoSession");
			assertThat(server.get("/actuator/health/sluice")).contains("UP", "journal").doesNotContain("cluster");
			assertThat(server.get("/actuator/metrics/sluice.websocket.sessions")).contains("\"value\":1.0");
			Awaitility.await().until(() -> server.get("/journal").contains("SENT"));
		}
	}

}
