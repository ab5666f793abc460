package dev.sluice.websocket.session;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionConnection;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Connection of a {@link ManagedSession} through an ordered session.
 *
 * @param session the session
 * @param messages writes the messages to the session
 */
public record ManagedConnection(OrderedWebSocketSession session, JsonMessages messages) implements SessionConnection {

	/** Handshake attribute with the variables of the endpoint's path. */
	public static final String PATH_VARIABLES = ManagedConnection.class.getName() + ".PATH_VARIABLES";

	/** Handshake attribute with the path within the application. */
	public static final String PATH = ManagedConnection.class.getName() + ".PATH";

	/**
	 * Connects the object of a session, and makes it accessible.
	 * @param managed the object for callers, which may be a proxy
	 * @param target the object itself
	 */
	public static void connect(OrderedWebSocketSession session, ManagedSession managed, ManagedSession target,
			JsonMessages messages) {
		connect(session, managed, target, new ManagedConnection(session, messages));
	}

	/** Connects the object as {@link #connect} does, with the caller's connection. */
	public static void connect(OrderedWebSocketSession session, ManagedSession managed, ManagedSession target,
			SessionConnection connection) {
		SessionConnection.connect(target, connection);
		session.setManaged(managed);
	}

	@Override
	public Map<String, String> pathVariables() {
		return pathVariables(this.session);
	}

	/** Returns the variables of the path at which a session was opened. */
	@SuppressWarnings("unchecked")
	public static Map<String, String> pathVariables(WebSocketSession session) {
		return (Map<String, String>) session.getAttributes().getOrDefault(PATH_VARIABLES, Map.of());
	}

	@Override
	public MultiValueMap<String, String> queryParameters() {
		MultiValueMap<String, String> decoded = new LinkedMultiValueMap<>();
		URI uri = this.session.getUri();
		if (uri != null) {
			UriComponentsBuilder.fromUri(uri)
				.build()
				.getQueryParams()
				.forEach((name, values) -> values.forEach((value) -> decoded.add(decode(name), decode(value))));
		}
		return decoded;
	}

	/** A parameter may have no value. */
	private static String decode(@Nullable String text) {
		return (text != null) ? URLDecoder.decode(text, StandardCharsets.UTF_8) : "";
	}

	@Override
	public <T extends @Nullable Object> LeveledTask<T> submit(Callable<T> task) {
		return this.session.inbound().submit(Level.NORMAL, task);
	}

	@Override
	public LeveledTask<@Nullable Void> execute(Runnable task) {
		return this.session.inbound().execute(Level.NORMAL, task);
	}

	@Override
	public CompletableFuture<@Nullable Void> close(CloseStatus status) {
		return this.session.outbound().close(status, Level.HIGH);
	}

	@Override
	public CompletableFuture<@Nullable Void> drainAndClose() {
		return this.session.drainAndClose(CloseStatuses.DRAINED);
	}

	@Override
	public void abort() {
		this.session.outbound().abort();
	}

	@Override
	public CompletableFuture<@Nullable Void> saveState(@Nullable Object state) {
		IllegalStateException reason = new IllegalStateException(
				"Sessions of this kind do not resume; see 'resumable' of @WebSocketEndpoint");
		ManagedSession managed = this.session.managed();
		if (managed != null) {
			this.messages.report(managed.getClass(), "State of " + managed + " is not saved", reason);
		}
		return CompletableFuture.failedFuture(reason);
	}

	@Override
	public CompletableFuture<@Nullable Void> send(Object payload, Level level) {
		WrittenMessage message;
		try {
			message = this.messages.write(payload);
		}
		catch (RuntimeException ex) {
			this.messages.reportUnsendable(payload, ex);
			return CompletableFuture.failedFuture(ex);
		}
		CompletableFuture<@Nullable Void> sent = this.session.outbound().send(message, level);
		IllegalArgumentException unsendable = unsendable(sent);
		if (unsendable != null) {
			this.messages.reportUnsendable(payload, unsendable);
		}
		return sent;
	}

	/**
	 * Returns why a message can never be sent.
	 * @return the reason, or {@code null} if the message itself was not rejected
	 */
	public static @Nullable IllegalArgumentException unsendable(CompletableFuture<?> sent) {
		if (!sent.isCompletedExceptionally()) {
			return null;
		}
		return (sent.handle((nothing, failure) -> failure).join() instanceof IllegalArgumentException reason) ? reason
				: null;
	}

}
