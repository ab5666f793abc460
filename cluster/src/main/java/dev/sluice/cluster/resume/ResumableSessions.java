package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.cluster.ResumeSnapshot;
import dev.sluice.cluster.resume.outbox.Outbox;
import dev.sluice.cluster.resume.outbox.ResumeBudget;
import dev.sluice.cluster.resume.outbox.WriteThrough;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The sessions of this node that may be resumed, with a connection or without. */
public final class ResumableSessions implements AutoCloseable {

	/*
	 * Claims of a session and requests to hand it over run one at a time, in the turn of
	 * its key. The bus assigns a higher incarnation to each claim: a claim that detects a
	 * higher one before it has a connection gets none. The latest claim on any node
	 * therefore wins, and has the session exclusively. Attacked by ResumeTests and
	 * ResumeHistoryTests.
	 */

	private static final String QUEUE_PREFIX = "resume:";

	private final ClusterBus bus;

	private final StoredSessions stored;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final ResumeSettings settings;

	private final ResumeTopics topics;

	private final SessionEvictions evictions;

	private final ResumeBudget budget;

	private final ConcurrentMap<String, ResumableSession> sessions = new ConcurrentHashMap<>();

	private final ConcurrentMap<OrderedWebSocketSession, ResumableSession> connections = new ConcurrentHashMap<>();

	private final SuspendedSessions suspended;

	private final HandOverRequests requests = new HandOverRequests();

	private final ConnectionReleases releases;

	private final BoundedLog unreadable;

	private final RecordRefresh refresh;

	private final ResumeCounters counters = new ResumeCounters();

	private volatile boolean closed;

	/**
	 * Creates the sessions.
	 * @param bus keeps the content that other nodes need
	 * @param turns bring claims into an order
	 * @param topics the topics that are joined again
	 * @param evictions request the content of sessions from other nodes
	 * @param budget bounds the kept bytes
	 */
	public ResumableSessions(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock,
			ResumeSettings settings, ResumeTopics topics, SessionEvictions evictions, ResumeBudget budget) {
		this.bus = bus;
		this.stored = new StoredSessions(bus, settings);
		this.turns = turns;
		this.clock = clock;
		this.settings = settings;
		this.topics = topics;
		this.evictions = evictions;
		this.budget = budget;
		this.suspended = new SuspendedSessions(settings.maxSuspended());
		this.releases = new ConnectionReleases(clock, this.connections, this.suspended);
		this.unreadable = new BoundedLog(LogFactory.getLog(ResumableSessions.class), clock,
				"Content of a session cannot be read; its client is notified of missing messages");
		this.refresh = new RecordRefresh(clock, this.connections.values(), this::keepConnected);
	}

	/** Returns how long a session may be without a connection. */
	public Duration window() {
		return this.settings.window();
	}

	/** Returns whether the bus has records of sessions; without, none is resumable. */
	public boolean isSupported() {
		return this.stored.isSupported();
	}

	/** Returns the clock for the time limits of clients. */
	public NanoClock clock() {
		return this.clock;
	}

	/** Returns the topics that are joined again. */
	public ResumeTopics topics() {
		return this.topics;
	}

	/** Returns the counters of attempts to resume. */
	public ResumeCounters counters() {
		return this.counters;
	}

	/** Returns a snapshot of all sessions together. */
	public ResumeSnapshot snapshot() {
		return new ResumeSnapshot(this.sessions.size(), this.suspended.count(), this.budget.taken(),
				this.counters.counts());
	}

	/** Begins a session, without a token if its record cannot be kept. */
	public CompletableFuture<ResumableSession.Opened> open(SessionOwner owner) {
		SessionToken token = SessionToken.create();
		ResumableSession session = session(token.key(), owner, 1, List.of(token.hash()));
		return keep(session).handle((kept, failure) -> {
			if (failure == null) {
				this.sessions.put(session.key(), session);
			}
			return new ResumableSession.Opened(session, (failure == null) ? token.text() : null);
		});
	}

