package dev.sluice.websocket.session;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.execution.Level;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.container.EndedSession;
import dev.sluice.websocket.container.JettySessions;
import dev.sluice.websocket.container.MessageParts;
import dev.sluice.websocket.container.SocketReadings;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.inbound.LimitedCalls;
import dev.sluice.websocket.inbound.MessageAssembler;
import dev.sluice.websocket.inbound.SessionHandling;
import dev.sluice.websocket.inbound.SessionInbound;
import dev.sluice.websocket.inbound.SessionObserver;
import dev.sluice.websocket.message.UnencodableTextException;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.outbound.OutboundResources;
import dev.sluice.websocket.outbound.SessionOutbound;
import jakarta.websocket.Session;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;
import org.springframework.web.socket.handler.SessionLimitExceededException;
import org.springframework.web.socket.handler.WebSocketSessionDecorator;
import org.springframework.web.socket.sockjs.transport.SockJsSession;

/**
 * The session that a user's handler works with: any thread may send and close at any
 * time, and nothing collides.
 */
public final class OrderedWebSocketSession extends WebSocketSessionDecorator implements NativeWebSocketSession {

	private static final Log logger = LogFactory.getLog(OrderedWebSocketSession.class);

	private static final VarHandle LIMITED_CALLS;

	static {
		try {
			LIMITED_CALLS = MethodHandles.lookup()
				.findVarHandle(OrderedWebSocketSession.class, "limitedCalls", LimitedCalls.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final String id;

	private final SessionInbound inbound;

	private final SessionObserver observer;

	private final SessionOutbound outbound;

	private final InboundPressure pressure;

	private final FullBuffer fullBuffer;

	private final SessionLiveness liveness;

	private final SessionHandling handling;

	private final PrincipalContext principals;

	/** There while parts of a message are missing; of the thread that delivers them. */
	private @Nullable MessageAssembler assembler;

	/** Made by the first that waits. */
	private volatile @Nullable LimitedCalls limitedCalls;

	private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

	private volatile boolean draining;

	private final AtomicInteger unhandled = new AtomicInteger();

	/** Whether the log has been told of messages that are not handled. */
	private volatile boolean discarded;

	/** Read and written in the session's turn only. */
	private boolean announced;

	private volatile @Nullable ManagedSession managed;

	/** What is left of the container's session, once that has ended. */
	private volatile @Nullable EndedSession endedNative;

	/** Whether a message may be larger than the container's buffer. */
	private final boolean deliversParts;

	private volatile int textMessageSizeLimit;

	private volatile int binaryMessageSizeLimit;

	OrderedWebSocketSession(WebSocketSession session, SessionKind kind, SessionLimits limits, TaskQueue inbound,
			TaskQueue outbound, SessionResources resources) {
		super(session);
		OutboundResources sending = resources.outbound();
		this.principals = resources.principals();
		this.fullBuffer = kind.fullBuffer();
		this.id = inbound.id();
		this.pressure = new InboundPressure(limits.inbound(), kind.readAhead(), resources.inboundTotal(),
				SocketReadings.of(session), this::recheck);
		this.inbound = new SessionInbound(inbound, this.pressure::parked);
		this.observer = new SessionObserver(sending.observer(), kind.type(), this.id, this.inbound);
		this.outbound = new SessionOutbound(session, outbound, kind.type(), limits.send(), this.pressure, sending);
		this.liveness = new SessionLiveness(this.outbound, this.pressure, sending.clock(),
				!(WebSocketSessionDecorator.unwrap(session) instanceof SockJsSession),
				JettySessions.idleTimeout(session), sending.control());
		this.handling = new SessionHandling(sending.workers(), sending.clock());
		this.deliversParts = MessageParts.areDelivered(session);
		setMessageSizeLimits(limits);
	}

	private void setMessageSizeLimits(SessionLimits limits) {
		boolean keeps = limits.containerSizes() && getDelegate() instanceof NativeWebSocketSession;
		if (keeps && isSet(getDelegate().getTextMessageSizeLimit())) {
			this.textMessageSizeLimit = orUnlimited(getDelegate().getTextMessageSizeLimit());
		}
		else {
			setTextMessageSizeLimit(limits.maxTextMessageSize());
		}
		if (keeps && isSet(getDelegate().getBinaryMessageSizeLimit())) {
			this.binaryMessageSizeLimit = orUnlimited(getDelegate().getBinaryMessageSizeLimit());
		}
		else {
			setBinaryMessageSizeLimit(limits.maxBinaryMessageSize());
		}
	}

	/** Whether a size is not what containers have where nobody has set any. */
	private static boolean isSet(int size) {
		return size != SessionLimits.DEFAULTS.maxTextMessageSize();
	}

	/** A container for which a size is 0 or less has no limit. */
	private static int orUnlimited(int size) {
		return (size > 0) ? size : Integer.MAX_VALUE;
	}

	/**
	 * Returns the id of a container's session and of its queues. A client of SockJS
	 * chooses its own, and must not choose that of another session or queue.
	 */
	public static String idOf(WebSocketSession session) {
		return (session instanceof SockJsSession) ? sockJsId(session.getId()) : session.getId();
	}

	/** Returns the id of the session that a client of SockJS calls so. */
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

	public SessionObserver observer() {
		return this.observer;
	}

	public SessionLiveness liveness() {
		return this.liveness;
	}

	public SessionHandling handling() {
		return this.handling;
	}

	/** Does something of this session in the name of its principal. */
	public <T extends @Nullable Object> T callAsPrincipal(Callable<T> task) throws Exception {
		return callAs(getPrincipal(), task);
	}

	/** Does something of this session in the name of a principal. */
	public <T extends @Nullable Object> T callAs(@Nullable Principal principal, Callable<T> task) throws Exception {
		PrincipalContext.Scope scope = this.principals.open(principal);
		try {
			return task.call();
		}
		finally {
			scope.close();
		}
	}

	/** Does something of this session in the name of its principal. */
	public void runAsPrincipal(Runnable task) {
		PrincipalContext.Scope scope = this.principals.open(getPrincipal());
		try {
			task.run();
		}
		finally {
			scope.close();
		}
	}

	/** Goes on with the message that is handled, on whichever thread. */
	public void goOn(Runnable rest) {
		this.observer.goOn(() -> runAsPrincipal(rest));
	}

	public LimitedCalls limitedCalls() {
		LimitedCalls present = this.limitedCalls;
		if (present != null) {
			return present;
		}
		LimitedCalls made = new LimitedCalls(this.inbound, this.outbound::isClosing);
		LimitedCalls other = (LimitedCalls) LIMITED_CALLS.compareAndExchange(this, null, made);
		return (other != null) ? other : made;
	}

	/** What the expressions of limits see beside the arguments of a method. */
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

	/**
	 * Makes the container look at its buffer once more, on connections that are not
	 * upgraded to ours. Tomcat forgets the frames in it if reading is resumed in the
	 * moment between the delivery that stopped it and the actual stop; the answer to a
	 * ping is a reason to look.
	 */
	private void recheck() {
		this.outbound.ping();
	}

	/** What stands for this session, once it is open. */
	public @Nullable ManagedSession managed() {
		return this.managed;
	}

	void setManaged(ManagedSession managed) {
		this.managed = managed;
	}

	/**
	 * A message will not be handled. One that the queue's owner chose to drop is no
	 * failure, nor is one whose session is over; any other rejection is.
	 */
	public void rejected(Throwable reason) {
		if (reason instanceof TaskDroppedException || reason instanceof SessionClosedException) {
			logger.debug("Dropped a message of " + this, reason);
			return;
		}
		refuse(CloseStatuses.TOO_MANY_MESSAGES, reason);
	}

	/** A message of the client was not handled, since the session is over. */
	public void notHandled() {
		this.unhandled.incrementAndGet();
	}

	/**
	 * Takes no more messages from the client and closes the session. Those that were
	 * taken are handled.
	 */
	public void refuse(CloseStatus status, Throwable reason) {
		logger.debug("Closing " + this + " with " + status, reason);
		this.draining = true;
		this.outbound.refuse(status, reason);
	}

	/**
	 * Checks that the client's messages are still to be handled.
	 * @throws SessionClosedException if the server has ended the session
	 */
	public void requireHandling() throws SessionClosedException {
		if (this.outbound.isClosing()) {
			throw new SessionClosedException(getId());
		}
	}

	/** Tells how many messages were not handled, unless that has been told. */
	public void reportUnhandled(CloseStatus status) {
		int messages = this.unhandled.get();
		if (messages > 0 && !this.discarded) {
			logger.info("Session '" + getId() + "' was ended by the server, and " + messages
					+ " of its messages were not handled: " + status);
		}
	}

	/** Ends the session, and what of it waits to be handled is not. */
	void discard(String reason) {
		this.discarded = true;
		this.outbound.cutOff(CloseStatuses.TOO_MANY_MESSAGES,
				new SessionLimitExceededException(reason, CloseStatuses.TOO_MANY_MESSAGES));
		int messages = this.pressure.discard(new SessionClosedException(getId(),
				new SessionLimitExceededException(reason, CloseStatuses.TOO_MANY_MESSAGES)));
		logger.warn("Cut off session '" + getId() + "', of which " + messages + " messages are not handled: " + reason);
	}

	/** Handles nothing more of a session whose client has gone, and waits for nothing. */
	void abandon() {
		this.discarded = true;
		SessionClosedException reason = new SessionClosedException(getId(),
				new CancellationException("Session was abandoned"));
		int messages = this.pressure.discard(reason);
		logger.warn("Abandoned session '" + getId() + "', of which " + messages + " messages are not handled");
		this.handling.giveUp(reason);
	}

	/** Called in the session's turn, when others are told that it is open. */
	public void announce() {
		this.announced = true;
	}

	/** Whether others were told that the session is open. */
	public boolean isAnnounced() {
		return this.announced;
	}

	/** Whether messages of the client are no longer taken. */
	public boolean isDraining() {
		return this.draining;
	}

	/**
	 * Takes no more messages from the client, and closes the session behind all that
	 * waits now, in both directions.
	 */
	public CompletableFuture<@Nullable Void> drainAndClose(CloseStatus status) {
		this.draining = true;
		this.inbound.drain().thenRun(() -> this.outbound.close(status, Level.NORMAL));
		return this.ended;
	}

	/** The container has reported the end: calls back when all that waits is handled. */
	public void end(Runnable lastly) {
		this.outbound.closed();
		this.pressure.end();
		limitedCalls().end();
		this.inbound.end(lastly).whenComplete((nothing, failure) -> this.ended.complete(null));
	}

	/** Ends when the session is closed and nothing more of it is handled. */
	public CompletableFuture<@Nullable Void> ended() {
		return this.ended;
	}

	/**
	 * Takes a message or the next part of one from the container.
	 * @return the whole message, or {@code null} while parts are missing
	 * @throws SessionLimitExceededException if the message has more bytes than allowed,
	 * or too many parts without any
	 */
	public @Nullable WebSocketMessage<?> assemble(WebSocketMessage<?> part) {
		MessageAssembler begun = this.assembler;
		MessageAssembler parts = (begun != null) ? begun : new MessageAssembler();
		this.assembler = part.isLast() ? null : parts;
		this.liveness.assembling(!part.isLast());
		WebSocketMessage<?> whole;
		try {
			whole = parts.add(part,
					(part instanceof TextMessage) ? this.textMessageSizeLimit : this.binaryMessageSizeLimit);
		}
		catch (SessionLimitExceededException ex) {
			this.assembler = null;
			this.pressure.incomplete(0);
			throw ex;
		}
		if (begun != null || !part.isLast()) {
			this.pressure.incomplete(part.isLast() ? 0 : parts.size());
		}
		return whole;
	}

	@Override
	public void setTextMessageSizeLimit(int messageSizeLimit) {
		this.textMessageSizeLimit = messageSizeLimit;
		if (!this.deliversParts) {
			super.setTextMessageSizeLimit(messageSizeLimit);
		}
	}

	@Override
	public int getTextMessageSizeLimit() {
		return this.textMessageSizeLimit;
	}

	@Override
	public void setBinaryMessageSizeLimit(int messageSizeLimit) {
		this.binaryMessageSizeLimit = messageSizeLimit;
		if (!this.deliversParts) {
			super.setBinaryMessageSizeLimit(messageSizeLimit);
		}
	}

	@Override
	public int getBinaryMessageSizeLimit() {
		return this.binaryMessageSizeLimit;
	}

	@Override
	public boolean isOpen() {
		return this.outbound.isOpen();
	}

	/**
	 * Queues the message, which is sent in order; the session is closed if it cannot be.
	 * Waits while too much waits to be sent, as long as the client takes some of it.
	 * Where the client has gone, the message is not sent, and the handling of what the
	 * client sent before goes on.
	 * @throws IOException if the server has closed the session, or all that the client
	 * sent has been handled
	 */
	@Override
	public void sendMessage(WebSocketMessage<?> message) throws IOException {
		CompletableFuture<@Nullable Void> sent = this.outbound.send(snapshot(message), this.fullBuffer);
		if (sent.isCompletedExceptionally() && !isLost(sent)) {
			throwReason(sent);
		}
	}

	/** Whether the message cannot be sent because the client has gone. */
	private boolean isLost(CompletableFuture<?> sent) {
		Throwable reason = sent.handle((nothing, failure) -> failure).join();
		if (reason instanceof UnencodableTextException || !this.outbound.hasEnded() || this.outbound.isClosing()
				|| this.inbound.isOver()) {
			return false;
		}
		logger.debug("Not sent, as the client has gone", reason);
		return true;
	}

	@Override
	public void close() throws IOException {
		close(CloseStatus.NORMAL);
	}

	/** Closes behind the messages queued so far; only the first call has an effect. */
	@Override
	public void close(CloseStatus status) throws IOException {
		this.outbound.close(status, Level.NORMAL);
	}

	@Override
	public Object getNativeSession() {
		EndedSession ended = this.endedNative;
		if (ended != null) {
			return ended;
		}
		return (getDelegate() instanceof NativeWebSocketSession session) ? session.getNativeSession() : getDelegate();
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> @Nullable T getNativeSession(@Nullable Class<T> requiredType) {
		EndedSession ended = this.endedNative;
		if (ended != null && (requiredType == null || requiredType.isInstance(ended))) {
			return (T) ended;
		}
		return (getDelegate() instanceof NativeWebSocketSession session) ? session.getNativeSession(requiredType)
				: null;
	}

	/**
	 * Keeps what handlers may read of the container's session, which is about to end, but
	 * for them has not until its messages are handled.
	 */
	public void keepNative() {
		Session ending = (getDelegate() instanceof NativeWebSocketSession session)
				? session.getNativeSession(Session.class) : null;
		if (ending == null) {
			return;
		}
		try {
			EndedSession ended = new EndedSession(ending);
			this.endedNative = ended;
			if (getDelegate() instanceof StandardWebSocketSession standard) {
				standard.initializeNativeSession(ended);
			}
		}
		catch (IllegalStateException ex) {
			logger.debug("Nothing can be kept of " + getId(), ex);
		}
	}

	/** The caller may use its buffer again as soon as the message is queued. */
	private static WebSocketMessage<?> snapshot(WebSocketMessage<?> message) {
		if (!(message instanceof BinaryMessage binary)) {
			return message;
		}
		byte[] bytes = new byte[binary.getPayloadLength()];
		binary.getPayload().duplicate().get(bytes);
		return new BinaryMessage(bytes, binary.isLast());
	}

	private static void throwReason(CompletableFuture<@Nullable Void> sent) throws IOException {
		try {
			sent.join();
		}
		catch (CompletionException ex) {
			Throwable reason = ex.getCause();
			if (reason instanceof IOException io) {
				throw io;
			}
			if (reason instanceof RuntimeException runtime) {
				throw runtime;
			}
			throw new IOException(reason);
		}
	}

}
