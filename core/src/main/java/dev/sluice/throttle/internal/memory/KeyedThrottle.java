package dev.sluice.throttle.internal.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.argument.BoundedText;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Base class of the throttles in memory. Keeps the keys and reports their state. */
public abstract class KeyedThrottle<C extends Cell> implements ManagedThrottle {

	/*
	 * The guard of a cell protects the state of its key. A thread that acquires the guard
	 * first updates the cell to "terms". A change replaces "terms" as a whole before it
	 * updates the cells, so no later decision uses older terms. Once the throttle is
	 * removed, no cell is added. Listeners are called without a guard. Attacked by
	 * ChangeTests, KeyTests and ConcurrentGrantTests.
	 */

	protected final KeyedCells<C> keys = new KeyedCells<>();

	public final NanoClock clock;

	protected final ThrottleCounters tally;

	/** Listeners of this throttle, if any. */
	protected final @Nullable Listening listening;

	/** Replaced by a change, before the cells follow it one by one. */
	public volatile CompiledLimit terms;

	KeyedThrottle(CompiledLimit terms, @Nullable Listening listening) {
		this.terms = terms;
		this.clock = terms.clock;
		this.tally = terms.tally;
		this.listening = listening;
	}

	@Override
	public final String resource() {
		return this.terms.resource;
	}

	@Override
	public final Limit limit() {
		return this.terms.limit;
	}

	@Override
	public final LimitOptions options() {
		return this.terms.options;
	}

	@Override
	public final boolean isStored() {
		return false;
	}

	@Override
	public final void checkPermits(int permits) {
		this.terms.checkPermits(permits);
	}

	// Cells

	protected abstract C create(CompiledLimit terms);

	/**
	 * Updates a cell to the terms under the guard. Returns the cell, or its successor.
	 */
	protected abstract C renew(String key, C cell, CompiledLimit terms);

	/** Follows the addition of a key. */
	protected abstract void keyAdded(String key, CompiledLimit terms);

	/** Evicts idle keys at the cap, if permitted. Returns whether a new key may fit. */
	protected abstract boolean makeRoom(CompiledLimit terms);

	/** Returns the nanoseconds until a new key may fit. */
	public abstract long roomAfter(CompiledLimit terms);

	/**
	 * Finds or creates the cell of a key and acquires its guard.
	 * @throws IllegalStateException if the throttle was removed
	 */
	public final @Nullable C lock(String key) {
		while (true) {
			CompiledLimit terms = this.terms;
			if (terms.removed) {
				throw new IllegalStateException("Throttle '" + terms.resource + "' was removed");
			}
			C cell = this.keys.find(key);
			if (cell != null) {
				if (cell.lock()) {
					return renewed(key, cell);
				}
			}
			else if (this.keys.reserve(key, terms.maxKeys())) {
				this.keys.putIfAbsent(key, create(terms));
				keyAdded(key, terms);
			}
			else if (!makeRoom(terms) && this.keys.find(key) == null) {
				return null;
			}
		}
	}

	/** Acquires the guard of a key's cell, if the cell exists. */
	protected final @Nullable C lockExisting(String key) {
		while (true) {
			C cell = this.keys.find(key);
			if (cell == null) {
				return null;
			}
			if (cell.lock()) {
				return renewed(key, cell);
			}
		}
	}

	/** Updates a guarded cell to the terms. On failure, releases the guard. */
	private C renewed(String key, C cell) {
		boolean renewed = false;
		try {
			C by = renew(key, cell, this.terms);
			renewed = true;
			return by;
		}
		finally {
			if (!renewed) {
				cell.unlock();
			}
		}
	}

	/** Releases the guard of a cell. */
	public abstract void unlock(String key, C cell);

	// Rejections

	protected final Decision rejectNewKey(String key, int permits) {
		long verdict = Verdict.keyCap(roomAfter(this.terms));
		report(key, permits, verdict);
		return reject(null, key, verdict);
	}

	protected final Decision reject(@Nullable C cell, String key, long verdict) {
		count(cell);
		if (this.terms.options.dryRun()) {
			return Verdict.SPENT;
		}
		return Decision.rejected(Verdict.reason(verdict), resource(), key, Verdict.waitNanos(verdict));
	}

	public final void count(@Nullable C cell) {
		if (cell != null) {
			cell.line().rejected.add(1);
		}
		else {
			this.tally.rejected.increment();
		}
	}

	/** Notifies the listeners of a decision without a wait. Called without a guard. */
	public final void report(String key, int permits, long verdict) {
		if (this.listening != null) {
			this.listening.decided(resource(), key, permits, verdict);
		}
	}

	// Looking

	protected abstract KeyState describe(String key, @Nullable C cell, long now);

	/** Returns permits in use; guarded. */
	protected abstract int used(C cell, long now);

	/** Returns permits admitted that the tally does not contain; guarded. */
	protected abstract long untallied(C cell);

	protected abstract void addHolders(String key, C cell, List<Holder> holders);

	protected abstract long held();

	@Override
	public final KeyState state(String key) {
		return stateOf(BoundedText.of("key", key));
	}

	private KeyState stateOf(String key) {
		C cell = lockExisting(key);
		try {
			return describe(key, cell, this.clock.nanoTime());
		}
		finally {
			if (cell != null) {
				unlock(key, cell);
			}
		}
	}

	@Override
	public final ThrottleSnapshot snapshot(int top) {
		Checks.notNegative("top", top);
		KeyScan scan = new KeyScan(top);
		long now = this.clock.nanoTime();
		this.keys.forEach((key, cell) -> {
			if (cell.lock()) {
				try {
					scan.admitted += untallied(cell);
					scan.rejected += cell.rejected();
					scan.waiting += cell.waiting();
					scan.offer(key, used(cell, now), cell.rejected());
					addHolders(key, cell, scan.holders);
				}
				finally {
					unlock(key, cell);
				}
			}
		});
		CompiledLimit terms = this.terms;
		List<KeyState> hottest = scan.hottest().stream().map(this::stateOf).toList();
		List<Holder> holders = scan.holders.stream().sorted(Comparator.comparing(Holder::since)).limit(top).toList();
		return new ThrottleSnapshot(terms.resource, terms.limit, terms.options, terms.version,
				scan.admitted + this.tally.admitted.sum(), scan.rejected + this.tally.rejected.sum(), scan.waiting,
				this.keys.size(), held(), hottest, holders);
	}

	@Override
	public final String toString() {
		CompiledLimit terms = this.terms;
		return "Throttle[" + terms.resource + ", " + terms.limit + (terms.removed ? ", removed" : "") + "]";
	}

	/** Sums for a snapshot. */
	private static final class KeyScan {

		private static final Comparator<Candidate> COOLEST_FIRST = Comparator.comparingInt(Candidate::used)
			.thenComparingLong(Candidate::rejected);

		private final int top;

		private final PriorityQueue<Candidate> hottest = new PriorityQueue<>(COOLEST_FIRST);

		private final List<Holder> holders = new ArrayList<>();

		private long admitted;

		private long rejected;

		private long waiting;

		KeyScan(int top) {
			this.top = top;
		}

		void offer(String key, int used, long rejected) {
			this.hottest.add(new Candidate(key, used, rejected));
			if (this.hottest.size() > this.top) {
				this.hottest.poll();
			}
		}

		List<String> hottest() {
			return this.hottest.stream().sorted(COOLEST_FIRST.reversed()).map(Candidate::key).toList();
		}

	}

	private record Candidate(String key, int used, long rejected) {
	}

}