	private ResumableSession session(String key, SessionOwner owner, long incarnation, List<String> hashes) {
		Outbox outbox = new Outbox(key, this.settings.buffer(), this.budget);
		ResumableSession session = new ResumableSession(key, owner, incarnation, hashes, outbox);
		if (this.settings.writesThrough()) {
			outbox.write(new WriteThrough(key, () -> keep(session),
					(task) -> this.turns.execute("outbox:" + key, Level.HIGH, task)));
		}
		return session;
	}

	private CompletableFuture<Boolean> keep(ResumableSession session) {
		return this.stored.keep(session);
	}

	private CompletableFuture<Boolean> keepConnected(ResumableSession session) {
		long incarnation = session.incarnation();
		return (session.connection() == null) ? CompletableFuture.completedFuture(false)
				: keep(session).whenComplete((latest, failure) -> {
					if (Boolean.FALSE.equals(latest)) {
						this.clock.schedule(() -> supersede(session, incarnation), ConnectionReleases.MOST);
					}
				});
	}

	/** Ends a session that another node has claimed without being able to request it. */
	private void supersede(ResumableSession session, long incarnation) {
		this.turns.submitStage(QUEUE_PREFIX + session.key(), Level.NORMAL, () -> {
			if (session.incarnation() != incarnation || !remove(session)) {
				return CompletableFuture.completedFuture(null);
			}
			return this.releases.release(session).thenApply((all) -> session.outbox().end(true));
		});
	}

	/** Verifies that each connection is the latest, as claims may have been missed. */
	public void interrupted() {
		this.refresh.now();
	}

	/**
	 * Claims the session of a token.
	 * @param attach attaches a connection; the next claim waits for its stage
	 * @return the outcome; fails if the bus is unavailable
	 */
	public CompletableFuture<ClaimedSession.Outcome> claim(String text, SessionOwner owner,
			Function<ClaimedSession, CompletionStage<?>> attach) {
		SessionToken token = SessionToken.parse(text);
		if (token == null) {
			return CompletableFuture.completedFuture(ClaimedSession.Outcome.INVALID);
		}
		SessionToken next = token.next();
		SessionClaim claim = new SessionClaim(token.key(), token.hash(), owner.text(), next.hash());
		return this.turns.submitStage(QUEUE_PREFIX + token.key(), Level.NORMAL,
				() -> this.stored.claim(claim).thenCompose((before) -> {
					if (before == null) {
						return CompletableFuture.completedFuture(ClaimedSession.Outcome.EXPIRED);
					}
					this.requests.claimed(token.key(), before.incarnation() + 1);
					return obtain(before, owner, token, next)
						.thenCompose((claimed) -> (claimed != null) ? attach(claimed, attach)
								: CompletableFuture.completedFuture(ClaimedSession.Outcome.EXPIRED));
				}).whenComplete((outcome, failure) -> this.requests.ended(token.key())));
	}

	private CompletionStage<ClaimedSession.Outcome> attach(ClaimedSession claimed,
			Function<ClaimedSession, CompletionStage<?>> attach) {
		ResumableSession session = claimed.session();
		this.sessions.put(session.key(), session);
		return attach.apply(claimed).handle((attached, failure) -> {
			if (failure != null && session.connection() == null) {
				await(session);
			}
			return ClaimedSession.Outcome.RESUMED;
		});
	}

