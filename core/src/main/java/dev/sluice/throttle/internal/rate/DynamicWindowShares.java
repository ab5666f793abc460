package dev.sluice.throttle.internal.rate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.internal.memory.Cell;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import org.jspecify.annotations.Nullable;

/**
 * State that the keys of a dynamic window share: the capacity, the order, and one guard.
 */
final class DynamicWindowShares extends Cell {

	/*
	 * All cells of the throttle use this guard instead of their own. Its word is their
	 * sequence lock, and its value changes with each release. It is reentrant, as one
	 * thread may enter it for several keys.
	 *
	 * "active" lists the cells in the order in which they became active, the oldest
	 * first. The list is replaced, never changed, so that it may be read without the
	 * guard. An inactive cell may stay in the list until the next one becomes active.
	 * "owner" and "depth" are written by the thread that holds the guard, so that no
	 * other thread finds itself in "owner".
	 *
	 * Attacked by RateCellLincheckTests, ConcurrentGrantTests and
	 * DynamicWindowAgainstItself (jcstress).
	 */

	private volatile @Nullable Thread owner;

	private int depth;

	private Limit.DynamicWindow limit;

	/** Total usage of all keys. */
	private SlidingWindowCell total;

	private DynamicWindowCell[] active = {};

	DynamicWindowShares(CompiledLimit terms) {
		this.limit = (Limit.DynamicWindow) terms.limit;
		this.total = total(terms);
	}

	/** Copies the usage of all keys for a forecast. */
	private DynamicWindowShares(DynamicWindowShares of, CompiledLimit terms) {
		this.limit = of.limit;
		this.total = (SlidingWindowCell) of.total.copy();
		this.active = new DynamicWindowCell[of.active.length];
		for (int i = 0; i < this.active.length; i++) {
			this.active[i] = new DynamicWindowCell(terms, this);
			this.active[i].copyCounts(of.active[i]);
		}
	}

	/** Copies a cell, with the usage of all others. */
	static DynamicWindowCell copy(DynamicWindowCell cell, DynamicWindowShares shares, CompiledLimit terms) {
		DynamicWindowShares copy = new DynamicWindowShares(shares, terms);
		for (int i = 0; i < shares.active.length; i++) {
			if (shares.active[i] == cell) {
				return copy.active[i];
			}
		}
		return new DynamicWindowCell(terms, copy);
	}

	private static SlidingWindowCell total(CompiledLimit terms) {
		Limit.DynamicWindow limit = (Limit.DynamicWindow) terms.limit;
		Limit all = Limit.slidingWindow(limit.capacity(), limit.period(), limit.buckets());
		return new SlidingWindowCell(new CompiledLimit(terms.resource, all, terms.options, terms.clock));
	}

	/** Returns the word of the guard, which changes with each change of the state. */
	long guard() {
		return this.word;
	}

	void enter() {
		if (this.owner != Thread.currentThread()) {
			lock();
			this.owner = Thread.currentThread();
		}
		this.depth++;
	}

	/** Enters unless another thread holds the guard. */
	boolean tryEnter() {
		if (this.owner != Thread.currentThread()) {
			if (!tryLock()) {
				return false;
			}
			this.owner = Thread.currentThread();
		}
		this.depth++;
		return true;
	}

	void exit() {
		if (--this.depth == 0) {
			this.owner = null;
			value(value() + 1);
			unlock();
		}
	}

	/** Applies changed terms. Called under the guard. */
	void change(CompiledLimit terms) {
		SlidingWindowCell total = total(terms);
		total.adopt(this.total, terms.clock.nanoTime());
		this.limit = (Limit.DynamicWindow) terms.limit;
		this.total = total;
	}

	/** Replaces a cell in the order. Called under the guard. */
	void replace(RateCell cell, DynamicWindowCell by) {
		DynamicWindowCell[] active = this.active.clone();
		for (int i = 0; i < active.length; i++) {
			active[i] = (active[i] == cell) ? by : active[i];
		}
		this.active = active;
	}

