package dev.sluice.websocket.session;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionOpenedEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.web.socket.CloseStatus;

/**
 * Publisher of the events of sessions, each in its session's turn.
 *
 * @param publisher has the listeners
 */
public record SessionEvents(ApplicationEventPublisher publisher) {

	private static final Log logger = LogFactory.getLog(SessionEvents.class);

	/** Announces a session that has opened. */
	public void opened(OrderedWebSocketSession session) {
		ManagedSession managed = session.managed();
		if (managed != null) {
			session.announce();
			publish(new WebSocketSessionOpenedEvent(managed));
		}
	}

	/** Announces the end of a session; only of one that did open. */
	public void closed(OrderedWebSocketSession session, CloseStatus status) {
		ManagedSession managed = session.managed();
		if (managed != null && session.isAnnounced()) {
			publish(new WebSocketSessionClosedEvent(managed, status));
		}
	}

	private void publish(Object event) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException ex) {
			logger.error("A listener failed for " + event, ex);
		}
	}

}
