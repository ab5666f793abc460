package dev.sluice.compatibility;

import dev.sluice.compatibility.ClassPath.Addition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The WebSocket of Spring for GraphQL, whose messages are handled in the turn of their
 * session.
 */
@Tag("full")
class GraphQlTests {

	private static final String APPLICATION = "com.example.graphql.GraphQlApplication";

	@ParameterizedTest
	@EnumSource
	void itsMessagesAreHandledInTheTurnOfTheirSession(Container container) {
		ClassPath classPath = ClassPath.of(container, true).with(Addition.GRAPHQL);
		Inbox inbox = new Inbox();
		try (Server server = Server.start(classPath, APPLICATION, "spring.graphql.websocket.path=/graphql");
				Link link = new WebSocketLink(server.port(), "/graphql", inbox, inbox::end)) {
			link.send("{\"type\":\"connection_init\"}");
			link.send("{\"id\":\"1\",\"type\":\"subscribe\",\"payload\":{\"query\":\"{ callers }\"}}");
			assertThat(inbox.take(2)).last().asString().contains("\"dev.sluice.execution.");
		}
	}

}
