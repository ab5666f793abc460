package dev.sluice.cluster.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.sluice.cluster.resume.ConnectionHooks;
import dev.sluice.cluster.resume.ResumableSession;
import dev.sluice.cluster.resume.ResumableSessions;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.SessionConnection;
import dev.sluice.websocket.endpoint.SessionObjects;
import dev.sluice.websocket.message.JsonLimits;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.MultiValueMap;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;

/** One connection to an endpoint with resumable sessions, and its state. */
final class EndpointConnection implements ConnectionHooks, SessionConnection {

	/*
	 * connect() writes the references in the session's turn. "phase" leaves CONNECTED
	 * once, by CAS, so the object is notified of the suspension at most once, and never
	 * if the connection is fenced. "destroyed" is set once, by CAS, so the object is
	 * destroyed once. Attacked by ResumeTests and ResumeHistoryTests.
	 */

	private static final Log logger = LogFactory.getLog(EndpointConnection.class);

	private static final int MAX_STATE = 4096;

	private final OrderedWebSocketSession ordered;

	private final SessionObjects objects;

	private final Supplier<CompletableFuture<?>> place;

	private final CompletableFuture<@Nullable Void> decided = new CompletableFuture<>();

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.CONNECTED);

	private final AtomicBoolean destroyed = new AtomicBoolean();

	private volatile @Nullable ManagedConnection connection;

	private volatile @Nullable ManagedSession managed;

	private volatile @Nullable ResumableSession session;

	private volatile @Nullable ResumableSessions sessions;

	private volatile @Nullable Runnable onExpired;

	private volatile @Nullable JsonMessages messages;

	/**
	 * Creates a connection.
	 * @param place gives its place back
	 */
	EndpointConnection(OrderedWebSocketSession ordered, SessionObjects objects, Supplier<CompletableFuture<?>> place) {
		this.ordered = ordered;
		this.place = place;
		this.objects = objects;
	}

	OrderedWebSocketSession ordered() {
		return this.ordered;
	}

	/** Decides the kind of the connection; returns whether it was undecided before. */
	boolean decide() {
		return this.decided.complete(null);
	}

	CompletableFuture<@Nullable Void> decided() {
		return this.decided;
	}

	/** Connects the object of the session, and makes it accessible. */
	void connect(ManagedSession object, ResumableSession resumable, ResumableSessions all, JsonMessages messages) {
		ManagedConnection made = new ManagedConnection(this.ordered, messages);
		this.connection = made;
		this.managed = object;
		this.session = resumable;
		this.sessions = all;
		this.messages = messages;
		ManagedConnection.connect(this.ordered, object, SessionObjects.target(object), this);
	}

	@Nullable ResumableSession resumable() {
		return this.session;
	}

	/** Returns whether the session has continued without waiting for this turn. */
	boolean isFenced() {
		return this.phase.get() == Phase.FENCED;
	}

	@Override
	public CompletableFuture<?> replaced() {
		return this.place.get();
	}

	@Override
	public boolean fence() {
		return this.phase.compareAndSet(Phase.CONNECTED, Phase.FENCED);
	}

	/**
	 * The session did not get this connection: its object is destroyed, and not notified.
	 */
	void discarded() {
		this.phase.set(Phase.SUSPENDED);
		released();
	}

	@Override
	public void suspended() {
		ManagedSession object = this.managed;
		if (object != null && this.phase.compareAndSet(Phase.CONNECTED, Phase.SUSPENDED)) {
			try {
				this.ordered.callAsPrincipal(() -> {
					this.objects.suspended(object);
					return true;
				});
			}
			catch (Throwable ex) {
				logger.warn("onSuspended failed for " + object, ex);
				FatalErrors.passOn(ex);
			}
		}
	}

	/** Sets the action to run when the session expires. */
	void expiredWith(Runnable action) {
		this.onExpired = action;
	}

	@Override
	public void expired() {
		Runnable action = this.onExpired;
		if (action != null) {
			action.run();
		}
		else {
			callExpired();
		}
	}

	/** Notifies the object that its session has expired. */
	void callExpired() {
		ManagedSession object = this.managed;
		if (object != null) {
			try {
				this.objects.expired(object);
			}
			catch (Throwable ex) {
				logger.warn("onExpired failed for " + object, ex);
				FatalErrors.passOn(ex);
			}
			finally {
				released();
			}
		}
	}

	@Override
	public void released() {
		ManagedSession object = this.managed;
		if (object != null && this.destroyed.compareAndSet(false, true)) {
			this.objects.destroy(object);
		}
	}

	private ManagedConnection connection() {
		ManagedConnection present = this.connection;
		Assert.state(present != null, "There is no connection yet");
		return present;
	}

	@Override
	public WebSocketSession session() {
		return this.ordered;
	}

	@Override
	public Map<String, String> pathVariables() {
		return connection().pathVariables();
	}

	@Override
	public MultiValueMap<String, String> queryParameters() {
		return connection().queryParameters();
	}

	@Override
	public CompletableFuture<@Nullable Void> send(Object payload, Level level) {
		return connection().send(payload, level);
	}

	@Override
	public CompletableFuture<@Nullable Void> saveState(@Nullable Object state) {
		CompletableFuture<@Nullable Void> saved = save(state);
		saved.whenComplete((nothing, failure) -> {
			if (failure != null && !(failure instanceof SessionClosedException)) {
				Objects.requireNonNull(this.messages)
					.report(Objects.requireNonNull(this.managed).getClass(),
							"State of " + this.managed + " is not saved", failure);
			}
		});
		return saved;
	}

	private CompletableFuture<@Nullable Void> save(@Nullable Object state) {
		ResumableSessions all = Objects.requireNonNull(this.sessions);
		ResumableSession present = Objects.requireNonNull(this.session);
		try {
			String json = (state != null) ? Objects.requireNonNull(this.messages).mapper().writeValueAsString(state)
					: null;
			if (json != null) {
				Assert.isTrue(JsonLimits.scan(json, (name, value) -> {
				}) != null, "'state' must be JSON");
			}
			int bytes = (json != null) ? json.getBytes(StandardCharsets.UTF_8).length : 0;
			Assert.isTrue(bytes <= MAX_STATE, () -> "'state' must have at most " + MAX_STATE + " bytes: " + bytes);
			return present.isConnected(this.ordered) ? all.save(present, json)
					: CompletableFuture.failedFuture(new SessionClosedException(this.ordered.getId()));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public <T extends @Nullable Object> LeveledTask<T> submit(Callable<T> task) {
		return connection().submit(task);
	}

	@Override
	public LeveledTask<@Nullable Void> execute(Runnable task) {
		return connection().execute(task);
	}

	@Override
	public CompletableFuture<@Nullable Void> close(CloseStatus status) {
		return connection().close(status);
	}

	@Override
	public CompletableFuture<@Nullable Void> drainAndClose() {
		return connection().drainAndClose();
	}

	@Override
	public void abort() {
		connection().abort();
	}

	/** Phase of the connection. */
	private enum Phase {

		/** The connection is the current one of the session. */
		CONNECTED,

		/** The connection has ended or was replaced, and its object has been notified. */
		SUSPENDED,

		/**
		 * The connection was replaced by another one, which did not wait for its turn.
		 */
		FENCED

	}

}
