package dev.sluice.websocket.endpoint;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;

import org.springframework.web.socket.CloseStatus;

/** Sessions that begin and end with their connection. */
public final class ConnectedSessions implements SessionLifecycle {

	private final SessionObjects objects;

	private final JsonMessages messages;

	/**
	 * Creates the lifecycle.
	 * @param objects makes the objects of the sessions
	 * @param messages writes the messages that they send
	 */
	public ConnectedSessions(SessionObjects objects, JsonMessages messages) {
		this.objects = objects;
		this.messages = messages;
	}

	@Override
	public void open(OrderedWebSocketSession session) throws Exception {
		ManagedSession managed = this.objects.make();
		ManagedConnection.connect(session, managed, SessionObjects.target(managed), this.messages);
		this.objects.opened(managed);
	}

	@Override
	public void close(OrderedWebSocketSession session, CloseStatus status) throws Exception {
		ManagedSession managed = session.managed();
		if (managed != null) {
			try {
				this.objects.closed(managed, status);
			}
			finally {
				this.objects.destroy(managed);
			}
		}
	}

}
