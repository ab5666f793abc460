package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.execution.Level;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

/** Detaches sessions from connections that are to be replaced. */
final class ConnectionReleases {

	/** Maximum time to wait for the turn of a connection. */
	static final Duration MOST = Duration.ofSeconds(1);

	private final NanoClock clock;

	private final Map<OrderedWebSocketSession, ResumableSession> connections;

	private final SuspendedSessions suspended;

	ConnectionReleases(NanoClock clock, Map<OrderedWebSocketSession, ResumableSession> connections,
			SuspendedSessions suspended) {
		this.clock = clock;
		this.connections = connections;
		this.suspended = suspended;
	}

	/**
	 * Detaches a session from its connection, if it has one. Waits for the turn of the
	 * connection, and releases its place.
	 * @return whether the turn ended in time
	 */
	CompletableFuture<Boolean> release(ResumableSession session) {
		OrderedWebSocketSession connection = session.connection();
		ConnectionHooks hooks = session.hooks();
		if (connection == null || hooks == null || !session.disconnect(connection)) {
			boolean waited = session.wake();
			this.suspended.remove(session);
			session.forgetHooks();
			if (waited && hooks != null) {
				hooks.released();
			}
			return CompletableFuture.completedFuture(true);
		}
		session.forgetHooks();
		this.connections.remove(connection);
		session.outbox().detach(connection.outbound());
		CompletableFuture<Boolean> drained = new CompletableFuture<>();
		connection.inbound().execute(Level.NORMAL, hooks::suspended).whenComplete((nothing, failure) -> {
			if (failure == null) {
				drained.complete(true);
			}
			else {
				connection.ended().thenRun(() -> drained.complete(true));
			}
		});
		connection.reject(CloseStatuses.RESUMED_ELSEWHERE, new SessionClosedException(connection.getId()));
		Future<?> timer = this.clock.schedule(() -> drained.complete(!hooks.fence()), MOST);
		return drained.thenCombine(hooks.replaced().handle((nothing, failure) -> null), (all, replaced) -> {
			timer.cancel(false);
			if (!all) {
				connection.outbound()
					.number((written, level) -> CompletableFuture
						.<@Nullable Void>failedFuture(new SessionClosedException(connection.getId())));
				session.outbox().lose();
			}
			return all;
		});
	}

}
