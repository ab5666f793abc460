package dev.sluice.websocket.handler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.internal.ClientNames;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.inbound.HandlingThreadPolicy;
import dev.sluice.websocket.inbound.InboundFrame;
import dev.sluice.websocket.inbound.InboundMessage;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.inbound.WaitingMessage;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.outbound.OwnPings;
import dev.sluice.websocket.outbound.SendWaits;
import dev.sluice.websocket.session.HandlerSession;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionKind;
import dev.sluice.websocket.session.SessionPlace;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.lang.Contract;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.SessionLimitExceededException;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.sockjs.transport.SockJsSession;

/**
 * Decorator between the container and a user's handler. It receives each callback on the
 * container's thread and submits it to the session's queue. With a message that no other
 * can pass, that thread may run the queue itself. It replaces the standard decorators for
 * logging and for exceptions.
 */
public final class OrderedWebSocketHandler extends WebSocketHandlerDecorator {

	private static final Log logger = LogFactory.getLog(OrderedWebSocketHandler.class);

	private final HandlerContext context;

	private final SessionKind kind;

	private final MessageIntake intake;

	private final boolean assembled;

	/** Wraps a handler that is called for each message. */
	OrderedWebSocketHandler(WebSocketHandler delegate, HandlerContext context) {
		super(delegate);
		this.context = context;
		this.kind = new SessionKind("handler", context.levels() != null, FullBuffer.WAIT);
		ThrottleGate gate = context.gate();
		HandlerCalls calls = new HandlerCalls(delegate,
				(gate != null) ? new HandlerGate(gate, WebSocketHandlerDecorator.unwrap(delegate)) : null,
				context.throttledAnswer());
		this.intake = (session, message) -> new HandlerMessage(calls, session, message,
				context.level(session, message, Level.NORMAL));
		this.assembled = !delegate.supportsPartialMessages();
	}

	/**
	 * Wraps a handler that receives the messages itself.
	 * @param <H> the type of handler
	 * @param delegate the handler
	 * @param kind the kind of its sessions
	 * @param context what all handlers share
	 */
	public <H extends WebSocketHandler & MessageIntake> OrderedWebSocketHandler(H delegate, SessionKind kind,
			HandlerContext context) {
		super(delegate);
		this.context = context;
		this.kind = kind;
		this.intake = delegate;
		this.assembled = true;
	}

	/**
	 * Parts are always accepted and, if the user's handler does not support them,
	 * assembled here.
	 */
	@Override
	public boolean supportsPartialMessages() {
		return true;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) throws IOException {
		if (session.getPrincipal() != null && ClientNames.find(session.getPrincipal()) == null) {
			session.close(CloseStatus.SERVER_ERROR);
			return;
		}
		SessionPlace place = this.context.admission().reserve(session, this.intake.isUndecided());
		if (place == null) {
			session.close(CloseStatuses.TOO_MANY_SESSIONS);
			return;
		}
		OrderedWebSocketSession opened = this.context.sessions().open(session, this.kind, place);
		if (opened == null) {
			session.close(CloseStatuses.ID_IN_USE);
			return;
		}
		logger.debug("New " + session);
		if (this.assembled) {
			opened.beginAssembly();
		}
		if (getDelegate() instanceof MessagingHandler messaging) {
			manage(opened);
			call(opened, () -> messaging.afterConnectionEstablished(opened));
			enqueue(opened, Level.HIGH, () -> this.context.events().opened(opened));
		}
		else {
			if (!this.intake.managesSessions()) {
				manage(opened);
			}
			opened.pressure().opening(enqueue(opened, Level.HIGH, () -> {
				getDelegate().afterConnectionEstablished(opened);
				this.context.events().opened(opened);
			}));
		}
		if (!this.context.admission().isOpen()) {
			opened.drainAndClose(CloseStatuses.STOPPING);
		}
		// SockJS holds the lock with which its sessions send
		if (!(session instanceof SockJsSession)) {
			opened.pressure().awaitRelief();
		}
	}

	/** A session of a principal without a name could neither be counted nor found. */
	private void manage(OrderedWebSocketSession session) {
		HandlerSession managed = new HandlerSession(this.kind.type());
		ManagedConnection.connect(session, managed, managed, this.context.messages());
	}

