package dev.sluice.websocket.handler;

import java.util.List;

import dev.sluice.execution.Level;
import dev.sluice.internal.ExtensionPoint;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.FailureFrames;
import dev.sluice.websocket.message.FailureLog;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Answers to messages that were not handled.
 *
 * @param messages writes the answers
 * @param handlers choose the answers, the first that returns one; otherwise the standard
 * frames are sent
 */
public record ErrorAnswers(JsonMessages messages, List<MessageErrorHandler> handlers) {

	private static final Log logger = LogFactory.getLog(ErrorAnswers.class);

	private static final FailureLog failures = new FailureLog(logger, NanoClock.system(), "Failed to answer");

	private static final ExtensionPoint HANDLERS = new ExtensionPoint("MessageErrorHandler",
			"the next handler or the standard frame answers the message");

	/** Posts the answer, in the session's turn. */
	public void answer(OrderedWebSocketSession session, Throwable error) {
		post(session, error, choose(session, error));
	}

	/**
	 * Calls the application's handlers for the answer.
	 * @return the answer, which may be {@link MessageErrorHandler#NO_ANSWER}, or
	 * {@code null} if no handler chooses one
	 */
	public @Nullable Object choose(OrderedWebSocketSession session, Throwable error) {
		ManagedSession managed = session.managed();
		if (managed == null) {
			return null;
		}
		for (MessageErrorHandler handler : this.handlers) {
			Object answer = ask(handler, managed, error);
			if (answer != null) {
				return answer;
			}
		}
		return null;
	}

	private static @Nullable Object ask(MessageErrorHandler handler, ManagedSession session, Throwable error) {
		try {
			return handler.answer(session, error);
		}
		catch (Throwable ex) {
			HANDLERS.failed(handler, ex);
			return null;
		}
	}

	/**
	 * Posts an answer, in the session's turn.
	 * @param chosen the {@linkplain #choose chosen} answer, or {@code null} for the
	 * standard frame
	 */
	public void post(OrderedWebSocketSession session, Throwable error, @Nullable Object chosen) {
		if (chosen == MessageErrorHandler.NO_ANSWER) {
			return;
		}
		try {
			WrittenMessage written = (chosen != null) ? this.messages.write(chosen) : FailureFrames.frame(error);
			EncodedSize.of(written.message());
			IllegalArgumentException unsendable = ManagedConnection
				.unsendable(session.outbound().send(written, Level.NORMAL));
			if (unsendable != null) {
				throw unsendable;
			}
		}
		catch (RuntimeException ex) {
			failures.error(() -> "a message in " + session, ex);
		}
	}

}
