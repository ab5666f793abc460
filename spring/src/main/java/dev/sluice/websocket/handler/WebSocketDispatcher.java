package dev.sluice.websocket.handler;

import java.lang.reflect.Method;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.OnThrottled;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.SendLimits;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.WebSocketSessionOpenedEvent;
import dev.sluice.websocket.endpoint.EndpointHandler;
import dev.sluice.websocket.endpoint.MessageRoutes;
import dev.sluice.websocket.endpoint.MessageValidation;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.outbound.SendWaits;
import dev.sluice.websocket.session.DaemonExecutor;
import dev.sluice.websocket.session.DefaultWebSocketSessionManager;
import dev.sluice.websocket.session.Handshakes;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionKind;
import dev.sluice.websocket.session.SessionLimits;
import dev.sluice.websocket.session.SessionObserver;
import dev.sluice.websocket.session.SessionQuota;
import dev.sluice.websocket.session.SessionTask;
import dev.sluice.websocket.session.SessionVigil;
import dev.sluice.websocket.session.TotalBuffer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.validation.Validator;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.WebSocketHandlerDecoratorFactory;

/**
 * Brings the messages of WebSocket sessions in order. What the container calls back on a
 * handler becomes a task of its session's queue in the inbound executor: a session's
 * callbacks one at a time and in order, those of different sessions in parallel, none on
 * a thread of the container. What the handler sends becomes a task of the session's queue
 * in the outbound executor. The id of both queues is the session's.
 *
 * @since 0.1.0
 */
public final class WebSocketDispatcher implements WebSocketHandlerDecoratorFactory {

	/** How sessions end when the application stops. */
	static final CloseStatus STOPPING = CloseStatus.GOING_AWAY.withReason("Application is stopping");

	private static final Log logger = LogFactory.getLog(WebSocketDispatcher.class);

	private final SequentialLeveledTaskExecutor inbound;

	private final SequentialLeveledTaskExecutor outbound;

	private final Executor workers;

	private final Executor control;

	private final SessionLimits limits;

	private final JsonMessages messages;

	private final ConcurrentMap<String, OrderedWebSocketSession> sessions = new ConcurrentHashMap<>();

	/** Those that are open, and those of which something waits to be handled. */
	private final Set<OrderedWebSocketSession> unended = ConcurrentHashMap.newKeySet();

	private final OrderedWebSocketSession.Totals totals;

	private final SendWaits waits;

	private final @Nullable ThrottleGate gate;

	private final @Nullable SentMessageRecorder recorder;

	private final ThrottledAnswer throttledAnswer;

	private final WebSocketSessionManager manager;

	private final @Nullable LevelResolver levels;

	private final @Nullable MessageValidation validation;

	private final ApplicationEventPublisher events;

	private final MessageObserver observer;

	private final PrincipalContext principals;

	private final SessionQuota quota;

	private final SessionVigil vigil;

	private final NanoClock clock;

	private final Handshakes handshakes = new Handshakes();

	private volatile boolean accepting = true;

	private WebSocketDispatcher(Builder builder) {
		this.inbound = builder.inbound;
		this.outbound = builder.outbound;
		this.workers = builder.workers;
		this.control = (builder.control != null) ? builder.control : DaemonExecutor.forControl();
		this.limits = builder.limits;
		this.messages = new JsonMessages(builder.jsonMapper, builder.typeProperty);
		this.gate = builder.gate;
		this.recorder = builder.recorder;
		this.throttledAnswer = new ThrottledAnswer(builder.onThrottled,
				new ErrorAnswers(this.messages, builder.errorHandlers));
		this.levels = builder.levels;
		this.validation = (builder.validator != null) ? new MessageValidation(builder.validator) : null;
		this.events = builder.events;
		this.observer = builder.observer;
		this.principals = builder.principals;
		this.quota = new SessionQuota(builder.maxSessions, builder.maxSessionsPerPrincipal,
				builder.maxSessionsPerAddress);
		this.clock = builder.clock;
		this.vigil = new SessionVigil(new SessionVigil.Times(builder.limits.sendTimeLimit(), builder.handlingTimeLimit,
				builder.messageTimeLimit, builder.heartbeatInterval, builder.heartbeatTimeout, builder.idleTimeout),
				this.clock, this.unended);
		this.waits = new SendWaits(builder.blockingWaits);
		this.totals = new OrderedWebSocketSession.Totals(
				new TotalBuffer(builder.inboundTotal, TotalBuffer.Side.INBOUND, this.unended),
				new TotalBuffer(builder.outboundTotal, TotalBuffer.Side.OUTBOUND, this.unended));
		this.manager = new DefaultWebSocketSessionManager(this.sessions, this.unended, this.messages,
				this.totals.outbound());
	}

