package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Periodically refreshes the records of sessions with a connection. */
final class RecordRefresh {

	/*
	 * There is at most one timer, and one while there are connections. A limited number
	 * of records is kept at a time, because a bus accepts a limited number of unanswered
	 * requests. Attacked by RecordRefreshTests.
	 */

	static final Duration INTERVAL = Duration.ofMinutes(20);

	static final int AT_ONCE = 1_000;

	/**
	 * The sessions that a stopping node leaves include their direct messages, and may be
	 * large.
	 */
	static final int LEFT_AT_ONCE = 100;

	private static final int LEFT_IN_A_SECOND = 1_000;

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final NanoClock clock;

	private final Collection<ResumableSession> connected;

	private final Function<ResumableSession, CompletableFuture<?>> keep;

	private @Nullable Future<?> timer;

	private boolean closed;

	/**
	 * Refreshes nothing yet.
	 * @param connected a live view of the sessions with a connection
	 * @param keep keeps the record of a session, which may have none any longer
	 */
	RecordRefresh(NanoClock clock, Collection<ResumableSession> connected,
			Function<ResumableSession, CompletableFuture<?>> keep) {
		this.clock = clock;
		this.connected = connected;
		this.keep = keep;
	}

	/** Schedules the refresh, unless it is already scheduled. */
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
		keepAll(this.connected.iterator(), AT_ONCE,
				(session) -> isClosed() ? CompletableFuture.completedFuture(null) : this.keep.apply(session));
	}

	/** Keeps records, a limited number at a time; ends when all have an answer. */
	private static CompletableFuture<Boolean> keepAll(Iterator<ResumableSession> sessions, int atOnce,
			Function<ResumableSession, CompletableFuture<?>> keep) {
		List<CompletableFuture<?>> kept = new ArrayList<>();
		while (sessions.hasNext() && kept.size() < atOnce) {
			kept.add(keep.apply(sessions.next()));
		}
		CompletableFuture<Boolean> answered = CompletableFuture.allOf(kept.toArray(CompletableFuture[]::new))
			.handle((nothing, failure) -> true);
		return sessions.hasNext() ? answered.completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
			.thenCompose((all) -> keepAll(sessions, atOnce, keep)) : answered;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	/**
	 * Stops refreshing, because the node stops, and waits for a limited time.
	 * @param left sessions that it has still
	 * @param leave passes their records to the bus
	 * @param time the maximum time for one record
	 */
	void close(List<ResumableSession> left, Function<ResumableSession, CompletableFuture<?>> leave, Duration time) {
		synchronized (this) {
			this.closed = true;
			if (this.timer != null) {
				this.timer.cancel(false);
			}
		}
		CompletableFuture<Boolean> all = keepAll(left.iterator(), LEFT_AT_ONCE, leave);
		Future<?> late = this.clock.schedule(() -> all.complete(false),
				time.plus(PATIENCE.multipliedBy(left.size() / LEFT_IN_A_SECOND)));
		all.join();
		late.cancel(false);
	}

}
