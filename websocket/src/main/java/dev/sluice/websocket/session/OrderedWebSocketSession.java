package dev.sluice.websocket.session;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.container.JettySessions;
import dev.sluice.websocket.container.SocketReading;
import dev.sluice.websocket.container.TomcatSessions;
import dev.sluice.websocket.inbound.HandlingThreadPolicy;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.inbound.MessageAssembly;
import dev.sluice.websocket.inbound.PrincipalTasks;
import dev.sluice.websocket.inbound.SessionHandling;
import dev.sluice.websocket.inbound.SessionInbound;
import dev.sluice.websocket.outbound.OutboundResources;
import dev.sluice.websocket.outbound.SessionOutbound;
import dev.sluice.websocket.settings.SessionLimits;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.handler.SessionLimitExceededException;
import org.springframework.web.socket.handler.WebSocketSessionDecorator;
import org.springframework.web.socket.sockjs.transport.SockJsSession;

/**
 * The session that a user's handler works with: any thread may send and close at any
 * time, without collisions.
 */
public final class OrderedWebSocketSession extends WebSocketSessionDecorator implements NativeWebSocketSession {

	/*
	 * The parts guard their own state. "draining" is only ever set, before the queues are
	 * drained. "managed" is written once, in the opening. Attacked by
	 * OrderedHandlersTests and ClientsHostileTests.
	 */

	private static final Log logger = LogFactory.getLog(OrderedWebSocketSession.class);

	private final String id;

	private final SessionInbound inbound;

	private final SessionOutbound outbound;

	private final InboundPressure pressure;

	private final HandlingThreadPolicy handlingThread;

	private final HandlerSends sends;

	private final SessionLiveness liveness;

	private final SessionHandling handling;

	private final PrincipalTasks principals;

	private final MessageAssembly assembly;

	private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

	private volatile boolean draining;

	private final UnhandledMessages unhandled;

	/** Accessed in the session's turn only. */
	private boolean announced;

	private volatile @Nullable ManagedSession managed;

	private final NativeSession nativeSession;

	/** Whether a message may be larger than the container's buffer. */
	private final boolean deliversParts;

	OrderedWebSocketSession(WebSocketSession session, SessionKind kind, SessionLimits limits, TaskQueue inbound,
			TaskQueue outbound, SessionResources resources) {
		super(session);
		OutboundResources sending = resources.outbound();
		this.principals = new PrincipalTasks(resources.principals());
		this.id = inbound.id();
		SocketReading reading = TomcatSessions.reading(session);
		this.pressure = new InboundPressure(limits.inbound(), kind.readAhead(), resources.inboundTotal(), reading,
				this::recheck);
		this.handlingThread = new HandlingThreadPolicy(this.pressure, sending.readers(), sending.clock());
		this.nativeSession = new NativeSession(session);
		this.assembly = new MessageAssembly(this.pressure, reading);
		this.unhandled = new UnhandledMessages(this.id, this.pressure);
		this.outbound = new SessionOutbound(session, outbound, kind.type(), limits.send(), this.pressure, sending);
		this.inbound = new SessionInbound(session, inbound, this.pressure, kind.type(), sending.observer(),
				this.principals, this.outbound::isClosing);
		this.sends = new HandlerSends(this.inbound, this.outbound, kind.fullBuffer());
		this.liveness = new SessionLiveness(this.outbound, this.pressure, sending.clock(),
				!(WebSocketSessionDecorator.unwrap(session) instanceof SockJsSession),
				JettySessions.idleTimeout(session), sending.control());
		this.handling = new SessionHandling(sending.workers(), sending.clock());
		this.deliversParts = TomcatSessions.has(session);
		setMessageSizeLimits(limits);
	}

	private void setMessageSizeLimits(SessionLimits limits) {
		boolean keeps = limits.containerSizes() && getDelegate() instanceof NativeWebSocketSession;
		if (keeps && isSet(getDelegate().getTextMessageSizeLimit())) {
			this.assembly.setMaxTextSize(MessageAssembly.orUnlimited(getDelegate().getTextMessageSizeLimit()));
		}
		else {
			setTextMessageSizeLimit(limits.maxTextMessageSize());
		}
		if (keeps && isSet(getDelegate().getBinaryMessageSizeLimit())) {
			this.assembly.setMaxBinarySize(MessageAssembly.orUnlimited(getDelegate().getBinaryMessageSizeLimit()));
		}
		else {
			setBinaryMessageSizeLimit(limits.maxBinaryMessageSize());
		}
	}