	/**
	 * Starts to build a dispatcher with threads of its own for what the container can
	 * only do while a thread waits: at most 64, which are made on demand.
	 * @param inbound runs the callbacks of handlers
	 * @param outbound starts the sending of messages; its tasks never wait, so its own
	 * workers may be the calling threads ({@code Runnable::run})
	 * @return a builder
	 */
	public static Builder builder(SequentialLeveledTaskExecutor inbound, SequentialLeveledTaskExecutor outbound) {
		return new Builder(inbound, outbound, DaemonExecutor.forSending());
	}

	/**
	 * Starts to build a dispatcher.
	 * @param inbound runs the callbacks of handlers
	 * @param outbound starts the sending of messages; its tasks never wait, so its own
	 * workers may be the calling threads ({@code Runnable::run})
	 * @param workers threads for what the container can only do while a thread waits,
	 * which should not be those of {@code inbound}
	 * @return a builder
	 */
	public static Builder builder(SequentialLeveledTaskExecutor inbound, SequentialLeveledTaskExecutor outbound,
			Executor workers) {
		return new Builder(inbound, outbound, workers);
	}

	/**
	 * Wraps a handler so that its callbacks are handled in order.
	 * @param handler the handler to call
	 * @return the handler to give to the container
	 */
	@Override
	public WebSocketHandler decorate(WebSocketHandler handler) {
		return new OrderedWebSocketHandler(handler, this);
	}

	/**
	 * Wraps a handler that makes messages of what its sessions send, for channels whose
	 * tasks come back by {@link #submit}. It is called on the container's threads.
	 * @param handler the handler to call
	 * @param type what its sessions are counted as
	 * @return the handler to give to the container
	 */
	public WebSocketHandler decorate(WebSocketHandler handler, String type) {
		return decorate(handler, type, () -> null);
	}

	/**
	 * Wraps a handler that makes messages of what its sessions send, and that has limits
	 * of its own for what is sent to them. Otherwise as
	 * {@link #decorate(WebSocketHandler, String)}.
	 * @param handler the handler to call
	 * @param type what its sessions are counted as
	 * @param sendLimits supplies the limits of a session that opens; {@code null} means
	 * those of the dispatcher
	 * @return the handler to give to the container
	 */
	public WebSocketHandler decorate(WebSocketHandler handler, String type, Supplier<@Nullable SendLimits> sendLimits) {
		return new OrderedWebSocketHandler(new MessagingHandler(handler, type, sendLimits), this);
	}

	/**
	 * Handles a message in its session's turn. The session is closed with 1013 if the
	 * message cannot wait for it. Where there is no such session (any more), the message
	 * is handled now, by the calling thread: the last turn of a session comes when it is
	 * forgotten already.
	 * @param sessionId the session's id
	 * @param level the message's level
	 * @param task handles the message, without an exception; the session's next message
	 * waits for the stage
	 */
	public void submit(String sessionId, Level level, SessionTask task) {
		OrderedWebSocketSession reading = MessagingHandler.reading(sessionId);
		OrderedWebSocketSession session = (reading != null) ? reading : this.sessions.get(sessionId);
		if (session == null) {
			task.run();
			return;
		}
		LeveledTask<?> queued = session.observer().submitStage(session, level, () -> {
			Principal known = task.principal();
			Principal principal = (known != null) ? known : session.getPrincipal();
			session.observer().identified(task.type(), principal);
			return session.callAs(principal, task::run);
		});
		queued.exceptionally((ex) -> {
			session.refused(ex);
			return null;
		});
		MessagingHandler.queued(queued);
	}

