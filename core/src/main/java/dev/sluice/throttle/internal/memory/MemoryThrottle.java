package dev.sluice.throttle.internal.memory;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.internal.ClockTimer;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.argument.BoundedText;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.throttle.internal.line.Completions;
import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Line;
import dev.sluice.throttle.internal.line.LineOwner;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.line.SingleWaiter;
import dev.sluice.throttle.internal.line.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * Base class of the throttles in memory. Implements limit changes and the waiting line.
 */
public abstract class MemoryThrottle<C extends Cell> extends KeyedThrottle<C> implements LineOwner {

	/*
	 * A decision is made on the cell of its key, under the terms of the throttle: on the
	 * lock-free path, if the cell was created under the current terms, or else under the
	 * cell's guard.
	 *
	 * A change sets the new terms first and then acquires each cell's guard once. A rate
	 * limit replaces the cell by one with the new terms and kills the old one; the line
	 * is re-evaluated. A decision under the old terms therefore precedes the change, as
	 * its CAS fails on a dead cell. A cell that was created under the old terms and
	 * published late is detected by comparing the terms before its use.
	 *
	 * Attacked by ChangeTests and ConcurrentGrantTests.
	 */

	private final Completions completions;

	/** Held while the throttle is changed or removed. */
	private final ReentrantLock changes = new ReentrantLock();

	/**
	 * Written before the lines are emptied, and read under the guard of a line's cell.
	 */
	private volatile boolean linesClosed;

	protected MemoryThrottle(CompiledLimit terms, Completions completions, @Nullable Listening listening) {
		super(terms, listening);
		this.completions = completions;
	}

	// Decisions, all under the guard

	/** Evaluates a call for immediate admission and returns a {@link Verdict}. */
	public abstract long evaluate(C cell, int permits, @Nullable String owner, long now);

	/** Returns 0, or the nanoseconds until the head of the line can be served. */
	public abstract long untilServed(C cell, int permits, long now);

	/** Takes permits for a call with an admitting verdict. */
	protected abstract Permit take(C cell, String key, int permits, @Nullable String owner, long now);

	/** Takes permits for an admitted call that may be refunded later. */
	public abstract Permit takeRefundable(C cell, String key, int permits, @Nullable String owner, long now);

	/** Grants a place in line that can be served, and claims its waiters. */
	protected abstract void grant(C cell, Place place, long now, DeferredActions deferred);

	public final void perform(DeferredActions deferred) {
		deferred.perform(this.clock, this.completions);
	}

	// The line

	@Override
	public final void report(Waiter waiter, String key, int permits, Object outcome) {
		if (this.listening == null) {
			return;
		}
		long waited = this.clock.nanoTime() - waiter.since;
		if (outcome instanceof Permit) {
			this.listening.admitted(resource(), key, permits, waited);
		}
		else if (outcome instanceof ThrottledException throttled && throttled.resource().equals(resource())) {
			this.listening.rejected(resource(), key, permits, throttled.reason(), waited);
		}
	}

	@Override
	public final CompletableFuture<Permit> acquire(String key, int permits, Duration maxWait) {
		return acquire(BoundedText.of("key", key), permits, null, maxWait);
	}

	@Override
	public final CompletableFuture<Permit> acquire(AcquireRequest request) {
		return acquire(request.key(), request.permits(), ownerOf(request), request.maxWait());
	}

	/** Returns the owner of a request, or {@code null} for a rate limit. */
	public abstract @Nullable String ownerOf(AcquireRequest request);

	/**
	 * Returns whether an owner already holds permits of a key and is therefore admitted.
	 */
	public boolean isHeldBy(C cell, @Nullable String owner) {
		return false;
	}

	/**
	 * Returns, once, the owner that has acquired permits while other calls of the same
	 * owner may wait for them. Called under the guard.
	 */
	protected @Nullable String pollNewHolder(C cell) {
		return null;
	}

	private CompletableFuture<Permit> acquire(String key, int permits, @Nullable String owner, Duration maxWait) {
		Checks.notNegative("maxWait", maxWait);
		this.terms.checkPermits(permits);
		C cell = lock(key);
		if (cell == null) {
			return answer(rejectNewKey(key, permits));
		}
		DeferredActions deferred = new DeferredActions();
		Decision decision = null;
		Waiter waiter = null;
		long verdict;
		try {
			this.terms.checkPermits(permits);
			long now = this.clock.nanoTime();
			verdict = evaluate(cell, permits, owner, now);
			if (verdict == Verdict.ADMITTED) {
				decision = Decision.admitted(take(cell, key, permits, owner, now));
			}
			else if (mayWait(cell, Verdict.waitNanos(verdict), maxWait)) {
				waiter = line(cell, key, permits, owner, maxWait, now);
				serve(cell, key, now, deferred);
			}
			else {
				decision = reject(cell, key, verdict);
			}
		}
		finally {
			unlock(key, cell);
		}
		perform(deferred);
		if (waiter != null) {
			return waiter;
		}
		report(key, permits, verdict);
		return answer(Objects.requireNonNull(decision));
	}

