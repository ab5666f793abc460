package dev.sluice.cluster.endpoint;

import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.sluice.cluster.ResumeOutcome;
import dev.sluice.cluster.resume.ClaimedSession;
import dev.sluice.cluster.resume.ResumableSession;
import dev.sluice.cluster.resume.ResumableSessions;
import dev.sluice.cluster.resume.ResumeFrames;
import dev.sluice.cluster.resume.ResumeTopics;
import dev.sluice.cluster.resume.SessionOwner;
import dev.sluice.execution.Level;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.endpoint.SessionLifecycle;
import dev.sluice.websocket.endpoint.SessionObjects;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/** Opening, resuming and suspending of the sessions of one endpoint. */
final class ResumableEndpoint implements SessionLifecycle {

	/*
	 * Whether a connection is a new session or a resumed one is decided once: by its
	 * first frame, or after a time without one. The following steps run in its turn,
	 * which is held until they are complete, so that all other frames wait behind them.
	 *
	 * A claim that finds a later one before it has its connection cannot determine the
	 * owner of the later claim. It may be a rival, or an earlier connection of its own
	 * client, at a node that stopped waiting but whose claim was executed. The client may
	 * therefore return with its token: the session ends up with one connection, and a
	 * single client never stops. Only a connection that had the session is notified that
	 * another has it.
	 *
	 * Attacked by ResumeTests.
	 */

	private static final Duration FIRST_FRAME_TIME = Duration.ofSeconds(5);

	private static final String CONNECTION = ResumableEndpoint.class.getName() + ".CONNECTION";

	/** A script that reconnects; scripts may send neither 1001 nor no code. */
	private static final int RECONNECTS = 4410;

	/** Codes after which a session may be resumed. */
	private static final Set<Integer> RESUMABLE = Set.of(RECONNECTS, CloseStatus.GOING_AWAY.getCode(),
			CloseStatus.NO_STATUS_CODE.getCode(), CloseStatus.NO_CLOSE_FRAME.getCode(),
			CloseStatus.SERVER_ERROR.getCode(), CloseStatus.SERVICE_RESTARTED.getCode(),
			CloseStatus.SERVICE_OVERLOAD.getCode(), CloseStatus.SESSION_NOT_RELIABLE.getCode());

	private final String name;

	private final HandlerContext context;

	private final EndpointTopics topics;

	private final SessionObjects objects;

	private final ConnectingTasks tasks;

	private volatile @Nullable ResumableSessions sessions;

	private volatile int maxTopics;

	/** Returns the id by which other nodes address a session. */
	private volatile Function<ManagedSession, String> ids = ManagedSession::id;

	/**
	 * Creates the endpoint.
	 * @param name the name that identifies its sessions
	 * @param objects creates the objects of sessions
	 */
	ResumableEndpoint(String name, HandlerContext context, EndpointTopics topics, SessionObjects objects) {
		this.name = name;
		this.context = context;
		this.topics = topics;
		this.objects = objects;
		this.tasks = new ConnectingTasks(context.sessions());
	}

	/** Makes sessions resumable from now on. */
	void start(ResumableSessions present, int maxTopicsPerSession, Function<ManagedSession, String> ids) {
		this.ids = ids;
		this.sessions = present;
		this.maxTopics = maxTopicsPerSession;
	}

	private ResumableSessions sessions() {
		return Objects.requireNonNull(this.sessions, "Endpoint has not started");
	}

	/** The client of the new connection is to send a request. */
	@Override
	public void open(OrderedWebSocketSession session) {
		EndpointConnection connection = new EndpointConnection(session, this.objects,
				() -> this.context.admission().replace(session));
		session.getAttributes().put(CONNECTION, connection);
		Future<?> timer = sessions().clock().schedule(() -> {
			if (connection.decide()) {
				open(connection, null);
			}
		}, FIRST_FRAME_TIME);
		connection.decided().thenRun(() -> timer.cancel(false));
		session.ended().thenRun(connection::decide);
	}

