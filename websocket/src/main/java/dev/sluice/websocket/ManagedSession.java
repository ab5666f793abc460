package dev.sluice.websocket;

import java.net.URI;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.Assert;
import org.springframework.util.MultiValueMap;
import org.springframework.web.socket.CloseStatus;

/**
 * Connection of one client, with its state. Subclasses are annotated with
 * {@link WebSocketEndpoint} and have {@link OnMessage} methods; one object serves one
 * connection.
 * <p>
 * The hooks and the {@code @OnMessage} methods are called in the session's turn: one at a
 * time and in order. All other methods may be called at any time on any thread, as soon
 * as the session is open, and never wait for the client. They are not available in
 * constructors and initializers, where no connection exists yet.
 * <p>
 * Futures end with the outcome: the future of a message when the container has sent it,
 * or with the reason for the failure ({@link SessionClosedException} if the session ended
 * before). Functions that are chained to one, but not asynchronously, run on the thread
 * that ends it, which may be the container's.
 *
 * @since 0.1.0
 */
public abstract class ManagedSession {

	private @Nullable SessionConnection connection;

	/** Creates a session without a connection. */
	protected ManagedSession() {
	}

	/** Called once, before other code can access the session; never through a proxy. */
	void connect(SessionConnection connection) {
		this.connection = connection;
	}

	private SessionConnection connection() {
		Assert.state(this.connection != null, "There is no connection yet");
		return this.connection;
	}

	/**
	 * Called first in the session's turn; for resumable sessions, only for a new one.
	 * @throws Exception closes the session with 1011
	 */
	protected void onOpen() throws Exception {
	}

	/**
	 * Called first in the session's turn, instead of {@link #onOpen}, if a client has
	 * resumed a session of a {@linkplain WebSocketEndpoint#resumable() resumable}
	 * endpoint. The object differs from the previous one, and is often on another node.
	 * @param resumption the recovered state of the session
	 * @throws Exception closes the session with 1011
	 */
	protected void onResume(Resumption resumption) throws Exception {
	}

	/**
	 * Called last of all in the session's turn, in place of {@link #onClose}, if the
	 * connection was lost and the session may be resumed. Messages sent to the session
	 * from now on wait.
	 * @throws Exception is logged
	 */
	protected void onSuspended() throws Exception {
	}

	/**
	 * Called after {@link #onSuspended}, if the client has not resumed in time: the
	 * session has ended. Not called on a node that stops.
	 * @throws Exception is logged
	 */
	protected void onExpired() throws Exception {
	}

	/**
	 * Called last in the session's turn, when the connection has ended and all waiting
	 * messages are handled; not called if the session may be {@linkplain #onSuspended
	 * resumed}.
	 * @param status how it ended
	 * @throws Exception is logged
	 */
	protected void onClose(CloseStatus status) throws Exception {
	}

	/**
	 * Called when the container reports an error of the connection, and when the method
	 * for a message has failed, before the client is answered.
	 * @param error what happened
	 * @throws Exception closes the session with 1011
	 */
	protected void onError(Throwable error) throws Exception {
	}

	/**
	 * Returns the session's id, which is also the id of its queues.
	 * @return the id
	 */
	public String id() {
		return connection().session().getId();
	}

	/**
	 * Returns the principal of the client.
	 * @return the user of the handshake, or {@code null} for an anonymous client
	 */
	public @Nullable Principal principal() {
		return connection().session().getPrincipal();
	}

	/**
	 * Returns the attributes of the handshake, which may be modified.
	 * @return the session's own map, which is thread-safe
	 */
	public Map<String, Object> attributes() {
		return connection().session().getAttributes();
	}

	/**
	 * Returns the headers of the handshake.
	 * @return the headers, which are read-only
	 */
	public HttpHeaders headers() {
		return connection().session().getHandshakeHeaders();
	}

	/**
	 * Returns the URI of the handshake, including its query.
	 * @return the URI, or {@code null} if the container does not provide it
	 */
	public @Nullable URI uri() {
		return connection().session().getUri();
	}

	/**
	 * Returns the parameters of the handshake's query.
	 * @return the decoded values by their names, in their order
	 */
	public MultiValueMap<String, String> queryParameters() {
		return connection().queryParameters();
	}

	/**
	 * Returns the variables of the endpoint's path.
	 * @return the values by their names
	 */
	public Map<String, String> pathVariables() {
		return connection().pathVariables();
	}

	/**
	 * Returns whether messages can be sent.
	 * @return {@code false} from the moment the session begins to close
	 */
	public boolean isOpen() {
		return connection().session().isOpen();
	}