	/** Returns the session, or {@code null} if its content cannot be read. */
	private CompletableFuture<@Nullable ClaimedSession> obtain(SessionRecord before, SessionOwner owner,
			SessionToken token, SessionToken next) {
		List<String> hashes = List.of(token.hash(), next.hash());
		long incarnation = before.incarnation() + 1;
		ResumableSession local = this.sessions.get(before.key());
		CompletableFuture<?> released = (local != null) ? this.releases.release(local)
				: CompletableFuture.completedFuture(null);
		boolean mine = before.node().equals(this.bus.node());
		SessionContent kept = SessionContent.read(before.content(), this.unreadable);
		boolean known = !mine && this.bus.nodes().contains(before.node());
		// A node that this one does not know may have just started.
		CompletableFuture<@Nullable String> handed = (!mine
				&& (kept == null || kept.direct() == null || this.settings.writesThrough()))
						? this.evictions.evict(before.node(), before.key(), incarnation)
						: CompletableFuture.completedFuture(mine ? HandOverRequests.NOTHING : null);
		return released.thenCombine(handed, (drained, answer) -> {
			boolean nothing = HandOverRequests.NOTHING.equals(answer);
			String content = nothing ? null : answer;
			if (local != null && nothing) {
				local.claimed(incarnation, hashes);
				return new ClaimedSession(local, next.text(), false, before.content());
			}
			SessionContent latest = (content != null) ? SessionContent.read(content, this.unreadable) : null;
			SessionContent readable = (latest != null) ? latest : kept;
			if (readable == null) { // the next attempt of the client would fail as well
				if (local != null) {
					forget(local);
				}
				this.stored.forget(before.key(), incarnation);
				return null;
			}
			ResumableSession made = session(before.key(), owner, incarnation, hashes);
			made.take(readable);
			if (local != null && local.leave()) {
				local.outbox().end(true);
			}
			return new ClaimedSession(made, next.text(), known && answer == null, before.content());
		});
	}

	/**
	 * Hands a session over to the node that has claimed it.
	 * @return the content of the session, empty if this node has none
	 */
	public CompletableFuture<String> handOver(String key, long incarnation) {
		CompletableFuture<String> answer = this.requests.add(key, incarnation);
		this.turns.submitStage(QUEUE_PREFIX + key, Level.NORMAL, () -> {
			ResumableSession session = this.sessions.get(key);
			if (answer.isDone() || session == null || session.incarnation() >= incarnation || !remove(session)) {
				return CompletableFuture.completedFuture(this.stored.contentOfLeft(key));
			}
			return this.releases.release(session)
				.thenApply((all) -> session.content(session.outbox().end(true)).write());
		}).whenComplete((content, failure) -> HandOverRequests.answer(answer, content, failure));
		return answer;
	}

	/** Called when the node that has claimed a session was sent its content. */
	public void handedOver(String key) {
		this.stored.answered(key);
	}

	/**
	 * Requests whether a claimed session has been claimed again since.
	 * @return whether the session may have a connection; if not, it is removed here
	 */
	public CompletableFuture<Boolean> verify(ClaimedSession claimed) {
		ResumableSession session = claimed.session();
		return this.stored.verify(session, claimed.content()).thenApply((latest) -> {
			if (!latest) {
				forget(session);
			}
			return latest;
		});
	}

	private boolean forget(ResumableSession session) {
		boolean mine = remove(session);
		if (mine) {
			session.outbox().end(false);
		}
		return mine;
	}

	private boolean remove(ResumableSession session) {
		boolean mine = session.leave(); // first, as suspend() discards what is not found
		this.sessions.remove(session.key(), session);
		return mine;
	}

	/** Gives a session its connection. */
	public void connect(ResumableSession session, OrderedWebSocketSession connection, ConnectionHooks hooks) {
		session.connect(connection, hooks);
		this.connections.put(connection, session);
		this.refresh.start();
	}

	/** Called when the client has acknowledged a message on its latest connection. */
	public void acknowledge(ResumableSession session, OrderedWebSocketSession connection, long number) {
		if (session.isConnected(connection)) {
			session.outbox().confirm();
			session.outbox().acknowledge(number);
			if (session.confirm()) {
				keep(session);
			}
		}
	}

	/** Called when a session has joined a topic. */
	public void joined(OrderedWebSocketSession connection, String name, String at) {
		ResumableSession session = this.connections.get(connection);
		if (session != null) {
			session.putTopic(name, at);
			keep(session);
		}
	}