	/** Returns whether a size differs from the default of containers. */
	private static boolean isSet(int size) {
		return size != SessionLimits.DEFAULTS.maxTextMessageSize();
	}

	/**
	 * Returns the id of a container's session and of its queues. A client of SockJS
	 * chooses its own, and must not choose the id of another session or queue.
	 */
	public static String idOf(WebSocketSession session) {
		return (session instanceof SockJsSession) ? sockJsId(session.getId()) : session.getId();
	}

	/** Returns the session id for an id that a client of SockJS has chosen. */
	public static String sockJsId(String chosen) {
		return "sockjs:" + chosen;
	}

	@Override
	public String getId() {
		return this.id;
	}

	public SessionInbound inbound() {
		return this.inbound;
	}

	public SessionOutbound outbound() {
		return this.outbound;
	}

	public SessionLiveness liveness() {
		return this.liveness;
	}

	public SessionHandling handling() {
		return this.handling;
	}

	/** Runs a task of this session in the name of its principal. */
	public <T extends @Nullable Object> T callAsPrincipal(Callable<T> task) throws Exception {
		return this.principals.call(getPrincipal(), task);
	}

	/** Does something of this session in the name of its principal. */
	public void runAsPrincipal(Runnable task) {
		this.principals.run(getPrincipal(), task);
	}

	/** Runs the last task in the name of the principal, and without it if need be. */
	public void runLast(Runnable task) {
		this.principals.runLast(getPrincipal(), task);
	}

	/** The variables of expressions in addition to the arguments of a method. */
	public Map<String, @Nullable Object> expressionVariables(Object self) {
		Map<String, @Nullable Object> variables = new HashMap<>();
		variables.put("session", self);
		variables.put("principal", getPrincipal());
		variables.put("headers", getHandshakeHeaders());
		return variables;
	}

	public InboundPressure pressure() {
		return this.pressure;
	}

	/** Returns the policy that decides which thread handles a message. */
	public HandlingThreadPolicy handlingThread() {
		return this.handlingThread;
	}

	/**
	 * Makes the container check its buffer again, on connections that are not upgraded to
	 * ours. Tomcat forgets the frames in it if reading is resumed in the moment between
	 * the delivery that stopped it and the actual stop; the answer to a ping is a reason
	 * to look.
	 */
	private void recheck() {
		this.outbound.ping();
	}

	/** The object of this session, once it is open. */
	public @Nullable ManagedSession managed() {
		return this.managed;
	}

	void setManaged(ManagedSession managed) {
		this.managed = managed;
	}

	/**
	 * Reports that a message will not be handled. This is a failure unless the message
	 * was dropped by the queue's overflow strategy, or its session has ended.
	 */
	public void rejected(Throwable reason) {
		if (reason instanceof TaskDroppedException || reason instanceof SessionClosedException) {
			logger.debug("Dropped a message of " + this, reason);
			return;
		}
		reject(this.unhandled.statusFor(reason), reason);
	}

	/** Counts a message that was not handled because the session has ended. */
	public void notHandled() {
		this.unhandled.add();
	}

	/** Accepts no more messages and closes the session, but handles accepted ones. */
	public void reject(CloseStatus status, Throwable reason) {
		logger.debug("Closing " + this + " with " + status, reason);
		this.draining = true;
		this.outbound.reject(status, reason);
	}

	/** Logs how many messages were not handled, unless logged before. */
	public void reportUnhandled(CloseStatus status) {
		this.unhandled.report(status);
	}

	/** Closes the session and discards its pending messages. */
	void discard(String reason) {
		this.unhandled.discarding();
		this.outbound.cutOff(new SessionLimitExceededException(reason, CloseStatuses.TOO_MANY_MESSAGES));
		this.unhandled.discard(
				new SessionClosedException(getId(),
						new SessionLimitExceededException(reason, CloseStatuses.TOO_MANY_MESSAGES)),
				"Cut off", ": " + reason);
	}

