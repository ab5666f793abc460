package dev.sluice.websocket.session;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.internal.ClientNames;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;

/** Admission of handshakes and sessions. */
public final class SessionAdmission {

	/*
	 * A handshake is counted before the check whether new sessions are accepted, and
	 * close() reads the count once they are no longer accepted. Each admitted handshake
	 * is therefore waited for.
	 *
	 * The container opens the session shortly after the handshake's end, on the same
	 * thread. Neither the time of the opening nor its absence can be detected.
	 *
	 * A connection of a resumable endpoint counts twice for a moment, or among the
	 * undecided connections, before it holds the place of a session. The limits therefore
	 * hold, and it does not need the place of the connection that it replaces.
	 *
	 * Attacked by ShutdownTests and ResumePlacesTests.
	 */

	private static final long MOMENT_MILLIS = 100;

	private final SessionQuota quota;

	/** The limit of all handshakes; absent if unlimited. */
	private final @Nullable Throttle rate;

	/** The places of connections that are, or were, undecided. */
	private final Map<OrderedWebSocketSession, SessionPlace> places = new ConcurrentHashMap<>();

	private final AtomicInteger handshakes = new AtomicInteger();

	private volatile @Nullable CompletableFuture<@Nullable Void> noHandshakes;

	private volatile boolean open = true;

	private volatile SharedPlaces shared = SharedPlaces.NONE;

	/**
	 * Creates an admission.
	 * @param handshakeRate handshakes a second; {@link Integer#MAX_VALUE} for no limit
	 */
	SessionAdmission(SessionQuota quota, int handshakeRate, NanoClock clock) {
		this.quota = quota;
		this.rate = (handshakeRate != Integer.MAX_VALUE) ? rate(handshakeRate, clock) : null;
	}

	private static Throttle rate(int perSecond, NanoClock clock) {
		return ThrottlingManager.builder()
			.clock(clock)
			.build()
			.addOrUpdate("handshakes", Limit.tokenBucket(perSecond, perSecond, Duration.ofSeconds(1)));
	}

	/** Returns whether a handshake may begin now, within the rate limit. */
	public boolean isWithinRate() {
		return this.rate == null || this.rate.tryAcquire().admitted();
	}

	/**
	 * Begins a handshake, which {@link #endHandshake()} follows if it is admitted.
	 * @param undecided whether its connection may turn out to replace another one
	 * @return whether it is admitted
	 */
	public boolean beginHandshake(@Nullable Principal principal, @Nullable InetSocketAddress address,
			boolean undecided) {
		this.handshakes.incrementAndGet();
		boolean admitted = false;
		try {
			admitted = this.open && this.quota.hasRoom(principal, address, undecided);
			return admitted;
		}
		finally {
			if (!admitted) {
				endHandshake();
			}
		}
	}

	/** Ends an admitted handshake. */
	public void endHandshake() {
		CompletableFuture<@Nullable Void> none = (this.handshakes.decrementAndGet() == 0) ? this.noHandshakes : null;
		if (none != null) {
			none.complete(null);
		}
	}

	/**
	 * Reserves a place for a session, and waits for the answer of other nodes if they
	 * count its principal's sessions as well.
	 * @param undecided whether it may turn out to replace another one; {@link #decide}
	 * then follows, and nothing is waited for
	 * @return the place, or {@code null} if none is free
	 */
	public @Nullable SessionPlace reserve(WebSocketSession session, boolean undecided) {
		List<SessionQuota.Key> keys = this.quota.reserve(session, undecided);
		if (keys == null) {
			return null;
		}
		if (undecided) {
			return new SessionPlace(new SessionPlace.Holding(keys, SharedPlaces.NOTHING), true);
		}
		Principal principal = session.getPrincipal();
		SessionPlace.Shared taken = null;
		try {
			taken = (principal != null) ? this.shared.claim(ClientNames.require(principal)) : SharedPlaces.NOTHING;
		}
		finally {
			if (taken == null) {
				this.quota.release(keys);
			}
		}
		if (taken == null) {
			return null;
		}
		return new SessionPlace(new SessionPlace.Holding(keys, taken), false);
	}

	/**
	 * Assigns a place to a session until it ends, or {@linkplain #replace is replaced}.
	 */
	void occupy(SessionPlace place, OrderedWebSocketSession session) {
		if (place.isExchanged()) {
			this.places.put(session, place);
		}
		session.ended().whenComplete((nothing, failure) -> {
			this.places.remove(session);
			release(place);
		});
	}

	/** Gives a place back. */
	void release(SessionPlace place) {
		giveBack(place.exchange(null));
	}