	public final boolean mayWait(C cell, long waitNanos, Duration maxWait) {
		return !this.linesClosed && WaitPolicy.mayWait(this.terms.options, cell.waiting(), waitNanos, maxWait);
	}

	private Waiter line(C cell, String key, int permits, @Nullable String owner, Duration maxWait, long now) {
		Line line = cell.line();
		Place place = (owner != null) ? line.placeOf(owner) : null;
		if (place != null && permits > place.permits) {
			throw new IllegalArgumentException("'permits' must be at most " + place.permits
					+ ", for which the same owner already waits at '" + resource() + "': " + permits);
		}
		boolean joins = place != null;
		place = (place != null) ? place : new Place(key, permits, owner, now);
		SingleWaiter waiter = new SingleWaiter(this, place, now);
		waiter.limitWait(maxWait);
		if (joins) {
			line.join(place, waiter);
		}
		else {
			line.add(place, waiter);
		}
		return waiter;
	}

	public static CompletableFuture<Permit> answer(Decision decision) {
		return decision.admitted() ? CompletableFuture.completedFuture(decision.permit())
				: CompletableFuture.failedFuture(decision.throttled());
	}

	/**
	 * Serves the line as far as possible and schedules the next attempt. Called under the
	 * guard.
	 */
	public final void serve(C cell, String key, long now, DeferredActions deferred) {
		Line line = cell.existingLine();
		if (line == null) {
			return;
		}
		long wait = Verdict.UNKNOWN;
		Place head;
		serveHolder(cell, line, now, deferred);
		while ((head = line.head()) != null) {
			wait = (this.terms.options.dryRun() || isHeldBy(cell, head.owner)) ? 0
					: untilServed(cell, head.permits, now);
			if (wait != 0) {
				break;
			}
			Waiter first = head.first;
			if (first instanceof DeferredActions.Attempt attempt && !first.isSettled()) {
				deferred.attempt(attempt);
				wait = Verdict.UNKNOWN;
				break;
			}
			line.remove(head);
			grant(cell, head, now, deferred);
			serveHolder(cell, line, now, deferred);
		}
		wake(line, key, wait, now, deferred);
	}

	/** Serves the places of an owner that has acquired the permits in the meantime. */
	private void serveHolder(C cell, Line line, long now, DeferredActions deferred) {
		String owner = pollNewHolder(cell);
		Place place = (owner != null) ? line.placesOf(owner) : null;
		while (place != null) {
			Place next = place.nextOfOwner;
			if (place.first instanceof DeferredActions.Attempt attempt) {
				deferred.attempt(attempt);
			}
			else {
				line.remove(place);
				grant(cell, place, now, deferred);
			}
			place = next;
		}
	}

	/** Schedules the next check of the line. */
	protected final void wake(Line line, String key, long headWait, long now, DeferredActions deferred) {
		ClockTimer alarm = line.alarm;
		long wait = line.isEmpty() ? Verdict.UNKNOWN : headWait;
		if (!line.isEmpty() && line.isTimed()) {
			long untilDeadline = Math.max(0, line.firstDeadline() - now);
			wait = (wait == Verdict.UNKNOWN) ? untilDeadline : Math.min(wait, untilDeadline);
		}
		if (wait == Verdict.UNKNOWN) {
			if (alarm != null) {
				deferred.cancel(alarm);
				line.alarm = null;
			}
		}
		else if (alarm == null || alarm.time - (now + wait) > 0) {
			if (alarm != null) {
				deferred.cancel(alarm);
			}
			line.alarm = new ClockTimer(now + wait, (timer) -> ring(key, timer));
			deferred.start(line.alarm);
		}
	}

