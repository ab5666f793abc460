package dev.sluice.websocket.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Keeps the records of sessions with a connection from time to time. */
final class RecordRefresh {

	/*
	 * There is one timer at most, while there are connections. Some records are kept at a
	 * time, as a bus takes only so many that it has not answered. Attacked by
	 * RecordRefreshTests.
	 */

	static final Duration INTERVAL = Duration.ofMinutes(20);

	static final int AT_ONCE = 1_000;

	private final NanoClock clock;

	private final Collection<ResumableSession> connected;

	private final Function<ResumableSession, CompletableFuture<?>> keep;

	private @Nullable Future<?> timer;

	private boolean closed;

	/**
	 * Refreshes nothing yet.
	 * @param connected the sessions with a connection, at any time
	 * @param keep keeps the record of a session, which may have none any more
	 */
	RecordRefresh(NanoClock clock, Collection<ResumableSession> connected,
			Function<ResumableSession, CompletableFuture<?>> keep) {
		this.clock = clock;
		this.connected = connected;
		this.keep = keep;
	}

	/** Refreshes later, if that is not under way. */
	synchronized void start() {
		if (this.timer == null && !this.closed) {
			this.timer = this.clock.schedule(this::refresh, INTERVAL);
		}
	}

	private void refresh() {
		synchronized (this) {
			this.timer = null;
		}
		if (!this.connected.isEmpty()) {
			start();
		}
		now();
	}

	/** Refreshes at once. */
	void now() {
		keepRest(this.connected.iterator());
	}

	private void keepRest(Iterator<ResumableSession> rest) {
		List<CompletableFuture<?>> kept = new ArrayList<>();
		while (rest.hasNext() && kept.size() < AT_ONCE && !isClosed()) {
			kept.add(this.keep.apply(rest.next()));
		}
		if (!kept.isEmpty()) {
			CompletableFuture.allOf(kept.toArray(CompletableFuture[]::new))
				.whenComplete((nothing, failure) -> keepRest(rest));
		}
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	synchronized void close() {
		this.closed = true;
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
