package dev.sluice.websocket.session;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.settings.SessionLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;

/** Open sessions by their ids, and sessions that have not ended. */
public final class SessionRegistry {

	/*
	 * A session is put if its id is free, and only the session itself is removed, so that
	 * an id has one open session. "unended" has a session from then until it has ended.
	 * Attacked by SessionPlacesTests and SessionLifeTests.
	 */

	private final SequentialLeveledTaskExecutor inbound;

	private final SequentialLeveledTaskExecutor outbound;

	private final SessionLimits limits;

	private final SessionResources resources;

	private final SessionAdmission admission;

	private final LivenessMonitor monitor;

	private final ConcurrentMap<String, OrderedWebSocketSession> sessions = new ConcurrentHashMap<>();

	/** Open sessions, and sessions with messages that wait to be handled. */
	private final Set<OrderedWebSocketSession> unended;

	SessionRegistry(SequentialLeveledTaskExecutor inbound, SequentialLeveledTaskExecutor outbound, SessionLimits limits,
			SessionResources resources, SessionAdmission admission, LivenessMonitor monitor,
			Set<OrderedWebSocketSession> unended) {
		this.inbound = inbound;
		this.outbound = outbound;
		this.limits = limits;
		this.resources = resources;
		this.admission = admission;
		this.monitor = monitor;
		this.unended = unended;
	}

	/**
	 * Registers a new session, unless its id is in use; a SockJS client chooses its own.
	 * Its place is released when it has ended, or if it is not registered.
	 */
	public @Nullable OrderedWebSocketSession open(WebSocketSession session, SessionKind kind, SessionPlace place) {
		String id = OrderedWebSocketSession.idOf(session);
		boolean taken = false;
		try {
			OrderedWebSocketSession opened = new OrderedWebSocketSession(session, kind, kind.limits(this.limits),
					this.inbound.queue(id), this.outbound.queue(id), this.resources);
			taken = this.sessions.putIfAbsent(id, opened) == null;
			if (!taken) {
				return null;
			}
			this.unended.add(opened);
			opened.ended().whenComplete((nothing, failure) -> this.unended.remove(opened));
			this.admission.occupy(place, opened);
			this.monitor.awake();
			return opened;
		}
		finally {
			if (!taken) {
				this.admission.release(place);
			}
		}
	}

	/** Runs a task for a session on a worker, outside of the session's turn. */
	public CompletableFuture<@Nullable Void> execute(String id, Runnable task) {
		String queue = "beside:" + id;
		CompletableFuture<@Nullable Void> done = this.inbound.execute(queue, Level.NORMAL, task);
		this.inbound.removeQueue(queue);
		return done;
	}

	/** Finds the open session with an id. */
	public @Nullable OrderedWebSocketSession find(String id) {
		return this.sessions.get(id);
	}

	/** Finds the session registered for the container's session. */
	public @Nullable OrderedWebSocketSession find(WebSocketSession session) {
		OrderedWebSocketSession found = this.sessions.get(OrderedWebSocketSession.idOf(session));
		return (found != null && found.getDelegate() == session) ? found : null;
	}

	/** Finds the session for an id that a client of SockJS has chosen. */
	public @Nullable OrderedWebSocketSession findSockJs(String chosen) {
		return this.sessions.get(OrderedWebSocketSession.sockJsId(chosen));
	}

	/**
	 * Removes a session whose connection has ended. Its place is held until all waiting
	 * messages are handled.
	 */
	public void forget(OrderedWebSocketSession session) {
		this.sessions.remove(session.getId(), session);
	}

	/** Returns the open sessions. */
	public Collection<OrderedWebSocketSession> open() {
		return this.sessions.values();
	}

	/**
	 * Returns the open sessions, and the ones whose client has left but that have not
	 * ended.
	 */
	Collection<OrderedWebSocketSession> unended() {
		return this.unended;
	}

	/** Waits for the sessions that are open now. */
	CompletableFuture<@Nullable Void> ended() {
		return all(open().stream().map(OrderedWebSocketSession::ended).toList());
	}

	static CompletableFuture<@Nullable Void> all(Collection<? extends CompletableFuture<?>> futures) {
		return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).thenApply((nothing) -> null);
	}

}
