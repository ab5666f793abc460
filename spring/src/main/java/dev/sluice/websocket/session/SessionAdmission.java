package dev.sluice.websocket.session;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;

/** Admission of handshakes and sessions. */
public final class SessionAdmission {

	/*
	 * A handshake is counted before it is decided whether new sessions are taken, and
	 * close() looks at the count when they are no longer: so each that was admitted is
	 * waited for.
	 *
	 * The container opens the session a moment after the handshake's end, on the same
	 * thread; there is no telling when, or that it never will.
	 *
	 * Attacked by ShutdownTests.
	 */

	private static final long MOMENT_MILLIS = 100;

	private final SessionQuota quota;

	/** That of all handshakes; absent for any number. */
	private final @Nullable Throttle rate;

	private final AtomicInteger handshakes = new AtomicInteger();

	private volatile @Nullable CompletableFuture<@Nullable Void> noHandshakes;

	private volatile boolean open = true;

	private volatile SharedPlaces shared = SharedPlaces.NONE;

	/**
	 * Creates an admission.
	 * @param handshakeRate handshakes a second; {@link Integer#MAX_VALUE} for any number
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

	/** Returns whether a handshake may begin now, as there were not too many. */
	public boolean isWithinRate() {
		return this.rate == null || this.rate.tryAcquire().admitted();
	}

	/**
	 * Begins a handshake, which {@link #endHandshake()} follows if it is admitted.
	 * @return whether it is admitted
	 */
	public boolean beginHandshake(@Nullable Principal principal, @Nullable InetSocketAddress address) {
		this.handshakes.incrementAndGet();
		if (this.open && this.quota.hasRoom(principal, address)) {
			return true;
		}
		endHandshake();
		return false;
	}

	/** Ends an admitted handshake. */
	public void endHandshake() {
		CompletableFuture<@Nullable Void> none = (this.handshakes.decrementAndGet() == 0) ? this.noHandshakes : null;
		if (none != null) {
			none.complete(null);
		}
	}

	/**
	 * Takes a place for a session, and waits for the answer of other nodes where these
	 * count its principal's sessions, too.
	 * @return the place, or {@code null} if there is none
	 */
	public @Nullable SessionPlace reserve(WebSocketSession session) {
		List<SessionQuota.Key> keys = this.quota.reserve(session);
		if (keys == null) {
			return null;
		}
		Principal principal = session.getPrincipal();
		Runnable taken = (principal != null) ? this.shared.claim(principal.getName()) : SharedPlaces.NOTHING;
		if (taken == null) {
			this.quota.release(keys);
			return null;
		}
		return new SessionPlace(keys, taken);
	}

	/** Gives a place back. */
	void release(SessionPlace place) {
		this.quota.release(place.keys());
		place.shared().run();
	}

	/** Returns how many sessions a principal may have. */
	public int maxPerPrincipal() {
		return this.quota.limits().perPrincipal();
	}

	/** Lets the sessions of other nodes count, from now on. */
	public void share(SharedPlaces shared) {
		this.shared = shared;
	}

	/** Returns whether new sessions and messages are taken. */
	public boolean isOpen() {
		return this.open;
	}

	void open() {
		this.open = true;
	}

	/**
	 * Admits no more. A session whose handshake is under way opens still.
	 * @return ends when none is, and their sessions have been opened
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

		/** Gives back nothing. */
		Runnable NOTHING = () -> {
		};

		/** No other node counts. */
		SharedPlaces NONE = (principal) -> NOTHING;

		/**
		 * Takes a place; may wait.
		 * @return gives it back, or {@code null} if there is none
		 */
		@Nullable Runnable claim(String principal);

	}

}
