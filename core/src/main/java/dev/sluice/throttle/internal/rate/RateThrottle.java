package dev.sluice.throttle.internal.rate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.Refundable;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.argument.BoundedText;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.throttle.internal.line.Completions;
import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Line;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.line.Waiter;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/** Rate limit in memory. */
public final class RateThrottle extends MemoryThrottle<RateCell> {

	private final KeyEviction sweeper;

	public RateThrottle(CompiledLimit terms, Completions completions, @Nullable Listening listening) {
		super(DynamicWindowLimit.of(terms, null), completions, listening);
		this.sweeper = new KeyEviction(this.keys, this.tally, this.clock);
	}

	@Override
	public long tryAcquireNanos(String key, int permits) {
		long verdict = decide(BoundedText.of("key", key), permits);
		return (verdict == Verdict.ADMITTED || this.terms.options.dryRun()) ? 0 : Verdict.waitNanos(verdict);
	}

	@Override
	public Decision tryAcquire(String key, int permits) {
		return tryAcquireBounded(BoundedText.of("key", key), permits);
	}

	private Decision tryAcquireBounded(String key, int permits) {
		long verdict = decide(key, permits);
		if (verdict == Verdict.ADMITTED || this.terms.options.dryRun()) {
			return Verdict.SPENT;
		}
		return Decision.rejected(Verdict.reason(verdict), resource(), key, Verdict.waitNanos(verdict));
	}

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		return tryAcquireBounded(request.key(), request.permits());
	}

	/** Takes permits or counts a rejection, and notifies the listeners. */
	private long decide(String key, int permits) {
		long verdict = takeOrCount(key, permits);
		if (this.listening != null) {
			this.listening.decided(resource(), key, permits, verdict);
		}
		return verdict;
	}

	private long takeOrCount(String key, int permits) {
		CompiledLimit terms = this.terms;
		terms.checkPermits(permits);
		RateCell cell = this.keys.find(key);
		if (cell != null && cell.terms == terms) {
			long wait = cell.tryAcquire(permits);
			if (wait == 0) {
				return Verdict.ADMITTED;
			}
			if (wait > 0) {
				count(cell);
				return Verdict.limit(wait);
			}
			if (wait == RateCell.ADMITTED_AND_SWEEP) {
				this.sweeper.sweep(terms);
				return Verdict.ADMITTED;
			}
		}
		return decideGuarded(key, permits);
	}

	private long decideGuarded(String key, int permits) {
		RateCell cell = lock(key);
		if (cell == null) {
			count(null);
			return Verdict.keyCap(roomAfter(this.terms));
		}
		try {
			this.terms.checkPermits(permits);
			long now = this.clock.nanoTime();
			long verdict = evaluate(cell, permits, null, now);
			if (verdict == Verdict.ADMITTED) {
				cell.take(permits, now);
			}
			else {
				count(cell);
			}
			return verdict;
		}
		finally {
			unlock(key, cell);
		}
	}

	@Override
	public boolean release(String key, String owner) {
		Checks.notNull("key", key);
		Checks.notNull("owner", owner);
		return false;
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		return CompletableFuture.completedFuture(release(key, owner));
	}

	@Override
	public boolean forget(String key) {
		return forgetUsed(BoundedText.of("key", key));
	}

	private boolean forgetUsed(String key) {
		RateCell cell = lockExisting(key);
		if (cell == null) {
			return false;
		}
		DeferredActions deferred = new DeferredActions();
		boolean used;
		try {
			long now = this.clock.nanoTime();
			used = cell.used(now) > 0;
			RateCell fresh = create(this.terms);
			cell.forget(now);
			cell = replace(key, cell, fresh);
			serveAfresh(cell, key, now, deferred);
		}
		finally {
			unlock(key, cell);
		}
		perform(deferred);
		serveOtherKeys();
		return used;
	}

	/** Serves the line of a cell after permits were returned outside the forecast. */
	private void serveAfresh(RateCell cell, String key, long now, DeferredActions deferred) {
		Line line = cell.existingLine();
		if (line != null) {
			line.outdate();
			serve(cell, key, now, deferred);
		}
	}

	/** Permits returned by one key of a dynamic window may serve waiters of others. */
	private void serveOtherKeys() {
		if (DynamicWindowLimit.sharesOf(this.terms) != null) {
			this.keys.forEach((key, cell) -> {
				if (cell.waiting() > 0) {
					reevaluate(key);
				}
			});
		}
	}

	@Override
	protected RateCell create(CompiledLimit terms) {
		return switch (terms.type) {
			case FIXED_WINDOW -> new FixedWindowCell(terms);
			case SLIDING_WINDOW -> new SlidingWindowCell(terms);
			case TOKEN_BUCKET -> new TokenBucketCell(terms);
			case DYNAMIC_WINDOW -> new DynamicWindowCell(terms, ((DynamicWindowLimit) terms).shares);
			default -> new SlidingLogCell(terms);
		};
	}

	@Override
	protected CompiledLimit compile(CompiledLimit terms) {
		return DynamicWindowLimit.of(terms, this.terms);
	}

	@Override
	public void changeTerms(CompiledLimit terms) {
		DynamicWindowShares shares = DynamicWindowLimit.sharesOf(terms);
		if (shares == null) {
			super.changeTerms(terms);
		}
		else if (shares == DynamicWindowLimit.sharesOf(this.terms)) {
			changeShares(terms, shares);
		}
		else {
			share(terms, shares);
		}
	}

	/** Changes all keys of a dynamic window together, as they share a guard. */
	private void changeShares(CompiledLimit terms, DynamicWindowShares shares) {
		shares.enter();
		try {
			shares.change(terms);
			super.changeTerms(terms);
			this.keys.forEach((key, cell) -> {
				RateCell renewed = lockExisting(key);
				if (renewed != null) {
					renewed.unlock();
				}
			});
		}
		finally {
			shares.exit();
		}
	}

	/**
	 * Moves all keys with separate limits to a dynamic window together, so that the usage
	 * of all keys is counted before a call takes from the shared capacity. The guards are
	 * acquired in the order of a joint step. Only a key that is created concurrently
	 * under the old terms is counted later: at its next use, and at the latest by the end
	 * of the change.
	 */
	private void share(CompiledLimit terms, DynamicWindowShares shares) {
		SortedMap<String, RateCell> cells = new TreeMap<>();
		this.keys.forEach(cells::put);
		cells.replaceAll((key, cell) -> lockExisting(key));
		shares.enter();
		try {
			super.changeTerms(terms);
			cells.forEach((key, cell) -> {
				if (cell != null) {
					renew(key, cell, terms).unlock();
				}
			});
		}
		finally {
			shares.exit();
		}
	}

	@Override
	public @Nullable String ownerOf(AcquireRequest request) {
		return null;
	}

	@Override
	protected RateCell renew(String key, RateCell cell, CompiledLimit terms) {
		long now = this.clock.nanoTime();
		if (cell.terms == terms && !cell.isWornOut(now)) {
			return cell;
		}
		RateCell successor = create(terms);
		successor.adopt(cell, now);
		return replace(key, cell, successor);
	}

	/** Replaces a cell by another, which takes over the line, and kills the old one. */
	private RateCell replace(String key, RateCell cell, RateCell by) {
		by.inherit(cell);
		this.tally.admitted.add(cell.untallied());
		this.keys.replace(key, cell, by);
		cell.kill();
		this.sweeper.note(key);
		return by;
	}

	@Override
	protected void keyAdded(String key, CompiledLimit terms) {
		this.sweeper.note(key);
		if (this.clock.nanoTime() - this.tally.sweepAt >= 0) {
			this.sweeper.sweep(terms);
		}
	}

	/** Acquires the guard of a dynamic window before the sweep lock, never after. */
	@Override
	protected boolean makeRoom(CompiledLimit terms) {
		DynamicWindowShares shares = DynamicWindowLimit.sharesOf(terms);
		if (shares == null) {
			return this.sweeper.makeRoom(terms);
		}
		shares.enter();
		try {
			return this.sweeper.makeRoom(terms);
		}
		finally {
			shares.exit();
		}
	}

	@Override
	public long roomAfter(CompiledLimit terms) {
		return this.sweeper.roomAfter();
	}

	@Override
	public void unlock(String key, RateCell cell) {
		Line line = cell.existingLine();
		boolean emptied = line != null && line.pollEmptied();
		if (emptied) {
			cell.endForecast();
		}
		cell.unlock();
		if (emptied) {
			this.sweeper.note(key);
		}
	}

	@Override
	public long evaluate(RateCell cell, int permits, @Nullable String owner, long now) {
		Line line = cell.existingLine();
		if (line != null && !line.isEmpty()) {
			// A joint waiter may be in this line although permits are available here.
			return Verdict.line(Math.max(1, cell.forecast(now).earliest(permits, now)));
		}
		long wait = cell.earliest(permits, now);
		return (wait == 0) ? Verdict.ADMITTED : Verdict.limit(wait);
	}

	@Override
	public long untilServed(RateCell cell, int permits, long now) {
		return cell.earliest(permits, now);
	}

	@Override
	protected Permit take(RateCell cell, String key, int permits, @Nullable String owner, long now) {
		cell.take(permits, now);
		return Permit.spent();
	}

	@Override
	public Permit takeRefundable(RateCell cell, String key, int permits, @Nullable String owner, long now) {
		cell.take(permits, now);
		return new RatePermit(key, cell, permits, now);
	}

	@Override
	protected void grant(RateCell cell, Place place, long now, DeferredActions deferred) {
		Waiter waiter = place.first;
		if (waiter != null && waiter.claim()) {
			deferred.settle(waiter, takeRefundable(cell, place.key, place.permits, null, now));
		}
	}

	/**
	 * Returns permits that were taken from a cell at the given time, and serves the line.
	 * If the cell has been replaced, the permits are not returned: after the key was
	 * forgotten, the new cell has no record of them; after a change, it counts them by
	 * other terms.
	 */
	void refund(String key, RateCell from, int permits, long takenAt) {
		RateCell cell = lockExisting(key);
		if (cell == null) {
			return;
		}
		DeferredActions deferred = new DeferredActions();
		try {
			if (cell == from) {
				long now = this.clock.nanoTime();
				cell.refund(permits, takenAt, now);
				serveAfresh(cell, key, now, deferred);
			}
		}
		finally {
			unlock(key, cell);
		}
		this.sweeper.note(key);
		perform(deferred);
		serveOtherKeys();
	}

	@Override
	protected KeyState describe(String key, @Nullable RateCell cell, long now) {
		if (cell == null) {
			int limit = this.terms.limit.maxUsed();
			return new KeyState(key, limit, 0, limit, 0, 0, Duration.ZERO, Duration.ZERO, Optional.empty());
		}
		int limit = cell.limit(now);
		int used = cell.used(now);
		long retryAfter = Verdict.waitNanos(evaluate(cell, 1, null, now));
		return new KeyState(key, limit, used, Math.max(0, limit - used), cell.rejected(), cell.waiting(),
				Duration.ofNanos(retryAfter), Duration.ofNanos(cell.idleAfter(now)), Optional.empty());
	}

	@Override
	protected int used(RateCell cell, long now) {
		return cell.used(now);
	}

	@Override
	protected long untallied(RateCell cell) {
		return cell.untallied();
	}

	@Override
	protected void addHolders(String key, RateCell cell, List<Holder> holders) {
		// a rate is spent, not held
	}

	@Override
	protected long held() {
		return 0;
	}

	/**
	 * Permits that are spent, unless the call that acquired them fails or is cancelled.
	 */
	private final class RatePermit implements Refundable {

		private final String key;

		private final RateCell takenFrom;

		private final int permits;

		private final long takenAt;

		RatePermit(String key, RateCell takenFrom, int permits, long takenAt) {
			this.key = key;
			this.takenFrom = takenFrom;
			this.permits = permits;
			this.takenAt = takenAt;
		}

		@Override
		public void refund() {
			RateThrottle.this.refund(this.key, this.takenFrom, this.permits, this.takenAt);
		}

		@Override
		public void close() {
			// spent
		}

		@Override
		public String toString() {
			return Permit.spent().toString();
		}

	}

}
