package dev.sluice.websocket;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import org.jspecify.annotations.Nullable;

import org.springframework.util.MultiValueMap;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;

/**
 * Connection of a {@link ManagedSession}, to which the session's methods of the same
 * names delegate. The connection calls its session with the static methods.
 *
 * @since 0.1.0
 */
public interface SessionConnection {

	/**
	 * Connects a session, before other code can access it.
	 * @param session the session itself, never a proxy of it
	 * @param connection its connection
	 */
	static void connect(ManagedSession session, SessionConnection connection) {
		session.connect(connection);
	}

	/**
	 * Calls {@link ManagedSession#onOpen()}.
	 * @param session the session
	 * @throws Exception thrown by the session
	 */
	static void opened(ManagedSession session) throws Exception {
		session.onOpen();
	}

	/**
	 * Calls {@link ManagedSession#onError(Throwable)}.
	 * @param session the session
	 * @param error the error
	 * @throws Exception thrown by the session
	 */
	static void failed(ManagedSession session, Throwable error) throws Exception {
		session.onError(error);
	}

	/**
	 * Calls {@link ManagedSession#onClose(CloseStatus)}.
	 * @param session the session
	 * @param status the status with which the connection has ended
	 * @throws Exception thrown by the session
	 */
	static void closed(ManagedSession session, CloseStatus status) throws Exception {
		session.onClose(status);
	}

	/**
	 * Calls {@link ManagedSession#onResume(ManagedSession.Resumption)}.
	 * @param session the session
	 * @param resumption the recovered state of the session
	 * @throws Exception thrown by the session
	 */
	static void resumed(ManagedSession session, ManagedSession.Resumption resumption) throws Exception {
		session.onResume(resumption);
	}

	/**
	 * Calls {@link ManagedSession#onSuspended()}.
	 * @param session the session
	 * @throws Exception thrown by the session
	 */
	static void suspended(ManagedSession session) throws Exception {
		session.onSuspended();
	}

	/**
	 * Calls {@link ManagedSession#onExpired()}.
	 * @param session the session
	 * @throws Exception thrown by the session
	 */
	static void expired(ManagedSession session) throws Exception {
		session.onExpired();
	}

	/**
	 * Returns the session that represents the client to handlers.
	 * @return the session
	 */
	WebSocketSession session();

	/**
	 * Returns the variables of the endpoint's path.
	 * @return the values by their names
	 */
	Map<String, String> pathVariables();

	/**
	 * Returns the parameters of the handshake's query.
	 * @return the decoded values by their names, in their order
	 */
	MultiValueMap<String, String> queryParameters();

	/**
	 * Queues a message.
	 * @param payload a text, bytes, or anything to be written as JSON
	 * @param level the level
	 * @return the outcome
	 */
	CompletableFuture<@Nullable Void> send(Object payload, Level level);

	/**
	 * Saves the state of the session for its resumption.
	 * @param state anything to be written as JSON, or {@code null}
	 * @return ends when it is saved
	 */
	CompletableFuture<@Nullable Void> saveState(@Nullable Object state);

	/**
	 * Submits a task to the session's turn.
	 * @param <T> the type of the result
	 * @param task the task
	 * @return the result
	 */
	<T extends @Nullable Object> LeveledTask<T> submit(Callable<T> task);

	/**
	 * Submits a task without a result to the session's turn.
	 * @param task the task
	 * @return the end of the task
	 */
	LeveledTask<@Nullable Void> execute(Runnable task);

	/**
	 * Closes the session after the waiting urgent messages.
	 * @param status the close status
	 * @return ends when the session has ended
	 */
	CompletableFuture<@Nullable Void> close(CloseStatus status);

	/**
	 * Closes the session after all waiting messages, in both directions.
	 * @return ends when the session has ended
	 */
	CompletableFuture<@Nullable Void> drainAndClose();

	/** Ends the session without waiting. */
	void abort();

}
