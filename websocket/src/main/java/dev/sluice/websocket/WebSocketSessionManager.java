package dev.sluice.websocket;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;

/**
 * Registry of the sessions that are open on this node: sessions of
 * {@link WebSocketEndpoint} classes, and sessions of the application's own handlers.
 * Methods never wait. The futures they return end when the operation is complete, not
 * when it is queued.
 *
 * @since 0.1.0
 */
public interface WebSocketSessionManager {

	/**
	 * Returns the session with an id.
	 * @param id the session's id
	 * @return the session, if it is open
	 */
	Optional<ManagedSession> get(String id);

	/**
	 * Returns the sessions of a class.
	 * @param <T> the class
	 * @param type the class, including its subclasses
	 * @param filter chooses among them
	 * @return the sessions, in no order
	 */
	<T extends ManagedSession> List<T> find(Class<T> type, Predicate<? super T> filter);

	/**
	 * Returns the number of open sessions.
	 * @return the number
	 */
	int count();

	/**
	 * Returns the number of open sessions of each class, by its simple name, and of the
	 * application's own handlers, as {@code "handler"}.
	 * @return the numbers, in the order of the names
	 */
	Map<String, Integer> countByType();

	/**
	 * Returns the name by which {@link #countByType} counts a session.
	 * @param session a session, open or not
	 * @return its type
	 */
	String typeOf(ManagedSession session);

	/**
	 * Sends a message to every session without a sub-protocol, after the messages that
	 * wait there. It is written once.
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return ends when the message was sent or has failed for all sessions, with the
	 * number of sessions to which it was sent
	 */
	default CompletableFuture<Integer> postToAll(Object message) {
		return postToAll(ManagedSession.class, (session) -> true, message);
	}

	/**
	 * As {@link #postToAll(Object)}, for the sessions of a class.
	 * @param <T> the class
	 * @param type the class, including its subclasses
	 * @param filter chooses among them
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return ends when the message was sent or has failed for all sessions, with the
	 * number of sessions to which it was sent
	 */
	<T extends ManagedSession> CompletableFuture<Integer> postToAll(Class<T> type, Predicate<? super T> filter,
			Object message);

	/**
	 * As {@link #postToAll(Object)}, but before all waiting messages that were posted.
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return ends when the message was sent or has failed for all sessions, with the
	 * number of sessions to which it was sent
	 */
	default CompletableFuture<Integer> sendToAll(Object message) {
		return sendToAll(ManagedSession.class, (session) -> true, message);
	}

	/**
	 * As {@link #sendToAll(Object)}, for the sessions of a class.
	 * @param <T> the class
	 * @param type the class, including its subclasses
	 * @param filter chooses among them
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return ends when the message was sent or has failed for all sessions, with the
	 * number of sessions to which it was sent
	 */
	<T extends ManagedSession> CompletableFuture<Integer> sendToAll(Class<T> type, Predicate<? super T> filter,
			Object message);

	/**
	 * {@linkplain ManagedSession#close Closes} the session with an id.
	 * @param id the session's id
	 * @param status the status that the client receives
	 * @return ends when the session has ended, with {@code true}; immediately with
	 * {@code false} if no session with the id is open
	 */
	CompletableFuture<Boolean> close(String id, CloseStatus status);

	/**
	 * {@linkplain ManagedSession#close Closes} every session that is open now.
	 * @param status the status that the clients receive
	 * @return ends when all have ended
	 */
	CompletableFuture<@Nullable Void> closeAll(CloseStatus status);

	/**
	 * {@linkplain ManagedSession#drainAndClose Drains and closes} every session that is
	 * open now.
	 * @return ends when all have ended
	 */
	CompletableFuture<@Nullable Void> drainAndCloseAll();

	/** {@linkplain ManagedSession#abort Ends} every session that is open now. */
	void abortAll();

	/**
	 * Lets a session end whose client has left, though a method of it has not ended: the
	 * stage that it returned is cancelled, and the messages that wait are not handled.
	 * Code that a method runs while it holds a thread is not interrupted.
	 * @param id the session's id
	 * @return whether such a session exists
	 */
	boolean abandon(String id);

}