	/**
	 * Cancels what a {@linkplain #submit submitted} task waits for when its session ends.
	 * @param sessionId the session's id
	 * @param waiting what the task's stage waits for; a task waits for one thing at a
	 * time
	 */
	public void cancelAtEnd(String sessionId, CompletableFuture<?> waiting) {
		OrderedWebSocketSession session = this.sessions.get(sessionId);
		if (session == null) {
			waiting.cancel(false);
		}
		else {
			session.limitedCalls().await(waiting);
		}
	}

	/**
	 * Notes what went wrong in a {@linkplain #submit submitted} task; called by the task.
	 * @param sessionId the session's id
	 * @param failure a limit's rejection or a failure
	 */
	public void failed(String sessionId, Throwable failure) {
		OrderedWebSocketSession session = this.sessions.get(sessionId);
		if (session != null) {
			session.observer().failed(failure);
		}
	}

	/**
	 * Lets what a {@linkplain #submit submitted} task knows of the context of its message
	 * (the trace, the logging context) be known to a part of it that runs later; called
	 * by the task.
	 * @param <T> the type of the result
	 * @param sessionId the session's id
	 * @param part what to call later
	 * @return what to call instead
	 */
	public <T extends @Nullable Object> Callable<T> decorated(String sessionId, Callable<T> part) {
		OrderedWebSocketSession session = this.sessions.get(sessionId);
		return (session != null) ? session.inbound().decorated(part) : part;
	}

	/**
	 * Writes what tells a client that a limit rejected a message of its.
	 * @param rejection the rejection
	 * @return a JSON object
	 */
	public String frame(ThrottledException rejection) {
		return this.messages.throttled(rejection).getPayload();
	}

	/**
	 * Returns the sessions.
	 * @return a view of the sessions that are open
	 */
	public WebSocketSessionManager sessions() {
		return this.manager;
	}

	/**
	 * Tells whether a method handles messages for the dispatcher, which takes the permits
	 * of its annotations then, if it is a method of a handler that the application
	 * registers itself.
	 * @param method the method
	 * @param targetClass the class of the handler
	 * @return whether it is such a method
	 */
	public static boolean isHandlerMethod(Method method, Class<?> targetClass) {
		return WebSocketHandler.class.isAssignableFrom(targetClass) && method.getParameterCount() == 2
				&& method.getParameterTypes()[0] == WebSocketSession.class
				&& WebSocketMessage.class.isAssignableFrom(method.getParameterTypes()[1]);
	}

	/**
	 * Tells whether a method handles messages for the dispatcher, which takes the permits
	 * of its annotations then, if it is a method of a {@link WebSocketEndpoint} class.
	 * @param method the method
	 * @param targetClass the class of the session
	 * @return whether it is such a method
	 */
	public static boolean isEndpointMethod(Method method, Class<?> targetClass) {
		return ManagedSession.class.isAssignableFrom(targetClass)
				&& AnnotatedElementUtils.hasAnnotation(method, OnMessage.class);
	}

	/**
	 * Tells whether a method is called for the connection and not for a message. No limit
	 * may keep it from being called: the application would miss the end of a session.
	 * @param method the method
	 * @param targetClass the class of the handler or session
	 * @return whether it is such a method
	 */
	public static boolean isConnectionCallback(Method method, Class<?> targetClass) {
		return WebSocketHandler.class.isAssignableFrom(targetClass) && overrides(method, WebSocketHandler.class)
				&& !isHandlerMethod(method, targetClass)
				|| ManagedSession.class.isAssignableFrom(targetClass) && overrides(method, ManagedSession.class);
	}