	/**
	 * Returns the nanoseconds until a cell could take permits if no other cell took any.
	 * Runs in time proportional to the active cells plus the buckets: it counts the other
	 * cells by the edge at which each becomes inactive, and then moves from edge to edge.
	 */
	long earliest(DynamicWindowCell cell, int permits, long now) {
		if (this.total.earliest(permits, now) == 0 && cell.used(now) + (long) permits <= share(cell, now)) {
			return 0;
		}
		long length = cell.terms.buckets.length;
		long start = cell.terms.buckets.start(now);
		long free = start + this.total.earliest(permits, start);
		int edges = cell.terms.bucketCount;
		int[] leaving = Scratch.cleared(2 * (edges + 1));
		int others = 0;
		int before = 0;
		boolean passed = false;
		for (DynamicWindowCell other : this.active) {
			int edge = (other != cell) ? other.activeUntil(start) : 0;
			passed |= other == cell;
			if (edge > 0) {
				others++;
				leaving[edge]++;
				before += passed ? 0 : 1;
				leaving[edges + 1 + edge] += passed ? 0 : 1;
			}
		}
		int used = cell.used(start);
		int age = edges - cell.passed(start, cell.latest);
		for (int edge = 1; edge < edges; edge++) {
			others -= leaving[edge];
			before -= leaving[edges + 1 + edge];
			used -= (--age >= 0) ? cell.count(age) : 0;
			long time = start + edge * length;
			if (time - free >= 0 && used + (long) permits <= share(used > 0, others, before)) {
				return time - now;
			}
		}
		return start + edges * length - now;
	}

	/** Returns the share of a cell at a time; 0 if the capacity has no share for it. */
	int share(DynamicWindowCell cell, long time) {
		boolean isActive = cell.used(time) > 0;
		int others = 0;
		int before = 0;
		boolean passed = false;
		for (DynamicWindowCell other : this.active) {
			if (other == cell) {
				passed = true;
			}
			else if (other.used(time) > 0) {
				others++;
				before += passed ? 0 : 1;
			}
		}
		return share(isActive, others, before);
	}

	/** Returns the share of a key among others, some of which became active earlier. */
	private int share(boolean isActive, int others, int before) {
		int keys = others + 1;
		int rank = isActive ? before : others;
		int even = this.limit.capacity() / keys;
		if (!isActive && even < this.limit.minLimit()) {
			return 0;
		}
		int share = even + ((rank < this.limit.capacity() % keys) ? 1 : 0);
		return Math.max(this.limit.minLimit(), Math.min(share, this.limit.maxLimit()));
	}

	/**
	 * Records that a cell takes permits. Called under the guard, before they are added to
	 * the cell.
	 */
	void take(DynamicWindowCell cell, int permits, long now) {
		if (cell.used(now) == 0) {
			List<DynamicWindowCell> active = new ArrayList<>(this.active.length + 1);
			for (DynamicWindowCell other : this.active) {
				if (other != cell && other.used(now) > 0) {
					active.add(other);
				}
			}
			active.add(cell);
			this.active = active.toArray(new DynamicWindowCell[0]);
		}
		this.total.take(permits, now);
	}

	/** Records that the usage of a cell is reset. Called under the guard. */
	void forget(DynamicWindowCell cell, long now) {
		this.total.subtract(cell, now);
		this.active = Stream.of(this.active).filter((other) -> other != cell).toArray(DynamicWindowCell[]::new);
	}

	void refund(int permits, long takenAt, long now) {
		this.total.refund(permits, takenAt, now);
	}

	/** Counters of one thread, reused to avoid an allocation per call. */
	private static final class Scratch {

		private static final ThreadLocal<int[]> COUNTS = ThreadLocal.withInitial(() -> new int[0]);

		static int[] cleared(int length) {
			int[] counts = COUNTS.get();
			if (counts.length < length) {
				counts = new int[length];
				COUNTS.set(counts);
			}
			Arrays.fill(counts, 0, length, 0);
			return counts;
		}

	}

}