	/**
	 * Sends a message before all waiting messages that were {@linkplain #post posted}.
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return the outcome
	 * @throws IllegalArgumentException if the message is {@code null}
	 */
	public CompletableFuture<@Nullable Void> send(Object message) {
		Assert.notNull(message, "'message' must not be null");
		return connection().send(message, Level.HIGH);
	}

	/**
	 * Sends a message after all waiting messages.
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return the outcome
	 * @throws IllegalArgumentException if the message is {@code null}
	 */
	public CompletableFuture<@Nullable Void> post(Object message) {
		Assert.notNull(message, "'message' must not be null");
		return connection().send(message, Level.NORMAL);
	}

	/**
	 * Saves the state that {@link Resumption#state} returns when the session is resumed.
	 * Replaces the state saved before.
	 * @param state anything to be written as JSON, at most 4,096 bytes and 500 levels of
	 * arrays and objects, with numbers of at most 1,000 characters, or {@code null}
	 * @return ends when the state is saved; fails with {@link IllegalArgumentException}
	 * if it exceeds one of these limits, with {@link IllegalStateException} if the
	 * endpoint is not {@linkplain WebSocketEndpoint#resumable() resumable}, and with
	 * {@link SessionClosedException} if this object no longer has the session
	 */
	public CompletableFuture<@Nullable Void> saveState(@Nullable Object state) {
		return connection().saveState(state);
	}

	/**
	 * Calls a task in the session's turn, behind the messages that wait. Code that runs
	 * in the session's turn must not wait for the result, which comes in a later turn:
	 * {@link LeveledTask#join} throws an {@link IllegalStateException}, and a
	 * message-handling method that returned the future would wait forever.
	 * @param <T> the type of the result
	 * @param task what to call
	 * @return the result, or a failure with {@link SessionClosedException} if
	 * {@link #onClose} has been called before
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(Callable<T> task) {
		Assert.notNull(task, "'task' must not be null");
		return connection().submit(task);
	}

	/**
	 * Runs a task in the session's turn, behind the messages that wait. Code that runs in
	 * the session's turn must not wait for the task's end, as for {@link #submit}.
	 * @param task what to run
	 * @return the task's end, or a failure with {@link SessionClosedException} if
	 * {@link #onClose} has been called before
	 */
	public LeveledTask<@Nullable Void> execute(Runnable task) {
		Assert.notNull(task, "'task' must not be null");
		return connection().execute(task);
	}

	/**
	 * Closes the session after the messages that were {@linkplain #send sent}; messages
	 * that were only {@linkplain #post posted} fail. Only the first closing has an
	 * effect.
	 * @param status the status that the client receives
	 * @return ends when the session has ended
	 * @throws IllegalArgumentException if the status is {@code null}, or has a code that
	 * is reserved and never sent: 1004, 1005, 1006, 1015
	 */
	public CompletableFuture<@Nullable Void> close(CloseStatus status) {
		CloseStatuses.requireAllowed(status);
		return connection().close(status);
	}

	/**
	 * Stops accepting messages from the client, handles the waiting ones, sends all
	 * waiting messages and then closes the session.
	 * @return ends when the session has ended
	 */
	public CompletableFuture<@Nullable Void> drainAndClose() {
		return connection().drainAndClose();
	}

	/**
	 * Ends the session immediately, without waiting; messages that wait to be sent fail.
	 */
	public void abort() {
		connection().abort();
	}

	@Override
	public String toString() {
		SessionConnection bound = this.connection;
		return getClass().getSimpleName() + "[" + ((bound != null) ? bound.session().getId() : "not connected") + "]";
	}

	/** Recovered state of a session that was resumed. */
	public interface Resumption {

		/**
		 * Returns the topics that the session has joined.
		 * @return their names
		 */
		Set<String> topics();

		/**
		 * Returns whether the client receives all messages of a topic that it has missed.
		 * @param topic the name of the topic
		 * @return {@code false} if some are lost, or the session has not joined the topic
		 */
		boolean recovered(String topic);

		/**
		 * Returns whether the client receives all direct messages that it has missed.
		 * @return {@code false} if some may be lost
		 */
		boolean direct();

		/**
		 * Returns how many messages of topics the client has missed and receives now.
		 * @return the number, of all topics together
		 */
		int missed();

		/**
		 * Returns the {@linkplain ManagedSession#saveState saved} state.
		 * @param <T> the type of the state
		 * @param type the type to read the JSON as
		 * @return the state, or {@code null} if no state was saved, or if it cannot be
		 * read as that type, which is logged
		 */
		<T> @Nullable T state(Class<T> type);

	}

}