	private static boolean overrides(Method method, Class<?> type) {
		return ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes()) != null;
	}

	public JsonMessages messages() {
		return this.messages;
	}

	public @Nullable ThrottleGate gate() {
		return this.gate;
	}

	public ThrottledAnswer throttledAnswer() {
		return this.throttledAnswer;
	}

	/** What the container calls back for the connections to an endpoint. */
	public WebSocketHandler endpoint(ConfigurableBeanFactory beanFactory, String beanName, Class<?> type) {
		MessageRoutes routes = new MessageRoutes(type, this.messages.typeProperty());
		return new OrderedWebSocketHandler(new EndpointHandler(beanFactory, beanName, type, routes, this), this);
	}

	public @Nullable LevelResolver levels() {
		return this.levels;
	}

	public @Nullable MessageValidation validation() {
		return this.validation;
	}

	/** Told in the session's turn. */
	void opened(OrderedWebSocketSession session) {
		ManagedSession managed = session.managed();
		if (managed != null) {
			session.announce();
			publish(new WebSocketSessionOpenedEvent(managed));
		}
	}

	/** Told in the session's turn; only the end of a session that did open is news. */
	void closed(OrderedWebSocketSession session, CloseStatus status) {
		ManagedSession managed = session.managed();
		if (managed != null && session.isAnnounced()) {
			publish(new WebSocketSessionClosedEvent(managed, status));
		}
	}

	private void publish(Object event) {
		try {
			this.events.publishEvent(event);
		}
		catch (RuntimeException ex) {
			logger.error("A listener failed for " + event, ex);
		}
	}

	SessionQuota quota() {
		return this.quota;
	}

	Handshakes handshakes() {
		return this.handshakes;
	}

	/** Whether new sessions and messages are taken. */
	boolean isAccepting() {
		return this.accepting;
	}

	public void accept() {
		this.accepting = true;
	}

	/**
	 * Takes no more sessions or messages, lets each session handle and send what waits,
	 * and closes it then; cuts off those that have not ended when the time is over. A
	 * session whose handshake is under way opens, and is closed at once.
	 * @param time the time for all of it, of which the last second, or quarter, is for
	 * the cutting off
	 * @return ends when all have ended, or the time is over
	 */
	public CompletableFuture<@Nullable Void> drainAndClose(Duration time) {
		this.accepting = false;
		this.sessions.values().forEach((session) -> session.drainAndClose(STOPPING));
		CompletableFuture<?> late = this.handshakes.none().thenCompose((none) -> ended());
		long cutOffMillis = Math.min(1_000, time.toMillis() / 4);
		CompletableFuture<@Nullable Void> all = DefaultWebSocketSessionManager
			.all(List.of(ended(), this.inbound.drain(), late));
		return all.copy()
			.orTimeout(time.toMillis() - cutOffMillis, TimeUnit.MILLISECONDS)
			.exceptionallyCompose((ex) -> {
				this.sessions.values().forEach((session) -> session.outbound().terminate(STOPPING, ex));
				return all.copy().completeOnTimeout(null, cutOffMillis, TimeUnit.MILLISECONDS);
			})
			.whenComplete((nothing, failure) -> {
				if (!all.isDone()) {
					warnOfLost(time);
				}
			});
	}

	/** Says what the application does not wait for any longer. */
	private void warnOfLost(Duration time) {
		ExecutorSnapshot left = this.inbound.snapshot(0);
		logger.warn("Not everything was handled within " + time + ": " + (left.waitingHigh() + left.waitingNormal())
				+ " messages that wait are lost, and " + (left.running() + left.held())
				+ " that are being handled may be interrupted, of " + this.unended.size() + " sessions");
	}

	/** Waits for the sessions that are open now. */
	private CompletableFuture<@Nullable Void> ended() {
		return DefaultWebSocketSessionManager
			.all(this.sessions.values().stream().map(OrderedWebSocketSession::ended).toList());
	}

	/**
	 * Takes a new session in, unless its id is in use; a SockJS client chooses its own.
	 * Its place is given back when it has ended, or if it is not taken in.
	 */
	public @Nullable OrderedWebSocketSession open(WebSocketSession session, SessionKind kind,
			List<SessionQuota.Key> place) {
		String id = OrderedWebSocketSession.idOf(session);
		boolean taken = false;
		try {
			OrderedWebSocketSession opened = new OrderedWebSocketSession(session, this.inbound.queue(id),
					this.outbound.queue(id), this.workers, this.control, kind.limits(this.limits), this.totals,
					this.clock, this.recorder, new SessionObserver(this.observer, kind.type()), this.principals, kind,
					this.waits);
			taken = this.sessions.putIfAbsent(id, opened) == null;
			if (!taken) {
				return null;
			}
			this.unended.add(opened);
			opened.ended().whenComplete((nothing, failure) -> {
				this.unended.remove(opened);
				this.quota.release(place);
			});
			this.vigil.awake();
			return opened;
		}
		finally {
			if (!taken) {
				this.quota.release(place);
			}
		}
	}

	/** Finds the session that was taken in for the container's. */
	public @Nullable OrderedWebSocketSession find(WebSocketSession session) {
		OrderedWebSocketSession found = this.sessions.get(OrderedWebSocketSession.idOf(session));
		return (found != null && found.getDelegate() == session) ? found : null;
	}

	/** Finds the session that a client of SockJS calls so. */
	@Nullable OrderedWebSocketSession findSockJs(String chosen) {
		return this.sessions.get(OrderedWebSocketSession.sockJsId(chosen));
	}

	/**
	 * The connection is gone: nobody finds its session any more, whose place is taken
	 * until all that waits is handled.
	 */
	public void forget(OrderedWebSocketSession session) {
		this.sessions.remove(session.getId(), session);
	}

	/** Builds a {@link WebSocketDispatcher}. */
	public static final class Builder {

		private final SequentialLeveledTaskExecutor inbound;

		private final SequentialLeveledTaskExecutor outbound;

		private final Executor workers;

		private @Nullable Executor control;

		private SessionLimits limits = SessionLimits.DEFAULTS;

		private JsonMapper jsonMapper = JsonMapper.shared();

		private String typeProperty = "type";

		private @Nullable ThrottleGate gate;

		private BlockingWaits blockingWaits = BlockingWaits.unbounded();

		private @Nullable SentMessageRecorder recorder;

		private OnThrottled onThrottled = OnThrottled.FRAME;

		private @Nullable Duration heartbeatInterval = Duration.ofSeconds(25);

		private Duration heartbeatTimeout = Duration.ofSeconds(10);

		private @Nullable Duration idleTimeout;

		private @Nullable Duration handlingTimeLimit;

		private Duration messageTimeLimit = Duration.ofSeconds(30);

		private long inboundTotal = Runtime.getRuntime().maxMemory() / 4;

		private long outboundTotal = Runtime.getRuntime().maxMemory() / 4;

		private int maxSessions = Integer.MAX_VALUE;

		private int maxSessionsPerPrincipal = Integer.MAX_VALUE;

		private int maxSessionsPerAddress = Integer.MAX_VALUE;

		private NanoClock clock = NanoClock.system();

		private List<MessageErrorHandler> errorHandlers = List.of();

		private @Nullable LevelResolver levels;

		private @Nullable Validator validator;

		private ApplicationEventPublisher events = (event) -> {
		};

		private MessageObserver observer = MessageObserver.NONE;

		private PrincipalContext principals = PrincipalContext.NONE;

		private Builder(SequentialLeveledTaskExecutor inbound, SequentialLeveledTaskExecutor outbound,
				Executor workers) {
			this.inbound = Objects.requireNonNull(inbound, "'inbound' must not be null");
			this.outbound = Objects.requireNonNull(outbound, "'outbound' must not be null");
			this.workers = Objects.requireNonNull(workers, "'workers' must not be null");
		}

		/**
		 * Sets what closes, cuts off and pings sessions. None of that waits for a client,
		 * and none of it should wait for handlers.
		 * @param control the executor, by default a few threads of the dispatcher's own,
		 * which are made on demand
		 * @return this builder
		 */
		public Builder control(Executor control) {
			this.control = control;
			return this;
		}

		/**
		 * Sets the largest messages that are taken from a client; a larger one closes its
		 * session with 1009. A handler may change it for one session by
		 * {@link WebSocketSession#setTextMessageSizeLimit} and
		 * {@link WebSocketSession#setBinaryMessageSizeLimit}.
		 * @param text the encoded size of a text in bytes, 64 KB by default
		 * @param binary the size of a binary message in bytes, 64 KB by default
		 * @return this builder
		 */
		public Builder maxMessageSize(int text, int binary) {
			this.limits = this.limits.withMaxMessageSizes(text, binary);
			return this;
		}

		/**
		 * Sets whether the sizes that the container has for a session, unless they are
		 * its 64 KB by default, come before {@link #maxMessageSize}, which is then for
		 * sessions for which nobody has set any, and those of SockJS over HTTP.
		 * @param containerSizes whether they do; {@code false} by default
		 * @return this builder
		 */
		public Builder containerSizes(boolean containerSizes) {
			this.limits = this.limits.withContainerSizes(containerSizes);
			return this;
		}

		/**
		 * Sets how long the stage may take that a method of a typed session returns. Past
		 * it the stage is cancelled, and the method has failed with a
		 * {@link java.util.concurrent.TimeoutException}; the session goes on.
		 * @param limit the time, or {@code null}, the default, for no limit
		 * @return this builder
		 */
		public Builder handlingTimeLimit(@Nullable Duration limit) {
			if (limit != null && limit.toMillis() <= 0) {
				throw new IllegalArgumentException("'limit' must be at least a millisecond: " + limit);
			}
			this.handlingTimeLimit = limit;
			return this;
		}

		/**
		 * Sets the time in which a message that comes in parts must be complete; past it
		 * its session is ended with 1008. Time in which the server does not read does not
		 * count. Handlers that take the parts themselves are not affected.
		 * @param limit the time, 30 seconds by default
		 * @return this builder
		 */
		public Builder messageTimeLimit(Duration limit) {
			if (limit.toMillis() <= 0) {
				throw new IllegalArgumentException("'limit' must be at least a millisecond: " + limit);
			}
			this.messageTimeLimit = limit;
			return this;
		}

		/**
		 * Sets the time in which the container must have sent a message, once its turn
		 * has come; past it the session is closed.
		 * @param limit the time, 10 seconds by default
		 * @return this builder
		 */
		public Builder sendTimeLimit(Duration limit) {
			this.limits = this.limits.withSendTimeLimit(limit);
			return this;
		}

		/**
		 * Sets how much may wait in all sessions together. A message counts with the
		 * bytes of its payload, of which a message for many sessions has one, and a few
		 * hundred more. Sessions in which more waits than is left are not read; at the
		 * limit, the one in which most waits is cut off. On the way in that is with 1013,
		 * and what waits there is not handled.
		 * @param inbound the bytes that may wait to be handled, a quarter of the heap by
		 * default; also of those whose client has left
		 * @param outbound the bytes that may wait to be sent or be on their way, a
		 * quarter of the heap by default
		 * @return this builder
		 */
		public Builder totalBufferSize(long inbound, long outbound) {
			this.inboundTotal = inbound;
			this.outboundTotal = outbound;
			return this;
		}

		/**
		 * Sets how many bytes of a session may wait to be sent; past it the session is
		 * cut off. Each message counts with its payload and a few hundred bytes for its
		 * objects. A single message is taken however large it is.
		 * @param bytes the size, 512 KB by default
		 * @return this builder
		 */
		public Builder sendBufferSizeLimit(int bytes) {
			this.limits = this.limits.withSendBufferSizeLimit(bytes);
			return this;
		}

		/**
		 * Sets what happens when too many bytes wait to be sent to a client.
		 * @param overflow what to do, {@link SendOverflow#TERMINATE} by default
		 * @return this builder
		 */
		public Builder sendOverflow(SendOverflow overflow) {
			this.limits = this.limits.withSendOverflow(overflow);
			return this;
		}

		/**
		 * Sets when silent clients are pinged, and how long they may take to answer, or
		 * to send anything else; past it their session is ended. Clients of SockJS are
		 * left alone, as it has heartbeats of its own.
		 * @param interval the silence before a ping, 25 seconds by default; zero for no
		 * pings
		 * @param timeout the time for the answer, 10 seconds by default
		 * @return this builder
		 */
		public Builder heartbeat(Duration interval, Duration timeout) {
			if (timeout.toMillis() <= 0) {
				throw new IllegalArgumentException("'timeout' must be at least a millisecond: " + timeout);
			}
			this.heartbeatInterval = (interval.toMillis() > 0) ? interval : null;
			this.heartbeatTimeout = timeout;
			return this;
		}

		/**
		 * Sets after how long a session is closed with 1001 in which no message was sent
		 * either way; pings are no messages.
		 * @param timeout the time, or {@code null}, the default, for no limit
		 * @return this builder
		 */
		public Builder idleTimeout(@Nullable Duration timeout) {
			if (timeout != null && timeout.toMillis() <= 0) {
				throw new IllegalArgumentException("'timeout' must be at least a millisecond: " + timeout);
			}
			this.idleTimeout = timeout;
			return this;
		}

		/**
		 * Sets how many sessions there may be at a time. A session counts until all that
		 * its client sent is handled, though the client may have left. Handshakes for
		 * more are refused with 503; where two come at once, one may be closed with 1013
		 * instead. {@link Integer#MAX_VALUE}, the default of each, means no limit.
		 * @param inAll the sessions of this application
		 * @param perPrincipal those of one user; anonymous ones are not limited by it
		 * @param perAddress those of one remote address
		 * @return this builder
		 */
		public Builder maxSessions(int inAll, int perPrincipal, int perAddress) {
			this.maxSessions = inAll;
			this.maxSessionsPerPrincipal = perPrincipal;
			this.maxSessionsPerAddress = perAddress;
			return this;
		}

		/**
		 * Sets what chooses the answers to messages that are not handled.
		 * @param handlers the handlers, in the order in which they are asked; where none
		 * has an opinion, as by default, the answers are standard frames
		 * @return this builder
		 */
		public Builder errorHandlers(List<MessageErrorHandler> handlers) {
			this.errorHandlers = List.copyOf(handlers);
			return this;
		}

		/**
		 * Sets what tells which messages are urgent.
		 * @param levels the resolver; none by default
		 * @return this builder
		 */
		public Builder levels(@Nullable LevelResolver levels) {
			this.levels = levels;
			return this;
		}

		/**
		 * Sets what validates the messages of typed sessions whose methods ask for it by
		 * {@code @Valid} or {@code @Validated} at the parameter.
		 * @param validator the validator; none by default, when no method may ask for it
		 * @return this builder
		 */
		public Builder validator(@Nullable Validator validator) {
			this.validator = validator;
			return this;
		}

		/**
		 * Sets who is told of sessions that were opened and closed.
		 * @param events publishes a {@link WebSocketSessionOpenedEvent} and a
		 * {@link WebSocketSessionClosedEvent} for each; nobody is told by default
		 * @return this builder
		 */
		public Builder events(ApplicationEventPublisher events) {
			this.events = events;
			return this;
		}

		/**
		 * Sets what watches messages on their way.
		 * @param observer the observer; none by default
		 * @return this builder
		 */
		public Builder observer(MessageObserver observer) {
			this.observer = observer;
			return this;
		}

		/**
		 * Sets what lets handlers run in the name of their clients.
		 * @param principals the context; none by default
		 * @return this builder
		 */
		public Builder principals(PrincipalContext principals) {
			this.principals = principals;
			return this;
		}

		/**
		 * Sets the clock by which sessions are too slow, silent or idle.
		 * @param clock the clock, {@link NanoClock#system()} by default
		 * @return this builder
		 */
		public Builder clock(NanoClock clock) {
			this.clock = clock;
			return this;
		}

		/**
		 * Sets when the reading of a client's messages stops and goes on, where messages
		 * may pass others: a session may have so many messages, and bytes, that wait to
		 * be handled. The application's queues should have room for them. Where none may
		 * pass, a message is read when the one before it has been handled.
		 * @param highWaterMark the messages at which reading stops, 128 by default
		 * @param lowWaterMark the messages at which it goes on, 32 by default
		 * @param bytes the bytes at which reading stops, 1 MB by default, a few hundred
		 * for the objects of each message among them; it goes on at half of them
		 * @return this builder
		 */
		public Builder inboundLimits(int highWaterMark, int lowWaterMark, int bytes) {
			this.limits = this.limits.withInbound(
					new InboundPressure.Marks(highWaterMark, lowWaterMark, bytes, this.limits.inbound().blocking()));
			return this;
		}

		/**
		 * Sets whether a thread of a container that cannot stop reading waits while its
		 * session has more messages than are to be read. Otherwise the session is closed
		 * with 1013.
		 * @param blocking whether it waits, as long as that takes; {@code true} by
		 * default
		 * @return this builder
		 */
		public Builder inboundBlocking(boolean blocking) {
			InboundPressure.Marks marks = this.limits.inbound();
			this.limits = this.limits.withInbound(new InboundPressure.Marks(marks.highWaterMark(), marks.lowWaterMark(),
					marks.bufferSizeLimit(), blocking));
			return this;
		}

		/**
		 * Sets how many workers may wait in {@link WebSocketSession#sendMessage} for
		 * clients that do not keep up.
		 * @param waits the bound; none by default
		 * @return this builder
		 */
		public Builder blockingWaits(BlockingWaits waits) {
			this.blockingWaits = waits;
			return this;
		}

		/**
		 * Sets what takes the permits that annotations on handling methods ask for.
		 * @param gate the gate; without one, those annotations mean nothing
		 * @return this builder
		 */
		public Builder gate(@Nullable ThrottleGate gate) {
			this.gate = gate;
			return this;
		}

		/**
		 * Sets what is told of every text or binary message that was sent or has failed.
		 * @param recorder the recorder; started and stopped by whoever made it
		 * @return this builder
		 */
		public Builder recorder(@Nullable SentMessageRecorder recorder) {
			this.recorder = recorder;
			return this;
		}

		/**
		 * Sets what becomes of messages whose limits reject them.
		 * @param action what to do, {@link OnThrottled#FRAME} by default
		 * @return this builder
		 */
		public Builder onThrottled(OnThrottled action) {
			this.onThrottled = action;
			return this;
		}

		/**
		 * Sets what reads and writes JSON; it is not changed.
		 * @param jsonMapper the mapper
		 * @return this builder
		 */
		public Builder jsonMapper(JsonMapper jsonMapper) {
			this.jsonMapper = jsonMapper;
			return this;
		}

		/**
		 * Sets the property that tells the type of a JSON message.
		 * @param name the property's name, {@code "type"} by default
		 * @return this builder
		 */
		public Builder typeProperty(String name) {
			this.typeProperty = name;
			return this;
		}

		/**
		 * Builds the dispatcher.
		 * @return a new dispatcher
		 */
		public WebSocketDispatcher build() {
			return new WebSocketDispatcher(this);
		}

	}

}
