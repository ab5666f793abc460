package dev.sluice.websocket.session;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;

/** Admission of handshakes and sessions. */
public final class SessionAdmission {

	private final SessionQuota quota;

	private final Handshakes handshakes = new Handshakes();

	private volatile boolean open = true;

	SessionAdmission(SessionQuota quota) {
		this.quota = quota;
	}

	/**
	 * Begins a handshake, which {@link #endHandshake()} follows if it is admitted.
	 * @return whether it is admitted
	 */
	public boolean beginHandshake(@Nullable Principal principal, @Nullable InetSocketAddress address) {
		this.handshakes.begin();
		if (this.open && this.quota.hasRoom(principal, address)) {
			return true;
		}
		this.handshakes.end();
		return false;
	}

	/** Ends an admitted handshake. */
	public void endHandshake() {
		this.handshakes.end();
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

	/** Whether new sessions and messages are taken. */
	public boolean isOpen() {
		return this.open;
	}

	void open() {
		this.open = true;
	}

	/**
	 * Admits no more. A session whose handshake is under way opens still.
	 * @return ends when no handshake is under way
	 */
	public CompletableFuture<@Nullable Void> close() {
		this.open = false;
		return this.handshakes.none();
	}

}