	private static EndpointConnection of(OrderedWebSocketSession session) {
		return (EndpointConnection) Objects.requireNonNull(session.getAttributes().get(CONNECTION));
	}

	@Override
	public boolean isUndecided() {
		return true;
	}

	/** If the first message is not a frame of the protocol, a new session begins. */
	@Override
	public boolean isProtocol(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		String text = (message instanceof TextMessage content) ? content.getPayload() : "";
		EndpointConnection connection = of(session);
		if (ResumeFrames.isOf(text, "resume")) {
			return true;
		}
		if (connection.decide()) {
			open(connection, null);
		}
		return ResumeFrames.isOf(text, "ack");
	}

	@Override
	public @Nullable CompletableFuture<?> take(OrderedWebSocketSession session, String text) {
		EndpointConnection connection = of(session);
		try {
			if (text.length() > ResumeFrames.MAX_SIZE) {
				session.reject(CloseStatuses.tooBig("Frame may have " + ResumeFrames.MAX_SIZE + " characters"),
						new IllegalArgumentException("Frame is too large"));
			}
			else if (ResumeFrames.isOf(text, "ack")) {
				ResumableSession present = connection.resumable();
				if (present != null) {
					sessions().acknowledge(present, session, ResumeFrames.readAck(text));
				}
			}
			else if (!connection.decide()) {
				session.reject(CloseStatuses.RESUME_LATE, new IllegalStateException("Session is open"));
			}
			else {
				return decided(connection, ResumeFrames.readResume(text, this.maxTopics));
			}
		}
		catch (IllegalArgumentException ex) {
			session.reject(CloseStatuses.INVALID_RESUME, ex);
		}
		return null;
	}

	private CompletableFuture<?> decided(EndpointConnection connection, ResumeFrames.Request request) {
		if (request.token() == null) {
			return open(connection, null);
		}
		return connection.ordered()
			.inbound()
			.submitStage(Level.HIGH, () -> isStopping(connection) ? stop(connection) : resume(connection, request));
	}

	private CompletableFuture<?> open(EndpointConnection connection, @Nullable String rejected) {
		CompletableFuture<?> opened = connection.ordered()
			.inbound()
			.submitStage(Level.HIGH, () -> isStopping(connection) ? stop(connection) : greet(connection, rejected));
		opened.exceptionally((failure) -> {
			connection.ordered().rejected(failure);
			return null;
		});
		return opened;
	}

	private boolean isStopping(EndpointConnection connection) {
		return !this.context.admission().isOpen() || connection.ordered().isDraining();
	}

	/** A client whose node stops keeps its token. */
	private CompletionStage<@Nullable Void> stop(EndpointConnection connection) {
		connection.ordered().drainAndClose(CloseStatuses.STOPPING);
		return CompletableFuture.completedFuture(null);
	}

	private CompletionStage<@Nullable Void> greet(EndpointConnection connection, @Nullable String rejected) {
		OrderedWebSocketSession session = connection.ordered();
		return this.context.admission().decide(session, false).thenCompose((room) -> {
			if (!room) {
				refuse(session);
				return CompletableFuture.<@Nullable Void>completedFuture(null);
			}
			return sessions().open(owner(session))
				.thenCompose((opened) -> this.tasks
					.run(connection, opened.session(), () -> opened(connection, opened, rejected))
					.exceptionally((failure) -> {
						sessions().discard(opened.session());
						return null;
					}));
		});
	}

	private static IllegalStateException refuse(OrderedWebSocketSession session) {
		IllegalStateException reason = new IllegalStateException("There are too many sessions");
		session.reject(CloseStatuses.TOO_MANY_SESSIONS, reason);
		return reason;
	}

