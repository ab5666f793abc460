package dev.sluice.websocket.handler;

import java.security.Principal;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionRegistry;
import dev.sluice.websocket.session.SessionTask;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of channels whose messages are handled in the turns of sessions.
 *
 * @param sessions finds the session of a message
 */
public record SessionTasks(SessionRegistry sessions) {

	/**
	 * Handles a message in its session's turn. The session is closed with 1013 if the
	 * message cannot wait for it. If no session has the id (any longer), the message is
	 * handled immediately by the calling thread: the last turn of a session comes when it
	 * has already been removed.
	 * @param sessionId the session's id
	 * @param level the message's level
	 * @param task handles the message, without an exception; the session's next message
	 * waits for the stage
	 */
	public void submit(String sessionId, Level level, SessionTask task) {
		OrderedWebSocketSession reading = MessagingHandler.reading(sessionId);
		OrderedWebSocketSession session = (reading != null) ? reading : this.sessions.find(sessionId);
		if (session == null) {
			task.run();
			return;
		}
		LeveledTask<?> queued = session.observer().submitStage(level, () -> {
			Principal known = task.principal();
			Principal principal = (known != null) ? known : session.getPrincipal();
			session.observer().identified(task.type(), principal);
			return session.callAs(principal, task::run);
		});
		queued.exceptionally((ex) -> {
			session.rejected(ex);
			return null;
		});
		MessagingHandler.queued(queued);
	}

	/**
	 * Cancels the stage that a {@linkplain #submit submitted} task waits for when its
	 * session ends.
	 * @param sessionId the session's id
	 * @param waiting the stage that the task waits for; a task waits for one stage at a
	 * time
	 */
	public void cancelAtEnd(String sessionId, CompletableFuture<?> waiting) {
		OrderedWebSocketSession session = this.sessions.find(sessionId);
		if (session == null) {
			waiting.cancel(false);
		}
		else {
			session.limitedCalls().await(waiting);
		}
	}

	/**
	 * Records a failure in a {@linkplain #submit submitted} task; called by the task.
	 * @param sessionId the session's id
	 * @param failure a limit's rejection or a failure
	 */
	public void failed(String sessionId, Throwable failure) {
		OrderedWebSocketSession session = this.sessions.find(sessionId);
		if (session != null) {
			session.observer().failed(failure);
		}
	}

	/**
	 * Propagates the context of the message of a {@linkplain #submit submitted} task (the
	 * trace, the logging context) to a part of the task that runs later; called by the
	 * task.
	 * @param <T> the type of the result
	 * @param sessionId the session's id
	 * @param part what to call later
	 * @return what to call instead
	 */
	public <T extends @Nullable Object> Callable<T> decorated(String sessionId, Callable<T> part) {
		OrderedWebSocketSession session = this.sessions.find(sessionId);
		return (session != null) ? session.inbound().decorated(part) : part;
	}

}
