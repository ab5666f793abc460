package dev.sluice.actuate.endpoint;

import java.util.Optional;

import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import org.jspecify.annotations.Nullable;

/** The sessions of a {@link WebSocketSessionManager}. */
record ManagedSessions(WebSocketSessionManager manager) implements Sessions {

	@Override
	public SessionsDescriptor count() {
		return SessionsDescriptor.of(this.manager.countByType());
	}

	@Override
	public @Nullable SessionDescriptor describe(String id, NameVisibility names) {
		return this.manager.get(id).map((session) -> describe(session, names)).orElse(null);
	}

	private SessionDescriptor describe(ManagedSession session, NameVisibility names) {
		String principal = ClientNames.find(session.principal());
		return new SessionDescriptor(names.of(session.id()), this.manager.typeOf(session),
				(principal != null) ? names.of(principal) : null, session.isOpen());
	}

	@Override
	public boolean close(String id) {
		Optional<ManagedSession> session = this.manager.get(id);
		session.ifPresent((open) -> open.close(CloseStatuses.BY_OPERATOR));
		return session.isPresent() || this.manager.abandon(id);
	}

}
