package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.FoundSessions;
import dev.sluice.cluster.NodeInfo;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.TopicSnapshot;
import dev.sluice.cluster.broadcast.OrderedBroadcast;
import dev.sluice.cluster.broadcast.ShardedBroadcast;
import dev.sluice.cluster.internal.feed.RepeatedPublication;
import dev.sluice.cluster.internal.feed.TopicFeed;
import dev.sluice.cluster.internal.presence.LocalPresence;
import dev.sluice.cluster.internal.settings.SharedSettings;
import dev.sluice.cluster.internal.trace.GuardedClusterObserver;
import dev.sluice.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.cluster.internal.traffic.MeasuredBus;
import dev.sluice.cluster.resume.ResumableSessions;
import dev.sluice.cluster.resume.ResumeSource;
import dev.sluice.cluster.resume.ResumeTopics;
import dev.sluice.cluster.resume.outbox.ResumeBudget;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.JsonLimits;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.session.DaemonExecutor;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/** The sessions of all nodes, over a bus. */
public final class DefaultSessionCluster implements SessionCluster, ResumeSource, AutoCloseable {

	/** A variable, or the star at the end of a pattern. */
	private static final Pattern PATTERN = Pattern.compile("\\{\\w+}|\\*$");

	private static final int MAX_OUTCOMES = 10_000;

	private static final Duration OUTCOME_TIME = Duration.ofSeconds(60);

	private static final Duration IDLE_TIME = Duration.ofSeconds(60);

	private final Class<?> busType;

	private final MeasuredBus bus;

	private final JsonMessages messages;

	private final FrameCodec codec = new FrameCodec();

	private final OpenRequests requests;

	private final SequentialLeveledTaskExecutor turns;

	private final Executor workers;

	private final PrincipalNames principals;

	private final SharedSettings sharedSettings;

	private final LocalPresence presence;

	private final LocalTopics topics;

	private final ResumableSessions resumes;

	private final ShardedBroadcast broadcast;

	private final LocalSessions sessions;

	private final FrameDispatcher frames;

	private final DefaultTopic.TopicParts topicParts;

	/** Logs topics whose names look like patterns. */
	private final BoundedLog patternNames;

	private final ClusterObserver observer;

	/** Creates the cluster without an observer, and starts its bus. */
	public DefaultSessionCluster(ClusterBus bus, WebSocketDispatcher dispatcher, Executor workers, NanoClock clock,
			ClusterSettings settings) {
		this(bus, dispatcher, workers, clock, settings, ClusterObserver.NONE);
	}

	/**
	 * Creates the cluster and starts its bus.
	 * @param bus reaches the other nodes; closed with this cluster
	 * @param dispatcher has the sessions of this node
	 * @param workers run requests of other nodes; closed with this cluster if it is a
	 * {@link DaemonExecutor}
	 * @param clock the clock for the timeout of nodes
	 * @param observer observes requests between nodes
	 */
	public DefaultSessionCluster(ClusterBus bus, WebSocketDispatcher dispatcher, Executor workers, NanoClock clock,
			ClusterSettings settings, ClusterObserver observer) {
		this.observer = GuardedClusterObserver.of(observer);
		this.busType = ClassUtils.getUserClass(bus);
		this.bus = new MeasuredBus(bus, clock);
		this.messages = dispatcher.context().messages();
		this.workers = workers;
		this.turns = SequentialLeveledTaskExecutor.builder(workers)
			.expireIdleAfter(IDLE_TIME)
			.recordWaits(true)
			.clock(clock)
			.build();
		this.requests = new OpenRequests(this.bus, this.codec, clock, settings.timeout());
		this.sessions = new LocalSessions(dispatcher, bus.node(), settings.maxTopicsPerSession());
		this.principals = new PrincipalNames(this.bus, this.turns, clock, settings.timeout(),
				dispatcher.context().admission().maxPerPrincipal());
		this.sharedSettings = new SharedSettings(this.bus, clock, settings.timeout(),
				settings.shared(dispatcher.context().admission().maxPerPrincipal()));
		Outcomes outcomes = new Outcomes(bus.node(), clock, OUTCOME_TIME, MAX_OUTCOMES);
		Answers answers = new Answers(this.bus, this.codec, this.requests);
		ReceiptBook receipts = new ReceiptBook(bus.node(), outcomes, answers);
		TopicPayload payloads = new TopicPayload(this.messages, clock);
		this.presence = new LocalPresence(this.bus, this.turns, clock, settings.timeout(), settings.presence(),
				new TopicEvents(bus.node(), this.requests, payloads, settings.histories()));
		ResumeBudget budget = new ResumeBudget(settings.resume().totalBuffer());
		this.topics = new LocalTopics(this.bus, this.turns, clock, settings.timeout(),
				(name, catchUp) -> new LocalTopic(name, new TopicFeed(settings.histories().of(name).size()), payloads,
						dispatcher.sharedSends(), receipts, this.observer, catchUp),
				this.presence, budget);
		HandOvers handOvers = new HandOvers(this.bus, clock, settings.timeout());
		this.resumes = new ResumableSessions(this.bus, this.turns, clock, settings.resume(), this::resume, handOvers,
				budget);
		this.topicParts = new DefaultTopic.TopicParts(this.bus, this.requests, this.sessions, this.topics,
				this.presence, payloads, settings.histories(), this.resumes, this.observer, settings.publishedLocally(),
				DefaultTopic.failures(clock));
		this.patternNames = DefaultTopic.patternNames(clock);
		this.broadcast = new ShardedBroadcast(this.bus, this.turns, clock, settings.timeout(),
				settings.histories().others(), this.observer);
		this.frames = new FrameDispatcher(this.codec, this.turns,
				new RequestRunner(bus.node(), this.sessions, dispatcher.sharedSends(), outcomes, answers,
						this.observer),
				this.requests, this.topics, this.broadcast, this.principals,
				(frame) -> this.sharedSettings.received(frame) || handOvers.received(frame, this.resumes),
				this::interrupted, clock);
		this.bus.start(this.frames);
		this.sharedSettings.announce();
		this.principals.observe(dispatcher.context());
	}