	/**
	 * Processes the alarm of a line: serves it, including joint waiters, and then rejects
	 * the calls whose wait time has passed.
	 */
	private void ring(String key, ClockTimer alarm) {
		withLine(key, (cell, line, deferred) -> {
			if (line.alarm == alarm) {
				line.alarm = null;
				serve(cell, key, this.clock.nanoTime(), deferred);
			}
		});
		withLine(key, (cell, line, deferred) -> {
			long now = this.clock.nanoTime();
			if (line.isTimed() && line.firstDeadline() - now <= 0) {
				expire(cell, line, now, deferred);
				serve(cell, key, now, deferred);
			}
		});
	}

	/** Runs an action on a key's line under its guard, and then its deferred actions. */
	private void withLine(String key, LineAction<C> action) {
		C cell = lockExisting(key);
		if (cell == null) {
			return;
		}
		DeferredActions deferred = new DeferredActions();
		try {
			Line line = cell.existingLine();
			if (line != null) {
				action.perform(cell, line, deferred);
			}
		}
		finally {
			unlock(key, cell);
			perform(deferred);
		}
	}

	private void expire(C cell, Line line, long now, DeferredActions deferred) {
		for (Line.Late late : line.findLate(now)) {
			if (late.waiter().claim()) {
				line.remove(late.waiter(), late.place());
				line.rejected.add(1);
				long verdict = evaluate(cell, late.place().permits, null, now);
				deferred.settle(late.waiter(), this.terms.throttled(late.place().key, Verdict.waitNanos(verdict)));
			}
		}
	}

	@Override
	public final void leave(Waiter waiter, Place place) {
		withLine(place.key, (cell, line, deferred) -> {
			line.remove(waiter, place);
			serve(cell, place.key, this.clock.nanoTime(), deferred);
		});
	}

	// Changes

	@Override
	public final boolean update(Limit limit, LimitOptions options) {
		this.changes.lock();
		try {
			CompiledLimit terms = this.terms;
			if (terms.removed) {
				return false;
			}
			ManagedThrottle.checkKind(terms.resource, terms.limit, limit);
			if (!terms.equalTo(limit, options)) {
				changeTerms(compile(terms.changed(limit, options)));
				this.keys.forEach((key, cell) -> reevaluate(key));
			}
			return true;
		}
		finally {
			this.changes.unlock();
		}
	}

	/** Adds the precomputed values of this kind of throttle to new terms. */
	protected CompiledLimit compile(CompiledLimit terms) {
		return terms;
	}

	protected void changeTerms(CompiledLimit terms) {
		this.terms = terms;
	}

	/** Re-evaluates the waiters of a key under the current terms. */
	protected final void reevaluate(String key) {
		withLine(key, (cell, line, deferred) -> {
			line.outdate();
			Place place = line.head();
			while (place != null) {
				Place next = place.next;
				if (place.permits > this.terms.maxPermits) {
					fail(line, place, deferred);
				}
				place = next;
			}
			serve(cell, key, this.clock.nanoTime(), deferred);
		});
	}

	/** Rejects the calls of a place in line. */
	protected final void fail(Line line, Place place, DeferredActions deferred) {
		line.remove(place);
		for (Waiter waiter = place.first; waiter != null; waiter = waiter.nextHere) {
			if (waiter.claim()) {
				line.rejected.add(1);
				deferred.settle(waiter, this.terms.throttled(place.key, Verdict.UNKNOWN));
			}
		}
	}

	@Override
	public final boolean remove() {
		this.changes.lock();
		try {
			if (this.terms.removed) {
				return false;
			}
			requireNotHeld();
			this.terms = this.terms.removed();
			this.keys.forEach((key, cell) -> end(key));
			return true;
		}
		finally {
			this.changes.unlock();
		}
	}

	protected void requireNotHeld() {
	}

	private void end(String key) {
		C cell = lockExisting(key);
		if (cell == null) {
			return;
		}
		DeferredActions deferred = new DeferredActions();
		try {
			Line line = cell.existingLine();
			if (line != null) {
				failAll(line, key, deferred);
			}
		}
		finally {
			this.keys.remove(key, cell);
			cell.kill();
		}
		perform(deferred);
	}

	private void failAll(Line line, String key, DeferredActions deferred) {
		Place place;
		while ((place = line.head()) != null) {
			fail(line, place, deferred);
		}
		wake(line, key, Verdict.UNKNOWN, 0, deferred);
	}

	@Override
	public final void closeLines() {
		this.linesClosed = true;
		this.keys.forEach((key, known) -> withLine(key, (cell, line, deferred) -> failAll(line, key, deferred)));
	}

	/** Action on a waiting line under the guard of its cell. */
	@FunctionalInterface
	private interface LineAction<C> {

		void perform(C cell, Line line, DeferredActions deferred);

	}

}