	/** Continues the topic of a session after a position. */
	public void resumed(ResumableSession session, String name, String at) {
		session.putTopic(name, at);
	}

	/** Called when a session has left a topic. */
	public void left(OrderedWebSocketSession connection, String name) {
		ResumableSession session = this.connections.get(connection);
		if (session != null && session.removeTopic(name)) {
			keep(session);
		}
	}

	/** Saves the state of a session. */
	public CompletableFuture<@Nullable Void> save(ResumableSession session, @Nullable String json) {
		session.setState(json);
		return keep(session).thenApply((kept) -> null);
	}

	/** Called at the end of a connection; returns whether its session waits here. */
	public boolean suspend(ResumableSession session, OrderedWebSocketSession connection) {
		this.connections.remove(connection);
		long incarnation = session.incarnation();
		session.outbox().detach(connection.outbound());
		if (this.closed || this.sessions.get(session.key()) != session) {
			if (session.disconnect(connection) && !this.closed) {
				discard(session); // has no effect if it is handed over
			}
			return false;
		}
		Future<?> timer = timer(session);
		if (!session.disconnect(connection, timer)) {
			timer.cancel(false);
			return false;
		}
		addSuspended(session, incarnation);
		return true;
	}

	/** Waits for the next connection of a session that did not get the previous one. */
	private void await(ResumableSession session) {
		session.await(timer(session));
		session.outbox().detach();
		addSuspended(session, session.incarnation());
	}

	private Future<?> timer(ResumableSession session) {
		long incarnation = session.incarnation();
		return this.clock.schedule(() -> expire(session, incarnation), this.settings.window());
	}

	private void addSuspended(ResumableSession session, long incarnation) {
		this.stored.keepSuspended(session, incarnation);
		ResumableSession victim = this.suspended.add(session, session.owner().principal());
		if (!session.isWaiting()) {
			this.suspended.remove(session);
		}
		if (victim != null) {
			expire(victim, victim.incarnation());
		}
	}

	private void expire(ResumableSession session, long incarnation) {
		this.turns.execute(QUEUE_PREFIX + session.key(), Level.HIGH, () -> {
			if (session.incarnation() == incarnation && session.wake()) {
				this.suspended.remove(session);
				forget(session);
				this.stored.forget(session.key(), incarnation);
				ConnectionHooks hooks = session.hooks();
				if (hooks != null) {
					hooks.expired();
				}
			}
		}).exceptionally((failure) -> {
			if (!this.closed) {
				this.clock.schedule(() -> expire(session, incarnation), ConnectionReleases.MOST);
			}
			return null;
		});
	}

	/** Called when a session has ended permanently, with its connection. */
	public void end(ResumableSession session, OrderedWebSocketSession connection) {
		this.connections.remove(connection);
		if (session.disconnect(connection)) {
			forget(session);
			this.stored.forget(session.key(), session.incarnation());
		}
	}

	/** Ends a session that has no record, or did not get its first connection. */
	public void discard(ResumableSession session) {
		if (forget(session)) {
			this.stored.forget(session.key(), session.incarnation());
		}
	}

	/** Leaves content to the other nodes; waits for claims as long as they do. */
	@Override
	public void close() {
		this.closed = true;
		this.refresh.close(List.copyOf(this.sessions.values()), this::leave, this.evictions.timeout());
	}

	/** Does not hold the turn until the answer, which is sent in a later turn. */
	private CompletableFuture<?> leave(ResumableSession session) {
		return this.turns
			.submit(QUEUE_PREFIX + session.key(), Level.HIGH,
					() -> remove(session)
							? session.keep(this.bus.node(), () -> session.outbox().end(true), this.stored::leave)
							: CompletableFuture.<@Nullable Void>completedFuture(null))
			.thenCompose((left) -> left);
	}

}
