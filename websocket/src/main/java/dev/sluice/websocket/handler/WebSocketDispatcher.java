package dev.sluice.websocket.handler;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.internal.GuardedClock;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.WebSocketSessionOpenedEvent;
import dev.sluice.websocket.container.HandlingReaders;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.message.FailureFrames;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.session.DaemonExecutor;
import dev.sluice.websocket.session.SessionCollaborators;
import dev.sluice.websocket.session.SessionKind;
import dev.sluice.websocket.session.SessionShutdown;
import dev.sluice.websocket.session.SharedSends;
import dev.sluice.websocket.session.WebSocketSessions;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.WebSocketSettings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.validation.Validator;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.WebSocketHandlerDecoratorFactory;

/**
 * Factory of handlers whose messages are handled in order. Each callback of the container
 * becomes a task of its session's queue in the inbound executor: callbacks of one session
 * run one at a time and in order, callbacks of different sessions in parallel. Workers
 * run them; where no message can pass another, so do threads of the container that have
 * read the message, as many as {@link Builder#handlingReaders} lets them. Each message
 * that the handler sends becomes a task of the session's queue in the outbound executor.
 * The id of both queues is the session's.
 *
 * @since 0.1.0
 */
public final class WebSocketDispatcher implements WebSocketHandlerDecoratorFactory, AutoCloseable {

	private final WebSocketSettings settings;

	private final WebSocketSessions sessions;

	private final HandlerContext context;

	private final SessionTasks tasks;

	/** The executors that have threads of the dispatcher's own. */
	private final List<DaemonExecutor> own;

	private WebSocketDispatcher(Builder builder) {
		this.settings = builder.settings;
		JsonMessages messages = new JsonMessages(
				(builder.jsonMapper != null) ? builder.jsonMapper : JsonMapper.shared(), this.settings.typeProperty());
		Executor control = (builder.control != null) ? builder.control : DaemonExecutor.forControl();
		this.own = Stream.of(control, builder.workers)
			.filter(DaemonExecutor.class::isInstance)
			.map(DaemonExecutor.class::cast)
			.toList();
		SessionCollaborators collaborators = new SessionCollaborators(builder.workers, control, builder.clock,
				new HandlingReaders(builder.handlingReaders), builder.blockingWaits,
				GuardedMessageObserver.of(builder.observer), GuardedPrincipalContext.of(builder.principals),
				builder.recorder, builder.events);
		this.sessions = WebSocketSessions.create(builder.inbound, builder.outbound, this.settings, collaborators,
				messages);
		this.context = new HandlerContext(this.sessions.registry(), this.sessions.admission(), this.sessions.events(),
				messages,
				new ThrottledAnswer(this.settings.onThrottled(), new ErrorAnswers(messages, builder.errorHandlers)),
				builder.levels, builder.gate, builder.validator);
		this.tasks = new SessionTasks(this.sessions.registry());
	}

	/**
	 * Starts to build a dispatcher with its own threads for operations of the container
	 * that block: at most 64, created on demand.
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
	 * @param workers threads for operations of the container that block, which should not
	 * be the threads of {@code inbound}
	 * @return a builder
	 */
	public static Builder builder(SequentialLeveledTaskExecutor inbound, SequentialLeveledTaskExecutor outbound,
			Executor workers) {
		return new Builder(inbound, outbound, workers);
	}

	/**
	 * Ends the threads of the dispatcher's own, once they have run their tasks; waits for
	 * them up to a second. Sessions are not closed.
	 */
	@Override
	public void close() {
		this.own.forEach(DaemonExecutor::close);
	}

	/**
	 * Wraps a handler so that its callbacks are handled in order.
	 * @param handler the handler to call
	 * @return the handler to pass to the container
	 */
	@Override
	public WebSocketHandler decorate(WebSocketHandler handler) {
		return new OrderedWebSocketHandler(handler, this.context);
	}

	/**
	 * Wraps a handler that decodes the frames of its sessions into messages, for channels
	 * whose tasks come back through {@link SessionTasks#submit}, with its own limits for
	 * messages to clients. It is called on the container's threads. Its sessions are read
	 * ahead, because heartbeats and CONNECT pass waiting messages. A thread that sends to
	 * one session sends to many, and must not wait for one of them.
	 * @param handler the handler to call
	 * @param type the type under which its sessions are counted
	 * @param sendLimits supplies the limits of a session that opens; {@code null} for the
	 * limits of the dispatcher
	 * @return the handler to pass to the container
	 */
	public WebSocketHandler decorate(WebSocketHandler handler, String type, Supplier<@Nullable SendLimits> sendLimits) {
		return new OrderedWebSocketHandler(new MessagingHandler(handler),
				new SessionKind(type, true, FullBuffer.EXCEED, sendLimits), this.context);
	}

	/**
	 * Returns the tasks of channels, which run in the order of their sessions.
	 * @return the tasks of all sessions
	 */
	public SessionTasks tasks() {
		return this.tasks;
	}

	/**
	 * Returns the shutdown of all sessions.
	 * @return the shutdown
	 */
	public SessionShutdown shutdown() {
		return this.sessions.shutdown();
	}

	/**
	 * Returns the sender of messages to many sessions.
	 * @return the sender
	 */
	public SharedSends sharedSends() {
		return this.sessions.sends();
	}

