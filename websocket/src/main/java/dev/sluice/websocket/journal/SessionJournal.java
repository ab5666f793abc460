package dev.sluice.websocket.journal;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.execution.Level;
import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.UnencodableTextException;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/** Records of the outcomes of the messages of one session. */
public final class SessionJournal {

	/*
	 * "connectedUser" is written by the thread that queues the answer to CONNECT, before
	 * the answer has a record. "ended" of a record is set once, by CAS, so each message
	 * has one outcome. Attacked by SentMessageRecorderTests and JournalledMessagesTests.
	 */

	/** Number of characters kept of a text that a client may have chosen. */
	private static final int MAX_TEXT = 256;

	private final SentMessageRecorder recorder;

	private final WebSocketSession session;

	private final String sessionId;

	private final boolean stomp;

	/** The user of a STOMP session, which may be unknown before its CONNECT. */
	private volatile @Nullable String connectedUser;

	/**
	 * Creates the journal of a session.
	 * @param session the container's session
	 * @param sessionId the id by which other nodes address it
	 * @param stomp whether its messages are STOMP frames
	 */
	public SessionJournal(SentMessageRecorder recorder, WebSocketSession session, String sessionId, boolean stomp) {
		this.recorder = recorder;
		this.session = session;
		this.sessionId = sessionId;
		this.stomp = stomp;
	}

	/**
	 * Begins the record of a message that is about to be queued.
	 * @param type the type of the message, if it has one
	 * @return the record, or {@code null} for a control frame, which is not recorded
	 */
	public @Nullable Entry begin(WebSocketMessage<?> message, @Nullable String type, Level level) {
		if (!(message instanceof TextMessage || message instanceof BinaryMessage)) {
			return null;
		}
		if (this.stomp) {
			String user = StompFrameHead.connectedUser(message);
			if (user != null) {
				this.connectedUser = user;
			}
		}
		return new Entry(message, type, level);
	}

	private @Nullable String user() {
		String connected = this.connectedUser;
		return (connected != null) ? connected : ClientNames.find(this.session.getPrincipal());
	}

	private static @Nullable String bounded(@Nullable String text) {
		if (text == null || text.length() <= MAX_TEXT) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT);
	}

	/** A text without a valid encoding was not sent; its characters are counted. */
	private static int size(WebSocketMessage<?> message) {
		try {
			return EncodedSize.of(message);
		}
		catch (UnencodableTextException ex) {
			return message.getPayloadLength();
		}
	}

	/** The record of one message, which is written once. */
	public final class Entry {

		private final WebSocketMessage<?> message;

		private final @Nullable String type;

		private final Level level;

		private final Instant queuedAt = Instant.now();

		private final AtomicBoolean ended = new AtomicBoolean();

		private Entry(WebSocketMessage<?> message, @Nullable String type, Level level) {
			this.message = message;
			this.type = type;
			this.level = level;
		}

		/**
		 * Records that the message has been sent, or has failed; only the first call has
		 * an effect.
		 */
		public void ended(@Nullable Throwable failure) {
			if (!this.ended.compareAndSet(false, true)) {
				return;
			}
			SessionJournal journal = SessionJournal.this;
			String destination = journal.stomp ? StompFrameHead.destination(this.message) : null;
			SentMessage.Outcome outcome = (failure == null) ? SentMessage.Outcome.SENT : SentMessage.Outcome.FAILED;
			journal.recorder.push(new SentMessage(journal.sessionId, bounded(journal.user()), bounded(this.type),
					bounded(destination), this.level, size(this.message), this.queuedAt, Instant.now(), outcome));
		}

	}

}
