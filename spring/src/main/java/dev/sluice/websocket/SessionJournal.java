package dev.sluice.websocket;

import java.security.Principal;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.execution.Level;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/** Records what became of the messages of one session. */
final class SessionJournal {

	/** Characters kept of a text that a client may have chosen. */
	private static final int MAX_TEXT = 256;

	private final SentMessageRecorder recorder;

	private final WebSocketSession session;

	private final String sessionId;

	private final boolean stomp;

	/** The user of a STOMP session, who may be known since its CONNECT only. */
	private volatile @Nullable String connectedUser;

	/**
	 * Creates the journal of a session.
	 * @param session the container's session
	 * @param sessionId the id by which others know it
	 * @param stomp whether its messages are STOMP frames
	 */
	SessionJournal(SentMessageRecorder recorder, WebSocketSession session, String sessionId, boolean stomp) {
		this.recorder = recorder;
		this.session = session;
		this.sessionId = sessionId;
		this.stomp = stomp;
	}

	/**
	 * Sends a message and records what became of it.
	 * @param type the type of the message, if it has one
	 * @param send starts to send it, without waiting
	 * @return the future that {@code send} returned
	 */
	CompletableFuture<@Nullable Void> record(WebSocketMessage<?> message, @Nullable String type, Level level,
			Supplier<CompletableFuture<@Nullable Void>> send) {
		if (!(message instanceof TextMessage || message instanceof BinaryMessage)) {
			return send.get();
		}
		Instant queuedAt = Instant.now();
		if (this.stomp) {
			String user = StompFrameHead.connectedUser(message);
			if (user != null) {
				this.connectedUser = user;
			}
		}
		CompletableFuture<@Nullable Void> sent = send.get();
		sent.whenComplete((result, failure) -> this.recorder.push(new SentMessage(this.sessionId, bounded(user()),
				bounded(type), this.stomp ? bounded(StompFrameHead.destination(message)) : null, level, size(message),
				queuedAt, Instant.now(), (failure == null) ? SentMessage.Outcome.SENT : SentMessage.Outcome.FAILED)));
		return sent;
	}

	private @Nullable String user() {
		String connected = this.connectedUser;
		if (connected != null) {
			return connected;
		}
		Principal principal = this.session.getPrincipal();
		return (principal != null) ? principal.getName() : null;
	}

	private static @Nullable String bounded(@Nullable String text) {
		return (text != null && text.length() > MAX_TEXT) ? text.substring(0, MAX_TEXT) : text;
	}

	/** A text that has no encoding was not sent, and has its characters counted. */
	private static int size(WebSocketMessage<?> message) {
		try {
			return EncodedSize.of(message);
		}
		catch (UnencodableTextException ex) {
			return message.getPayloadLength();
		}
	}

}