	private void opened(EndpointConnection connection, ResumableSession.Opened opened, @Nullable String rejected)
			throws Exception {
		OrderedWebSocketSession session = connection.ordered();
		ResumableSession resumable = opened.session();
		ManagedSession managed = this.objects.make();
		session.outbound()
			.send(ResumeFrames.session(id(connection, managed, resumable), opened.token(), sessions().window(),
					rejected), Level.HIGH);
		resumable.outbox().open(session.outbound());
		session.outbound().number(resumable.outbox());
		sessions().connect(resumable, session, connection);
		this.objects.opened(managed);
		this.topics.join(session, managed, Set.of(), resumable::settle);
		this.context.events().opened(session);
	}

	/** Connects the object, and returns the id by which other nodes address it. */
	private String id(EndpointConnection connection, ManagedSession managed, ResumableSession resumable) {
		connection.connect(managed, resumable, sessions(), this.context.messages());
		return this.ids.apply(managed);
	}

	private CompletionStage<@Nullable Void> resume(EndpointConnection connection, ResumeFrames.Request request) {
		OrderedWebSocketSession session = connection.ordered();
		if (!session.isOpen()) { // its client may already be connected elsewhere
			return CompletableFuture.completedFuture(null);
		}
		return sessions()
			.claim(Objects.requireNonNull(request.token()), owner(session),
					(claimed) -> attach(connection, request, claimed))
			.handle((outcome, failure) -> {
				if (failure != null) {
					count(ResumeOutcome.UNAVAILABLE);
					session.reject(CloseStatuses.RESUME_UNAVAILABLE, failure);
					return CompletableFuture.<@Nullable Void>completedFuture(null);
				}
				return switch (outcome) {
					case RESUMED -> CompletableFuture.<@Nullable Void>completedFuture(null);
					case EXPIRED -> greetAnew(connection, ResumeOutcome.EXPIRED);
					case INVALID -> greetAnew(connection, ResumeOutcome.INVALID);
				};
			})
			.thenCompose((rest) -> rest);
	}

	private CompletionStage<@Nullable Void> greetAnew(EndpointConnection connection, ResumeOutcome outcome) {
		count(outcome);
		return greet(connection, outcome.name().toLowerCase(Locale.ROOT));
	}

	private void count(ResumeOutcome outcome) {
		sessions().counters().add(outcome);
	}

	/** The place of the previous connection has been released. */
	private CompletionStage<@Nullable Void> attach(EndpointConnection connection, ResumeFrames.Request request,
			ClaimedSession claimed) {
		OrderedWebSocketSession session = connection.ordered();
		return this.context.admission().decide(session, claimed.unanswered()).thenCompose((room) -> {
			if (!room) {
				count(ResumeOutcome.UNAVAILABLE);
				return CompletableFuture.<@Nullable Void>failedFuture(refuse(session));
			}
			return join(connection, request, claimed);
		});
	}

	private CompletionStage<@Nullable Void> join(EndpointConnection connection, ResumeFrames.Request request,
			ClaimedSession claimed) {
		OrderedWebSocketSession session = connection.ordered();
		ResumableSessions all = sessions();
		Map<String, CompletableFuture<ResumeTopics.Joined>> joining = new TreeMap<>(Comparator.naturalOrder());
		claimed.session()
			.topics()
			.forEach((name, at) -> joining.put(name,
					all.topics().resume(name, session, request.positions().getOrDefault(name, at))));
		CompletableFuture<?> joined = CompletableFuture.allOf(joining.values().toArray(CompletableFuture[]::new));
		return joined.thenCompose((nothing) -> all.verify(claimed)).handle((latest, failure) -> {
			if (failure != null) {
				count(ResumeOutcome.UNAVAILABLE);
				session.reject(CloseStatuses.RESUME_UNAVAILABLE, failure);
				ResumedTopics.giveUp(joining);
				return CompletableFuture.<@Nullable Void>failedFuture(failure);
			}
			if (!latest) {
				count(ResumeOutcome.SUPERSEDED);
				session.reject(CloseStatuses.RESUME_CONTENDED, new IllegalStateException("Session was claimed again"));
				ResumedTopics.giveUp(joining);
				return CompletableFuture.<@Nullable Void>completedFuture(null);
			}
			Map<String, ResumeTopics.Joined> topics = new TreeMap<>();
			joining.forEach((name, topic) -> topics.put(name, topic.join()));
			return this.tasks.run(connection, claimed.session(), () -> resumed(connection, request, claimed, topics))
				.whenComplete((nothing, unconnected) -> {
					if (unconnected != null) {
						count(ResumeOutcome.UNAVAILABLE);
						ResumedTopics.giveUp(joining);
					}
				});
		}).thenCompose((rest) -> rest);
	}

