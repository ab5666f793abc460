package dev.sluice.websocket.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/** Count of the handshakes that are under way. */
public final class Handshakes {

	/*
	 * A handshake is counted before it is decided whether new sessions are taken, and
	 * none() is called when they are no longer: so each that was let in is waited for.
	 *
	 * The container opens the session a moment after the handshake's end, on the same
	 * thread; there is no telling when, or that it never will.
	 *
	 * Attacked by ShutdownTests.
	 */

	private static final long MOMENT_MILLIS = 100;

	private final AtomicInteger underWay = new AtomicInteger();

	private volatile @Nullable CompletableFuture<@Nullable Void> none;

	public void begin() {
		this.underWay.incrementAndGet();
	}

	public void end() {
		if (this.underWay.decrementAndGet() == 0) {
			CompletableFuture<@Nullable Void> none = this.none;
			if (none != null) {
				none.complete(null);
			}
		}
	}

	/**
	 * Waits for those that are under way.
	 * @return ends when none is, and their sessions have been opened
	 */
	public CompletableFuture<@Nullable Void> none() {
		CompletableFuture<@Nullable Void> none = new CompletableFuture<>();
		this.none = none;
		if (this.underWay.get() == 0) {
			return CompletableFuture.completedFuture(null);
		}
		return none.thenApplyAsync((nothing) -> nothing,
				CompletableFuture.delayedExecutor(MOMENT_MILLIS, TimeUnit.MILLISECONDS));
	}

}
