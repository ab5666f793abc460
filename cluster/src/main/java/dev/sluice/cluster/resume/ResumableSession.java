package dev.sluice.cluster.resume;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.bus.SessionRecord;
import dev.sluice.cluster.resume.outbox.Outbox;
import dev.sluice.cluster.resume.outbox.OutboxContents;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

/** A session of this node that may be resumed, with a connection or without. */
public final class ResumableSession {

	/*
	 * A session has at most one connection. The connection is replaced or removed with
	 * the lock held, and ending a connection has an effect only if the session still has
	 * it. "left" is set once, and whoever sets it ends the outbox: a connection that ends
	 * while the session is handed over must not end it first, without its messages.
	 * Attacked by ResumeTests, LeftSessionsTests and ResumeHistoryTests.
	 */

	private final String key;

	private final SessionOwner owner;

	private final Outbox outbox;

	private final Object keeping = new Object();

	private final Map<String, String> topics = new LinkedHashMap<>();

	private boolean settled;

	private long incarnation;

	private List<String> secrets;

	private @Nullable String state;

	private @Nullable OrderedWebSocketSession connection;

	private @Nullable ConnectionHooks hooks;

	/** Present while the session has no connection. */
	private @Nullable Future<?> expiry;

	private boolean left;

	ResumableSession(String key, SessionOwner owner, long incarnation, List<String> secrets, Outbox outbox) {
		this.key = key;
		this.owner = owner;
		this.incarnation = incarnation;
		this.secrets = secrets;
		this.outbox = outbox;
	}

	/** Returns the key of the session, which does not change. */
	public String key() {
		return this.key;
	}

	SessionOwner owner() {
		return this.owner;
	}

	/** Returns the direct messages. */
	public Outbox outbox() {
		return this.outbox;
	}

	synchronized long incarnation() {
		return this.incarnation;
	}

	synchronized void claimed(long next, List<String> hashes) {
		this.incarnation = next;
		this.secrets = hashes;
	}

	/** Makes the latest secret the only valid one; returns whether others were valid. */
	synchronized boolean confirm() {
		if (this.secrets.size() < 2) {
			return false;
		}
		this.secrets = List.of(this.secrets.get(this.secrets.size() - 1));
		return true;
	}

	/** Returns the positions after which the session continues, by topics. */
	public synchronized Map<String, String> topics() {
		return Map.copyOf(this.topics);
	}

	synchronized void putTopic(String name, String at) {
		this.topics.put(name, at);
	}

	synchronized boolean removeTopic(String name) {
		return this.topics.remove(name) != null;
	}

	/** Marks that it has joined the topics of its endpoint, which happens once. */
	public synchronized void settle() {
		this.settled = true;
	}

	/** Returns whether it has joined the topics of its endpoint. */
	public synchronized boolean isSettled() {
		return this.settled;
	}

	/** Returns the saved state as JSON. */
	public synchronized @Nullable String state() {
		return this.state;
	}

	synchronized void setState(@Nullable String json) {
		this.state = json;
	}

	synchronized void connect(OrderedWebSocketSession next, ConnectionHooks callbacks) {
		this.connection = next;
		this.hooks = callbacks;
	}

	/** Returns whether this is the connection of the session. */
	public synchronized boolean isConnected(OrderedWebSocketSession session) {
		return this.connection == session;
	}

	synchronized @Nullable OrderedWebSocketSession connection() {
		return this.connection;
	}

	/** Removes the connection; returns whether it was this one. */
	synchronized boolean disconnect(OrderedWebSocketSession session) {
		return disconnect(session, null);
	}

	/**
	 * Removes the connection, and waits for the next one.
	 * @param timer ends the wait
	 */
	synchronized boolean disconnect(OrderedWebSocketSession session, @Nullable Future<?> timer) {
		if (this.connection != session) {
			return false;
		}
		this.connection = null;
		this.expiry = timer;
		return true;
	}

	synchronized @Nullable ConnectionHooks hooks() {
		return this.hooks;
	}

	/** Removes the callbacks. */
	synchronized void forgetHooks() {
		this.hooks = null;
	}

	/** Starts to wait for a connection. */
	synchronized void await(Future<?> timer) {
		this.expiry = timer;
	}

	/** Returns whether it waits for a connection. */
	synchronized boolean isWaiting() {
		return this.expiry != null;
	}

	/** Ends the wait for a connection; returns whether it was waiting. */
	synchronized boolean wake() {
		Future<?> timer = this.expiry;
		this.expiry = null;
		if (timer != null) {
			timer.cancel(false);
		}
		return timer != null;
	}

	/** Removes the session from its node; returns whether this call is the first. */
	synchronized boolean leave() {
		boolean first = !this.left;
		this.left = true;
		return first;
	}

	synchronized void take(SessionContent content) {
		this.topics.putAll(content.topics());
		this.settled = content.settled();
		this.state = content.state();
		this.outbox.take((content.direct() != null) ? content.direct() : OutboxContents.unknown(this.incarnation));
	}

	synchronized SessionContent content(@Nullable OutboxContents direct) {
		return new SessionContent(new LinkedHashMap<>(this.topics), this.settled, this.state, direct);
	}

	/**
	 * Keeps the content of the session, one call after the other, so that no call
	 * overwrites a later one.
	 * @param direct supplies the direct messages to keep as well
	 */
	<T extends @Nullable Object> CompletableFuture<T> keep(String node, Supplier<@Nullable OutboxContents> direct,
			Function<SessionRecord, CompletableFuture<T>> keeper) {
		synchronized (this.keeping) {
			return keeper.apply(record(node, direct.get()));
		}
	}

	SessionRecord record(String node, @Nullable OutboxContents direct) {
		synchronized (this) {
			return new SessionRecord(this.key, node, this.incarnation, this.secrets, this.owner.text(),
					content(direct).write());
		}
	}

	/**
	 * A session that has begun.
	 *
	 * @param session the session
	 * @param token its token, or {@code null} if its record cannot be kept
	 */
	public record Opened(ResumableSession session, @Nullable String token) {
	}

}
