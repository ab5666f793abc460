package dev.sluice.cluster.endpoint;

import java.util.concurrent.CompletableFuture;

import dev.sluice.cluster.resume.ResumableSession;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;

/** Tasks that give connections their resumable sessions. */
final class ConnectingTasks {

	private static final Log logger = LogFactory.getLog(ConnectingTasks.class);

	private final SessionRegistry sessions;

	ConnectingTasks(SessionRegistry sessions) {
		this.sessions = sessions;
	}

	/**
	 * Runs a task on a worker, not on the thread of the bus. If the task fails before the
	 * session has its connection, the connection ends without it.
	 * @return fails if the session has no connection
	 */
	CompletableFuture<@Nullable Void> run(EndpointConnection connection, ResumableSession resumable, SessionTask task) {
		OrderedWebSocketSession session = connection.ordered();
		CompletableFuture<@Nullable Void> connected = new CompletableFuture<>();
		this.sessions.execute(session.getId(), () -> session.runAsPrincipal(() -> {
			try {
				task.run();
				connected.complete(null);
			}
			catch (Throwable ex) {
				ExceptionWebSocketHandlerDecorator.tryCloseWithError(session, ex, logger);
				failed(connection, resumable, ex, connected);
				FatalErrors.passOn(ex);
			}
		})).whenComplete((nothing, failure) -> {
			if (failure != null && !connected.isDone()) {
				session.rejected(failure);
				failed(connection, resumable, failure, connected);
			}
		});
		return connected;
	}

	private static void failed(EndpointConnection connection, ResumableSession resumable, Throwable failure,
			CompletableFuture<@Nullable Void> connected) {
		if (resumable.isConnected(connection.ordered())) {
			connected.complete(null);
		}
		else {
			connection.discarded();
			connected.completeExceptionally(failure);
		}
	}

	/** A step of the turn. */
	@FunctionalInterface
	interface SessionTask {

		void run() throws Exception;

	}

}