	/**
	 * Returns the context that handlers share.
	 * @return the context
	 */
	public HandlerContext context() {
		return this.context;
	}

	/**
	 * Writes the frame that notifies a client of a message rejected by a limit.
	 * @param rejection the rejection
	 * @return a JSON object
	 */
	public String frame(ThrottledException rejection) {
		return FailureFrames.throttled(rejection).getPayload();
	}

	/**
	 * Returns the sessions.
	 * @return a view of the open sessions
	 */
	public WebSocketSessionManager sessions() {
		return this.sessions.manager();
	}

	/** Builder of a {@link WebSocketDispatcher}. */
	public static final class Builder {

		private final SequentialLeveledTaskExecutor inbound;

		private final SequentialLeveledTaskExecutor outbound;

		private final Executor workers;

		private @Nullable Executor control;

		private WebSocketSettings settings = WebSocketSettings.defaults();

		private @Nullable JsonMapper jsonMapper;

		private @Nullable ThrottleGate gate;

		private BlockingWaits blockingWaits = BlockingWaits.unbounded();

		private IntSupplier handlingReaders = () -> 0;

		private @Nullable SentMessageRecorder recorder;

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
		 * Sets the limits and times.
		 * @param settings the settings, {@link WebSocketSettings#defaults()} by default
		 * @return this builder
		 */
		public Builder settings(WebSocketSettings settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * Sets the executor that closes, cuts off and pings sessions. These tasks do not
		 * wait for a client, and should not wait for handlers.
		 * @param control the executor, by default a few threads of the dispatcher's own,
		 * created on demand
		 * @return this builder
		 */
		public Builder control(Executor control) {
			this.control = control;
			return this;
		}

		/**
		 * Sets the clock for the time limits of sessions.
		 * @param clock the clock, {@link NanoClock#system()} by default
		 * @return this builder
		 */
		public Builder clock(NanoClock clock) {
			this.clock = GuardedClock.of(clock);
			return this;
		}

		/**
		 * Sets the mapper that reads and writes JSON; it is not changed.
		 * @param jsonMapper the mapper
		 * @return this builder
		 */
		public Builder jsonMapper(JsonMapper jsonMapper) {
			this.jsonMapper = jsonMapper;
			return this;
		}

		/**
		 * Sets the gate that acquires the permits required by annotations on handling
		 * methods.
		 * @param gate the gate; without one, those annotations have no effect
		 * @return this builder
		 */
		public Builder gate(@Nullable ThrottleGate gate) {
			this.gate = gate;
			return this;
		}

		/**
		 * Sets the recorder that is notified of every text or binary message that was
		 * sent or has failed.
		 * @param recorder the recorder; its creator starts and stops it
		 * @return this builder
		 */
		public Builder recorder(@Nullable SentMessageRecorder recorder) {
			this.recorder = recorder;
			return this;
		}

		/**
		 * Sets how many workers may wait in {@link WebSocketSession#sendMessage} for slow
		 * clients.
		 * @param waits the bound; none by default
		 * @return this builder
		 */
		public Builder blockingWaits(BlockingWaits waits) {
			this.blockingWaits = waits;
			return this;
		}

		/**
		 * Sets how many of the container's threads may handle messages that they have
		 * read at the same time. They do so in sessions where no message can pass
		 * another, while the session has no other work; workers handle the other
		 * messages. If the container has no more threads than that, it accepts no
		 * requests while all of them handle messages.
		 * @param limit supplies the number for each message; 0 by default
		 * @return this builder
		 */
		public Builder handlingReaders(IntSupplier limit) {
			this.handlingReaders = limit;
			return this;
		}

		/**
		 * Sets the handlers that choose the answers to messages that are not handled.
		 * @param handlers the handlers, in the order in which they are called; if none of
		 * them chooses an answer, or by default, the answers are standard frames
		 * @return this builder
		 */
		public Builder errorHandlers(List<MessageErrorHandler> handlers) {
			this.errorHandlers = List.copyOf(handlers);
			return this;
		}

		/**
		 * Sets the resolver of the level of messages.
		 * @param levels the resolver; none by default
		 * @return this builder
		 */
		public Builder levels(@Nullable LevelResolver levels) {
			this.levels = levels;
			return this;
		}

		/**
		 * Sets the validator for the messages of typed sessions whose methods require it
		 * by {@code @Valid} or {@code @Validated} at the parameter.
		 * @param validator the validator; none by default, in which case no method may
		 * require it
		 * @return this builder
		 */
		public Builder validator(@Nullable Validator validator) {
			this.validator = validator;
			return this;
		}

		/**
		 * Sets the publisher of events for sessions that were opened and closed.
		 * @param events publishes a {@link WebSocketSessionOpenedEvent} and a
		 * {@link WebSocketSessionClosedEvent} for each session; no events are published
		 * by default
		 * @return this builder
		 */
		public Builder events(ApplicationEventPublisher events) {
			this.events = events;
			return this;
		}

		/**
		 * Sets the observer of messages.
		 * @param observer the observer; none by default
		 * @return this builder
		 */
		public Builder observer(MessageObserver observer) {
			this.observer = observer;
			return this;
		}

		/**
		 * Sets the context that runs handlers in the name of their clients.
		 * @param principals the context; none by default
		 * @return this builder
		 */
		public Builder principals(PrincipalContext principals) {
			this.principals = principals;
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
