package dev.sluice.websocket.handler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.inbound.InboundFrame;
import dev.sluice.websocket.inbound.WaitingMessage;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;

/**
 * Decorator for a handler that decodes a session's frames into messages, such as the
 * STOMP handler. It is called on the container's thread: reading a frame is short, and
 * longer work comes back as tasks of the session. A frame counts as handled when its
 * tasks are.
 */
final class MessagingHandler extends WebSocketHandlerDecorator implements MessageIntake {

	private static final Log logger = LogFactory.getLog(MessagingHandler.class);

	/** The frame that the current thread reads. */
	private static final ThreadLocal<Frame> FRAME = new ThreadLocal<>();

	MessagingHandler(WebSocketHandler delegate) {
		super(delegate);
	}

	/**
	 * Returns the session whose frame the current thread reads, which may have ended
	 * since; {@code null} if the thread reads no frame of a session with that id.
	 */
	static @Nullable OrderedWebSocketSession reading(String sessionId) {
		Frame frame = FRAME.get();
		return (frame != null && frame.session().getId().equals(sessionId)) ? frame.session() : null;
	}

	/** Adds a task to the frame that the current thread reads, if any. */
	static void queued(CompletableFuture<?> task) {
		Frame frame = FRAME.get();
		if (frame != null) {
			frame.tasks().add(task);
		}
	}

	/** A header of a frame becomes an entry of a map, with a list and two texts. */
	private static int cost(WebSocketMessage<?> message) {
		return MessageCost.of(message) + MessageCost.HEADER * headers(message);
	}

	private static int headers(WebSocketMessage<?> message) {
		if (!(message instanceof TextMessage text)) {
			return 0;
		}
		String frame = text.getPayload();
		int headers = 0;
		for (int line = frame.indexOf('\n'); line >= 0; line = frame.indexOf('\n', line + 1)) {
			if (line + 1 < frame.length() && (frame.charAt(line + 1) == '\n' || frame.charAt(line + 1) == '\r')) {
				return headers;
			}
			headers++;
		}
		return headers;
	}

	@Override
	public WaitingMessage receive(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		return new InboundFrame(cost(message), () -> read(session, message));
	}

	private @Nullable CompletableFuture<?> read(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		List<CompletableFuture<?>> tasks = new ArrayList<>(1);
		FRAME.set(new Frame(session, tasks));
		try {
			getDelegate().handleMessage(session, message);
		}
		catch (Throwable ex) {
			ExceptionWebSocketHandlerDecorator.tryCloseWithError(session, ex, logger);
			FatalErrors.passOn(ex);
		}
		finally {
			FRAME.remove();
		}
		return switch (tasks.size()) {
			case 0 -> null;
			case 1 -> tasks.get(0);
			default -> all(tasks);
		};
	}

	/** Ends with the last of the tasks; ending it ends the tasks that have not begun. */
	private static CompletableFuture<?> all(List<CompletableFuture<?>> tasks) {
		CompletableFuture<?> all = CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new));
		all.whenComplete((nothing, failure) -> {
			if (failure != null) {
				tasks.forEach((task) -> task.completeExceptionally(failure));
			}
		});
		return all;
	}

	/** A frame, and its tasks. */
	private record Frame(OrderedWebSocketSession session, List<CompletableFuture<?>> tasks) {
	}

}