	private void interrupted() {
		this.resumes.interrupted();
		this.sharedSettings.announce();
	}

	private CompletableFuture<ResumeTopics.Joined> resume(String name, OrderedWebSocketSession session, String at) {
		try {
			this.presence.check(name, LocalSessions.principal(session));
			SessionTopics joined = this.sessions.topicsOf(session, this.topics::forget);
			long addition = joined.add(name);
			return this.topics.resume(name, session, at).whenComplete((resumed, failure) -> {
				if (failure != null) {
					joined.remove(name, addition);
				}
			});
		}
		catch (SessionClosedException | RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public CompletableFuture<FoundSessions> find(SessionQuery query) {
		Assert.notNull(query, "'query' must not be null");
		return request(Request.Action.FIND, query, null, false, null, 0).thenApply((outcome) -> {
			List<SessionInfo> found = outcome.answers().stream().flatMap((answer) -> answer.found().stream()).toList();
			int count = outcome.answers().stream().mapToInt(Answer::count).sum();
			return new FoundSessions(found, count, outcome.silent().keySet());
		});
	}

	@Override
	public CompletableFuture<Delivery> send(SessionQuery to, Object message) {
		return send(Request.Action.SEND, to, message);
	}

	@Override
	public CompletableFuture<Delivery> post(SessionQuery to, Object message) {
		return send(Request.Action.POST, to, message);
	}

	private CompletableFuture<Delivery> send(Request.Action action, SessionQuery to, Object message) {
		Assert.notNull(to, "'to' must not be null");
		Assert.notNull(message, "'message' must not be null");
		WrittenMessage written = this.messages.write(message);
		WebSocketMessage<?> content = written.message();
		if (content instanceof BinaryMessage binary) {
			byte[] bytes = new byte[binary.getPayloadLength()];
			binary.getPayload().duplicate().get(bytes);
			String base64 = JsonLimits.text(Base64.getEncoder().encodeToString(bytes));
			return request(action, to, base64, true, null, 0).thenApply(deliveries(to));
		}
		Assert.isInstanceOf(TextMessage.class, content, "Only text, bytes and JSON can be sent");
		String text = JsonLimits.message(((TextMessage) content).getPayload());
		return request(action, to, text, false, written.type(), 0).thenApply(deliveries(to));
	}

	@Override
	public CompletableFuture<Delivery> close(SessionQuery which, CloseStatus status) {
		Assert.notNull(which, "'which' must not be null");
		CloseStatus sendable = CloseStatuses.sendable(CloseStatuses.requireAllowed(status));
		return request(Request.Action.CLOSE, which, sendable.getReason(), false, null, sendable.getCode())
			.thenApply(deliveries(which));
	}

	private static Function<OpenRequest.Outcome, Delivery> deliveries(SessionQuery query) {
		return (query.id() != null) ? Deliveries::ofOne : Deliveries::of;
	}

	private CompletableFuture<OpenRequest.Outcome> request(Request.Action action, SessionQuery query,
			@Nullable String content, boolean binary, @Nullable String type, int code) {
		ObservedExchange observed = this.observer.sending(action.text(), query.topic());
		Request request = new Request(this.bus.node(), this.requests.nextNumber(), action, query, content, binary, type,
				code, PropagatedHeaders.bounded(observed.headers()));
		String frame = this.codec.write(request);
		OpenRequest open = this.requests.open(request.number(), frame, null);
		open.observed(observed);
		if (open.future().isDone()) {
			return open.future();
		}
		handOverOrFail(request, frame).whenComplete((nodes, failure) -> {
			if (failure == null) {
				this.requests.addressed(open, nodes);
			}
			else if (RepeatedPublication.isUndecided(failure) && !isCutOff()) {
				this.requests.addressed(open, this.bus.nodes());
			}
			else {
				open.fail(Tally.reason(failure));
			}
		});
		return open.future();
	}

	private CompletableFuture<Set<String>> handOverOrFail(Request request, String frame) {
		try {
			return handOver(request, frame);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<Set<String>> handOver(Request request, String frame) {
		SessionQuery query = request.query();
		if (query.id() != null) {
			return handOver(request, frame, LocalSessions.nodeOf(query.id()));
		}
		if (query.principal() != null) {
			return this.bus.route(PrincipalNames.PREFIX + query.principal(), frame);
		}
		return (query.topic() != null) ? this.bus.route(LocalTopics.PREFIX + query.topic(), frame)
				: this.bus.broadcast(frame);
	}

	private CompletableFuture<Set<String>> handOver(Request request, String frame, String node) {
		if (node.equals(this.bus.node())) {
			this.frames.run(request);
			return CompletableFuture.completedFuture(Set.of(node));
		}
		if (isCutOff()) {
			return CompletableFuture
				.failedFuture(new BusUnavailableException("This node is cut off from the others", false, null));
		}
		return this.bus.nodes().contains(node) ? this.bus.send(node, frame).thenApply((nothing) -> Set.of(node))
				: CompletableFuture.completedFuture(Set.of());
	}

	/** Returns whether this node does not receive even its own messages. */
	private boolean isCutOff() {
		return !this.bus.nodes().contains(this.bus.node());
	}

	@Override
	public Topic topic(String name) {
		Assert.notNull(name, "'name' must not be null");
		Assert.isTrue(!name.isEmpty() && name.length() <= Topic.MAX_NAME_LENGTH,
				() -> "'name' must have 1 to " + Topic.MAX_NAME_LENGTH + " characters: " + name.length());
		Assert.isTrue(EncodedSize.isEncodable(name), "'name' must not have half of a surrogate pair");
		if (PATTERN.matcher(name).find()) {
			this.patternNames.warn(name);
		}
		return new DefaultTopic(name, this, this.topicParts);
	}

	@Override
	public int maxTopicsPerSession() {
		return this.sessions.maxTopics();
	}

	@Override
	public List<NodeInfo> nodes() {
		return this.bus.nodes()
			.stream()
			.sorted()
			.map((name) -> new NodeInfo(name, name.equals(this.bus.node())))
			.toList();
	}

	@Override
	public ClusterSnapshot snapshot(int top) {
		Assert.isTrue(top >= 0, () -> "'top' must not be negative: " + top);
		ExecutorSnapshot waiting = this.turns.snapshot(0);
		return new ClusterSnapshot(this.bus.state(), nodes(), this.topics.count(), this.topics.members(),
				waiting.waitingHigh() + waiting.waitingNormal(), waiting.oldestWait(), this.requests.count(),
				this.requests.unknown(), this.topics.heals(), this.topics.gaps(), this.resumes.snapshot(),
				this.bus.traffic(), this.topics.largest(top));
	}

	@Override
	public Optional<TopicSnapshot> snapshot(String topic) {
		Assert.notNull(topic, "'topic' must not be null");
		return this.topics.snapshot(topic);
	}

	@Override
	public String idOf(ManagedSession session) {
		Assert.notNull(session, "'session' must not be null");
		return this.sessions.idOf(session.id());
	}

	/** Returns the broadcast of texts to all nodes, in order. */
	public OrderedBroadcast broadcast() {
		return this.broadcast;
	}

	@Override
	public ResumableSessions resumes() {
		return this.resumes;
	}

	@Override
	public Class<?> busType() {
		return this.busType;
	}

	/** Leaves the cluster; all futures end. */
	@Override
	public void close() {
		this.resumes.close();
		this.topics.close();
		this.presence.close();
		this.broadcast.close();
		this.principals.close();
		this.sharedSettings.close();
		this.bus.close();
		this.requests.close();
		this.turns.shutdown();
		if (this.workers instanceof DaemonExecutor own) {
			own.close();
		}
	}

}
