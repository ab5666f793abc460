package dev.sluice.websocket.session;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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

	private final HandshakeRate rate;

	private final AtomicInteger handshakes = new AtomicInteger();

	private volatile @Nullable CompletableFuture<@Nullable Void> noHandshakes;

	private volatile boolean open = true;

	SessionAdmission(SessionQuota quota, HandshakeRate rate) {
		this.quota = quota;
		this.rate = rate;
	}

	/** Returns whether a handshake may begin now, as there were not too many. */
	public boolean isWithinRate() {
		return this.rate.tryBegin();
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
	 * Takes a place for a session.
	 * @return the place, or {@code null} if there is none
	 */
	public @Nullable List<SessionQuota.Key> reserve(WebSocketSession session) {
		return this.quota.reserve(session);
	}

	/** Gives a place back. */
	void release(List<SessionQuota.Key> place) {
		this.quota.release(place);
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

}