	private CompletableFuture<?> giveBack(SessionPlace.@Nullable Holding holding) {
		if (holding == null) {
			return CompletableFuture.completedFuture(null);
		}
		this.quota.release(holding.keys());
		return holding.shared().giveBack();
	}

	/**
	 * Reserves the place of a session for a connection that was undecided.
	 * @param anyhow whether the place is granted beyond the limit of all nodes
	 * @return whether there is one
	 */
	public CompletableFuture<Boolean> decide(OrderedWebSocketSession session, boolean anyhow) {
		SessionPlace place = this.places.get(session);
		SessionPlace.Holding present = (place != null) ? place.holding() : null;
		List<SessionQuota.Key> keys = (present != null) ? this.quota.decide(session, present.keys()) : null;
		if (place == null || present == null || keys == null) {
			return CompletableFuture.completedFuture(false);
		}
		List<SessionQuota.Key> taken = keys.stream().filter((key) -> !present.keys().contains(key)).toList();
		Principal principal = session.getPrincipal();
		return claimLater(principal, anyhow).whenComplete((shared, failure) -> {
			if (failure != null) {
				this.quota.release(taken);
			}
		}).thenApply((shared) -> {
			if (shared == null) {
				this.quota.release(taken);
				return false;
			}
			if (place.exchange(new SessionPlace.Holding(keys, shared)) == null) {
				giveBack(new SessionPlace.Holding(taken, shared));
				return false;
			}
			this.quota.release(present.keys().stream().filter((key) -> !keys.contains(key)).toList());
			return true;
		});
	}

	private CompletableFuture<SessionPlace.@Nullable Shared> claimLater(@Nullable Principal principal, boolean anyhow) {
		try {
			return (principal != null) ? this.shared.claimLater(ClientNames.require(principal), anyhow)
					: CompletableFuture.completedFuture(SharedPlaces.NOTHING);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Releases the place of a session whose connection was replaced, except for the
	 * connection itself, which counts until it ends.
	 * @return ends when the other nodes have been notified
	 */
	public CompletableFuture<?> replace(OrderedWebSocketSession session) {
		SessionPlace place = this.places.get(session);
		SessionPlace.Holding present = (place != null) ? place.holding() : null;
		if (place == null || present == null) {
			return CompletableFuture.completedFuture(null);
		}
		List<SessionQuota.Key> kept = SessionQuota.replaced(present.keys());
		SessionPlace.Holding former = place.exchange(new SessionPlace.Holding(kept, SharedPlaces.NOTHING));
		return (former != null)
				? giveBack(new SessionPlace.Holding(
						former.keys().stream().filter((key) -> !kept.contains(key)).toList(), former.shared()))
				: CompletableFuture.completedFuture(null);
	}

	/** Returns the maximum number of sessions of a principal. */
	public int maxPerPrincipal() {
		return this.quota.limits().perPrincipal();
	}

	/** Includes the sessions of other nodes in the count, from now on. */
	public void share(SharedPlaces shared) {
		this.shared = shared;
	}

	/** Returns whether new sessions and messages are accepted. */
	public boolean isOpen() {
		return this.open;
	}

	void open() {
		this.open = true;
	}

	/**
	 * Stops admitting sessions. A session whose handshake is in progress still opens.
	 * @return ends when no handshake is in progress, and the admitted sessions have been
	 * opened
	 */
	public CompletableFuture<@Nullable Void> close() {
		this.open = false;
		CompletableFuture<@Nullable Void> none = new CompletableFuture<>();
		this.noHandshakes = none;
		if (this.handshakes.get() == 0) {
			return CompletableFuture.completedFuture(null);
		}
		return none.thenApplyAsync((nothing) -> nothing,
				CompletableFuture.delayedExecutor(MOMENT_MILLIS, TimeUnit.MILLISECONDS));
	}

	/** Places of principals that all nodes share. */
	@FunctionalInterface
	public interface SharedPlaces {

		/** Releases nothing. */
		SessionPlace.Shared NOTHING = () -> CompletableFuture.completedFuture(null);

		/** No other node counts. */
		SharedPlaces NONE = (principal) -> NOTHING;

		/**
		 * Takes a place; may wait.
		 * @return releases the place, or {@code null} if none is free
		 */
		SessionPlace.@Nullable Shared claim(String principal);

		/**
		 * Takes a place without waiting.
		 * @param anyhow whether to grant a place beyond the limit
		 * @return what {@link #claim} returns
		 */
		default CompletableFuture<SessionPlace.@Nullable Shared> claimLater(String principal, boolean anyhow) {
			return CompletableFuture.completedFuture(claim(principal));
		}

	}

}
