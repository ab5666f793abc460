package dev.sluice.throttle.internal.concurrency;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.OwnerReleases;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.argument.BoundedText;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.throttle.internal.concurrency.ConcurrencyCell.Holding;
import dev.sluice.throttle.internal.line.Completions;
import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.line.Waiter;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/** Concurrency limit in memory. */
public final class ConcurrencyThrottle extends MemoryThrottle<ConcurrencyCell> {

	/**
	 * Value of {@link #held} for a throttle that was removed while no permit was held.
	 */
	private static final long REMOVED = -1;

	/*
	 * Permits held over all keys. An admission is counted before the permits are taken,
	 * unless they are handed over from another holder and thus already counted. Freed
	 * permits are subtracted when the guard is released, after any hand-over. The CAS
	 * from 0 to REMOVED therefore excludes every grant, and a hand-over does not change
	 * the count. Attacked by ConcurrentGrantTests and HeldLincheckTests.
	 */
	private final AtomicLong held = new AtomicLong();

	private final AtomicLong tokens = new AtomicLong();

	private final OwnerNames names = new OwnerNames();

	private final OwnerReleases releases = new OwnerReleases();

	public ConcurrencyThrottle(CompiledLimit terms, Completions completions, @Nullable Listening listening) {
		super(terms, completions, listening);
	}