	private void resumed(EndpointConnection connection, ResumeFrames.Request request, ClaimedSession claimed,
			Map<String, ResumeTopics.Joined> topics) throws Exception {
		OrderedWebSocketSession session = connection.ordered();
		ResumableSession resumable = claimed.session();
		ManagedSession managed = this.objects.make();
		String id = id(connection, managed, resumable);
		topics.forEach((name, topic) -> {
			if (topic.recovered()) { // otherwise the client may miss the gap as well, and
										// request the same again
				sessions().resumed(resumable, name, topic.at());
			}
		});
		boolean direct = resumable.outbox().attach(session.outbound(), request.received());
		session.outbound().number(resumable.outbox());
		Map<String, Boolean> recovered = topics.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (one) -> one.getValue().recovered()));
		// The client may acknowledge as soon as it has the frame.
		sessions().connect(resumable, session, connection);
		session.outbound()
			.send(ResumeFrames.resumed(id, claimed.token(), sessions().window(), recovered, direct), Level.HIGH);
		count((direct && !recovered.containsValue(false)) ? ResumeOutcome.RECOVERED : ResumeOutcome.INCOMPLETE);
		resumable.outbox().replay();
		ResumedTopics.start(List.copyOf(topics.values()).iterator());
		int missed = topics.values().stream().mapToInt(ResumeTopics.Joined::missed).sum();
		this.objects.resumed(managed,
				new EndpointResumption(recovered, direct, missed, resumable.state(), this.context.messages().mapper()));
		if (!resumable.isSettled()) {
			this.topics.join(session, managed, recovered.keySet(), resumable::settle);
		}
		this.context.events().resumed(session);
	}

	private SessionOwner owner(OrderedWebSocketSession session) {
		Object path = session.getAttributes().get(ManagedConnection.PATH);
		URI uri = session.getUri();
		return SessionOwner.of(session.getPrincipal(),
				(path != null) ? path.toString() : (uri != null) ? String.valueOf(uri.getRawPath()) : "", this.name);
	}

	@Override
	public void close(OrderedWebSocketSession session, CloseStatus status) throws Exception {
		EndpointConnection connection = of(session);
		ResumableSession resumable = connection.resumable();
		ManagedSession managed = session.managed();
		if (resumable == null || managed == null) {
			return;
		}
		if (!resumable.isConnected(session) && !connection.isFenced()) {
			connection.suspended();
			session.announce(false);
			connection.released();
		}
		else if (resumable.isConnected(session) && RESUMABLE.contains(status.getCode())) {
			connection.suspended();
			boolean announced = session.isAnnounced();
			session.announce(false);
			if (!sessions().suspend(resumable, session)) {
				connection.released();
			}
			else if (announced) {
				connection
					.expiredWith(() -> this.context.sessions().execute(session.getId(), () -> session.runLast(() -> {
						connection.callExpired();
						session.announce(true);
						this.context.events().closed(session, status);
					})));
			}
		}
		else {
			sessions().end(resumable, session);
			try {
				this.objects.closed(managed, status);
			}
			finally {
				connection.released();
			}
		}
	}

}