	/** Discards the messages of a session whose client has left, without waiting. */
	void abandon() {
		this.unhandled.discarding();
		SessionClosedException reason = new SessionClosedException(getId(),
				new CancellationException("Session was abandoned"));
		this.unhandled.discard(reason, "Abandoned", "");
		this.handling.giveUp(reason);
	}

	/** Called in the session's turn when listeners are notified of its opening or end. */
	public void announce(boolean open) {
		this.announced = open;
	}

	/** Returns whether listeners were notified that the session is open. */
	public boolean isAnnounced() {
		return this.announced;
	}

	/** Returns whether messages of the client are no longer accepted. */
	public boolean isDraining() {
		return this.draining;
	}

	/**
	 * Stops accepting messages from the client, and closes the session after all messages
	 * that wait now, in both directions.
	 */
	public CompletableFuture<@Nullable Void> drainAndClose(CloseStatus status) {
		this.draining = true;
		this.inbound.drain().thenRun(() -> this.outbound.close(status, Level.NORMAL));
		return this.ended;
	}

	/** Ends the session; calls back when all waiting messages are handled. */
	public void end(Runnable onDrained) {
		this.outbound.closed();
		this.pressure.end();
		this.inbound.leave();
		this.inbound.end(onDrained).whenComplete((nothing, failure) -> this.ended.complete(null));
	}

	/** Ends when the session is closed and none of its messages is still handled. */
	public CompletableFuture<@Nullable Void> ended() {
		return this.ended;
	}

	/** Starts to assemble messages; called while the connection is opened. */
	public void beginAssembly() {
		this.assembly.begin();
	}

	/**
	 * Adds a message or the next part of one from the container.
	 * @return the whole message, or {@code null} while parts are missing or for a probe,
	 * which no client has sent
	 * @throws SessionLimitExceededException if the message has more bytes than allowed,
	 * or too many empty parts
	 */
	public @Nullable WebSocketMessage<?> assemble(WebSocketMessage<?> part) {
		this.liveness.assembling(!part.isLast());
		return this.assembly.add(part);
	}

	@Override
	public void setTextMessageSizeLimit(int messageSizeLimit) {
		this.assembly.setMaxTextSize(messageSizeLimit);
		if (!this.deliversParts) {
			super.setTextMessageSizeLimit(messageSizeLimit);
		}
	}

	@Override
	public int getTextMessageSizeLimit() {
		return this.assembly.maxTextSize();
	}

	@Override
	public void setBinaryMessageSizeLimit(int messageSizeLimit) {
		this.assembly.setMaxBinarySize(messageSizeLimit);
		if (!this.deliversParts) {
			super.setBinaryMessageSizeLimit(messageSizeLimit);
		}
	}

	@Override
	public int getBinaryMessageSizeLimit() {
		return this.assembly.maxBinarySize();
	}

	@Override
	public boolean isOpen() {
		return this.outbound.isOpen();
	}

	/**
	 * Queues the message, which is sent in order; the session is closed if it cannot be.
	 * Waits while too much waits to be sent, as long as the client takes some of it. If
	 * the client has left, the message is not sent, and the handling of its earlier
	 * messages continues.
	 * @throws IOException if the server has closed the session, or all messages of the
	 * client have been handled
	 */
	@Override
	public void sendMessage(WebSocketMessage<?> message) throws IOException {
		this.sends.send(message);
	}

	@Override
	public void close() throws IOException {
		close(CloseStatus.NORMAL);
	}

	/** Closes after the messages queued so far; only the first call has an effect. */
	@Override
	public void close(CloseStatus status) throws IOException {
		this.outbound.close(status, Level.NORMAL);
	}

	@Override
	public Object getNativeSession() {
		return this.nativeSession.get();
	}

	@Override
	public <T> @Nullable T getNativeSession(@Nullable Class<T> requiredType) {
		return this.nativeSession.get(requiredType);
	}

	/**
	 * Keeps the data of the container's session that handlers may read, because it is
	 * about to end; for them it has not ended until its messages are handled.
	 */
	public void keepNative() {
		this.nativeSession.keep();
	}

}
