package dev.sluice.cluster.endpoint;

import java.util.Objects;

import dev.sluice.websocket.endpoint.ConnectedSessions;
import dev.sluice.websocket.endpoint.SessionLifecycle;
import dev.sluice.websocket.session.OrderedWebSocketSession;

import org.springframework.web.socket.CloseStatus;

/** Sessions that begin and end with their connection, and join topics. */
final class JoiningSessions implements SessionLifecycle {

	private final ConnectedSessions sessions;

	private final EndpointTopics topics;

	JoiningSessions(ConnectedSessions sessions, EndpointTopics topics) {
		this.sessions = sessions;
		this.topics = topics;
	}

	@Override
	public void open(OrderedWebSocketSession session) throws Exception {
		this.sessions.open(session);
		this.topics.join(session, Objects.requireNonNull(session.managed()));
	}

	@Override
	public void close(OrderedWebSocketSession session, CloseStatus status) throws Exception {
		this.sessions.close(session, status);
	}

}
