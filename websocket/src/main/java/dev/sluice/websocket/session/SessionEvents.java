package dev.sluice.websocket.session;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.sluice.internal.ExtensionPoint;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionOpenedEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.web.socket.CloseStatus;

/**
 * Publisher of the events of sessions, in the turn of each session.
 *
 * @param publisher has the listeners
 * @param observers are called before them
 */
public record SessionEvents(ApplicationEventPublisher publisher, List<Consumer<OrderedWebSocketSession>> observers) {

	private static final ExtensionPoint LISTENERS = new ExtensionPoint("Listener of",
			"the other listeners of the event are not called");

	static SessionEvents of(ApplicationEventPublisher publisher) {
		return new SessionEvents(publisher, new CopyOnWriteArrayList<>());
	}

	/**
	 * Adds a callback for sessions that open, called in their turn; must neither block
	 * nor throw.
	 */
	public void observe(Consumer<OrderedWebSocketSession> opened) {
		this.observers.add(opened);
	}

	/** Announces a session that has opened, unless it has been announced. */
	public void opened(OrderedWebSocketSession session) {
		ManagedSession managed = resumed(session);
		if (managed != null) {
			publish(new WebSocketSessionOpenedEvent(managed));
		}
	}

	/** Announces a resumed session to observers only, because it was opened before. */
	public @Nullable ManagedSession resumed(OrderedWebSocketSession session) {
		ManagedSession managed = session.managed();
		if (managed != null && !session.isAnnounced()) {
			session.announce(true);
			this.observers.forEach((observer) -> observer.accept(session));
			return managed;
		}
		return null;
	}

	/** Announces the end of a session that was announced as open. */
	public void closed(OrderedWebSocketSession session, CloseStatus status) {
		ManagedSession managed = session.managed();
		if (managed != null && session.isAnnounced()) {
			publish(new WebSocketSessionClosedEvent(managed, status));
		}
	}

	private void publish(Object event) {
		LISTENERS.run(event, () -> this.publisher.publishEvent(event));
	}

}