	@Override
	public Decision tryAcquire(String key, int permits) {
		return tryAcquire(BoundedText.of("key", key), permits, null);
	}

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		return tryAcquire(request.key(), request.permits(), request.owner());
	}

	private Decision tryAcquire(String key, int permits, @Nullable String owner) {
		this.terms.checkPermits(permits);
		ConcurrencyCell cell = lock(key);
		if (cell == null) {
			return rejectNewKey(key, permits);
		}
		Decision decision;
		long verdict;
		try {
			long now = this.clock.nanoTime();
			verdict = evaluate(cell, permits, owner, now);
			decision = (verdict == Verdict.ADMITTED) ? Decision.admitted(take(cell, key, permits, owner, now))
					: reject(cell, key, verdict);
		}
		finally {
			unlock(key, cell);
		}
		report(key, permits, verdict);
		return decision;
	}

	@Override
	public long tryAcquireNanos(String key, int permits) {
		throw Checks.held(resource(), this.terms.limit.type());
	}

	@Override
	public boolean release(String key, String owner) {
		Checks.notNull("key", key);
		Checks.notNull("owner", owner);
		boolean found = releaseUnreported(key, owner);
		this.releases.record(resource(), found);
		return found;
	}

	@Override
	public boolean releaseUnreported(String key, String owner) {
		return releaseAll(BoundedText.of("key", key), BoundedText.of("owner", owner));
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		Checks.notNull("key", key);
		Checks.notNull("owner", owner);
		return CompletableFuture.completedFuture(release(key, owner));
	}

	private boolean releaseAll(String key, String owner) {
		ConcurrencyCell cell = lockExisting(key);
		if (cell == null) {
			return false;
		}
		DeferredActions deferred = new DeferredActions();
		Holding hold;
		try {
			hold = cell.find(owner);
			if (hold != null) {
				end(hold, deferred);
			}
		}
		finally {
			unlock(key, cell);
		}
		ended(hold, deferred);
		return hold != null;
	}

	@Override
	public boolean forget(String key) {
		Checks.notNull("key", key);
		return false;
	}

	/** Closes an entry once. The last entry of an owner frees the owner's permits. */
	private void exit(ConcurrencyPermit permit) {
		Holding hold = permit.hold;
		if (!hold.cell.lock()) {
			return;
		}
		DeferredActions deferred = new DeferredActions();
		boolean last = false;
		try {
			if (!permit.closed && hold.entries > 0) {
				permit.closed = true;
				last = --hold.entries == 0;
				if (last) {
					end(hold, deferred);
				}
			}
		}
		finally {
			unlock(hold.key, hold.cell);
		}
		ended(last ? hold : null, deferred);
	}

	/** Frees the permits of a holding and hands them over. Called under the guard. */
	private void end(Holding hold, DeferredActions deferred) {
		hold.cell.remove(hold);
		if (hold.cell.hasWaiters()) {
			serve(hold.cell, hold.key, this.clock.nanoTime(), deferred);
		}
	}

	private void ended(@Nullable Holding hold, DeferredActions deferred) {
		if (hold != null) {
			perform(deferred);
			if (this.listening != null) {
				this.listening.released(resource(), hold.key, hold.permits, this.clock.nanoTime() - hold.since);
			}
		}
	}

	@Override
	protected ConcurrencyCell create(CompiledLimit terms) {
		return new ConcurrencyCell();
	}

	@Override
	public @Nullable String ownerOf(AcquireRequest request) {
		return request.owner();
	}

	@Override
	public boolean isHeldBy(ConcurrencyCell cell, @Nullable String owner) {
		return cell.heldBy(owner) != null;
	}

	@Override
	protected @Nullable String pollNewHolder(ConcurrencyCell cell) {
		return cell.pollNewHolder();
	}

	@Override
	protected ConcurrencyCell renew(String key, ConcurrencyCell cell, CompiledLimit terms) {
		return cell;
	}

	/** A key is removed with its last permit. */
	@Override
	protected void keyAdded(String key, CompiledLimit terms) {
	}

	@Override
	protected boolean makeRoom(CompiledLimit terms) {
		return false;
	}

	@Override
	public long roomAfter(CompiledLimit terms) {
		return Verdict.UNKNOWN;
	}

	@Override
	public void unlock(String key, ConcurrencyCell cell) {
		int change = cell.uncounted();
		if (change != 0) {
			this.held.addAndGet(change);
		}
		if (cell.isIdle()) {
			this.tally.admitted.add(cell.admitted());
			this.tally.rejected.add(cell.rejected());
			this.keys.remove(key, cell);
			cell.kill();
		}
		else {
			cell.unlock();
		}
	}

	@Override
	public long evaluate(ConcurrencyCell cell, int permits, @Nullable String owner, long now) {
		Holding hold = cell.heldBy(owner);
		if (hold != null) {
			if (permits > hold.permits) {
				throw moreThanHeld(permits, hold);
			}
			return Verdict.ADMITTED;
		}
		if (cell.hasWaiters()) {
			return Verdict.line(Verdict.UNKNOWN);
		}
		return (untilServed(cell, permits, now) == 0) ? Verdict.ADMITTED : Verdict.limit(Verdict.UNKNOWN);
	}

	private IllegalArgumentException moreThanHeld(int permits, Holding hold) {
		return new IllegalArgumentException("'permits' must be at most " + hold.permits
				+ ", which the same owner holds of '" + resource() + "' already: " + permits);
	}

	@Override
	public long untilServed(ConcurrencyCell cell, int permits, long now) {
		return (permits <= this.terms.max - cell.held()) ? 0 : Verdict.UNKNOWN;
	}

	@Override
	protected Permit take(ConcurrencyCell cell, String key, int permits, @Nullable String owner, long now) {
		Holding hold = cell.heldBy(owner);
		if (hold == null) {
			countHeld(permits);
			cell.counted(permits);
			hold = hold(cell, key, permits, owner, now);
		}
		hold.entries++;
		return new ConcurrencyPermit(hold);
	}

	/** Closing the permit undoes the acquisition. */
	@Override
	public Permit takeRefundable(ConcurrencyCell cell, String key, int permits, @Nullable String owner, long now) {
		return take(cell, key, permits, owner, now);
	}

	private Holding hold(ConcurrencyCell cell, String key, int permits, @Nullable String owner, long now) {
		Holding hold = new Holding(this.names, cell, key, owner, permits, this.tokens.incrementAndGet(), now);
		cell.add(hold);
		return hold;
	}

	private void countHeld(int permits) {
		if (!tryCountHeld(permits)) {
			throw new IllegalStateException("Throttle '" + resource() + "' was removed");
		}
	}

	/**
	 * Counts permits before they are taken. Returns false if the throttle was removed.
	 */
	private boolean tryCountHeld(int permits) {
		long held;
		do {
			held = this.held.get();
			if (held == REMOVED) {
				return false;
			}
		}
		while (!this.held.compareAndSet(held, held + permits));
		return true;
	}

	/** Grants a place in line, unless the throttle is being removed. */
	@Override
	protected void grant(ConcurrencyCell cell, Place place, long now, DeferredActions deferred) {
		Holding held = cell.heldBy(place.owner);
		int more = (held != null) ? 0 : Math.max(0, cell.held() + place.permits - cell.counted());
		if (more > 0 && !tryCountHeld(more)) {
			fail(cell.line(), place, deferred);
			return;
		}
		cell.counted(more);
		Holding hold = held;
		Waiter waiter = place.first;
		while (waiter != null) {
			Waiter next = waiter.nextHere;
			if (waiter.claim()) {
				if (held != null && place.permits > held.permits) {
					deferred.settle(waiter, moreThanHeld(place.permits, held));
					waiter = next;
					continue;
				}
				if (hold == null) {
					hold = hold(cell, place.key, place.permits, place.owner, now);
				}
				hold.entries++;
				deferred.settle(waiter, new ConcurrencyPermit(hold));
			}
			waiter = next;
		}
	}

	@Override
	protected void requireNotHeld() {
		if (!this.held.compareAndSet(0, REMOVED)) {
			throw new IllegalStateException("Throttle '" + resource()
					+ "' cannot be removed while its permits are held (at present: " + held() + ")");
		}
	}

	@Override
	protected KeyState describe(String key, @Nullable ConcurrencyCell cell, long now) {
		int limit = this.terms.max;
		if (cell == null) {
			return new KeyState(key, limit, 0, limit, 0, 0, Duration.ZERO, Duration.ZERO, Optional.empty());
		}
		boolean free = !cell.hasWaiters() && cell.held() < limit;
		return new KeyState(key, limit, cell.held(), Math.max(0, limit - cell.held()), cell.rejected(), cell.waiting(),
				free ? Duration.ZERO : null, Duration.ZERO, Optional.ofNullable(cell.oldest()).map(Holding::describe));
	}

	@Override
	protected int used(ConcurrencyCell cell, long now) {
		return cell.held();
	}

	@Override
	protected long untallied(ConcurrencyCell cell) {
		return cell.admitted();
	}

	@Override
	protected void addHolders(String key, ConcurrencyCell cell, List<Holder> holders) {
		for (Holding hold = cell.oldest(); hold != null; hold = hold.next) {
			holders.add(hold.describe());
		}
	}

	@Override
	protected long held() {
		return Math.max(0, this.held.get());
	}

	/** One entry of an owner into the mutex or semaphore. */
	private final class ConcurrencyPermit implements Permit {

		private final Holding hold;

		/** Guarded by the hold's cell. */
		private boolean closed;

		ConcurrencyPermit(Holding hold) {
			this.hold = hold;
		}

		@Override
		public void close() {
			exit(this);
		}

		@Override
		public OptionalLong fencingToken() {
			return OptionalLong.of(this.hold.token);
		}

		@Override
		public String toString() {
			return "Permit[" + resource() + ", token=" + this.hold.token + "]";
		}

	}

}