	@Override
	public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
		OrderedWebSocketSession found = this.context.sessions().find(session);
		if (found == null) {
			return;
		}
		found.liveness().received(message);
		if (found.isDraining() || found.outbound().isClosing()
				|| message instanceof PongMessage pong && OwnPings.isAnsweredBy(pong)) {
			return;
		}
		WebSocketMessage<?> whole = whole(found, message);
		if (whole == null) {
			return;
		}
		try {
			deliver(found, whole);
		}
		catch (Throwable ex) {
			ExceptionWebSocketHandlerDecorator.tryCloseWithError(found, ex, logger);
			FatalErrors.passOn(ex);
		}
	}

	/**
	 * Makes the calling thread handle a message, which waits only if another task has the
	 * session's turn, or leaves it to a worker.
	 */
	private void deliver(OrderedWebSocketSession session, WebSocketMessage<?> payload) {
		InboundPressure pressure = session.pressure();
		HandlingThreadPolicy thread = session.handlingThread();
		if (!thread.begin()) {
			SendWaits.runBarred(() -> queue(session, payload));
			pressure.awaitRelief();
			return;
		}
		WaitingMessage message = null;
		try {
			message = this.intake.receive(session, payload);
			if (message != null) {
				pressure.beginHandling(message);
				CompletableFuture<?> handled = (message instanceof InboundFrame frame) ? frame.read()
						: session.inbound().submit((InboundMessage) message);
				if (isPending(handled)) {
					pressure.add(message);
					await(session, message, handled);
				}
			}
		}
		finally {
			if (message != null) {
				pressure.endHandling(message);
			}
			thread.end();
		}
	}

	private void queue(OrderedWebSocketSession session, WebSocketMessage<?> payload) {
		WaitingMessage message = this.intake.receive(session, payload);
		if (message == null) {
			return;
		}
		if (!session.pressure().add(message)) {
			session.rejected(new RejectedExecutionException("Too many messages are waiting"));
			return;
		}
		CompletableFuture<?> handled = null;
		try {
			handled = (message instanceof InboundFrame frame) ? frame.read()
					: session.inbound().submit((InboundMessage) message);
		}
		finally {
			await(session, message, handled);
		}
	}

	@Contract("null -> false")
	private static boolean isPending(@Nullable CompletableFuture<?> handled) {
		return handled != null && (!handled.isDone() || handled.isCompletedExceptionally());
	}

	private static void await(OrderedWebSocketSession session, WaitingMessage waiting,
			@Nullable CompletableFuture<?> handled) {
		if (!isPending(handled)) {
			session.pressure().remove(waiting);
			return;
		}
		handled.whenComplete((result, ex) -> {
			session.pressure().remove(waiting);
			if (ex instanceof SessionClosedException) {
				session.notHandled();
			}
			else if (ex != null) {
				session.rejected(ex);
			}
		});
		session.pressure().handedOver(waiting, handled);
	}

	@Override
	public void handleTransportError(WebSocketSession session, Throwable exception) {
		OrderedWebSocketSession found = this.context.sessions().find(session);
		if (found != null) {
			logger.debug("Transport error in " + session, exception);
			found.outbound().failed();
			enqueue(found, Level.NORMAL, () -> getDelegate().handleTransportError(found, exception));
		}
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		OrderedWebSocketSession found = this.context.sessions().find(session);
		if (found != null) {
			CloseStatus ended = found.outbound().ended(status);
			logger.debug(session + " closed with " + ended);
			found.keepNative();
			this.context.sessions().forget(found);
			found.end(() -> found.runLast(() -> closed(found, ended)));
		}
	}

	private @Nullable WebSocketMessage<?> whole(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		if (message instanceof PongMessage || !this.assembled) {
			return detached(message);
		}
		try {
			return session.assemble(message);
		}
		catch (SessionLimitExceededException ex) {
			session.reject(ex.getStatus(), ex);
			return null;
		}
	}

	/**
	 * The container may reuse the payload's buffer as soon as the callback returns.
	 */
	private static WebSocketMessage<?> detached(WebSocketMessage<?> message) {
		if (!(message.getPayload() instanceof ByteBuffer payload)) {
			return message;
		}
		byte[] bytes = new byte[payload.remaining()];
		payload.duplicate().get(bytes);
		return (message instanceof PongMessage) ? new PongMessage(ByteBuffer.wrap(bytes))
				: new BinaryMessage(bytes, message.isLast());
	}

	private LeveledTask<?> enqueue(OrderedWebSocketSession session, Level level, Callback callback) {
		LeveledTask<?> task = session.inbound()
			.execute(level, () -> session.runAsPrincipal(() -> call(session, callback)));
		task.exceptionally((ex) -> {
			session.rejected(ex);
			return null;
		});
		return task;
	}

	private static void call(OrderedWebSocketSession session, Callback callback) {
		try {
			callback.run();
		}
		catch (Throwable ex) {
			HandlerCalls.failed(session, ex);
		}
	}

	private void closed(OrderedWebSocketSession session, CloseStatus status) {
		try {
			getDelegate().afterConnectionClosed(session, status);
		}
		catch (Throwable ex) {
			logger.warn("Unhandled exception after connection closed for " + session, ex);
			FatalErrors.passOn(ex);
		}
		this.context.events().closed(session, status);
		session.reportUnhandled(status);
	}

	/** A call of the user's handler. */
	@FunctionalInterface
	private interface Callback {

		void run() throws Exception;

	}

}
