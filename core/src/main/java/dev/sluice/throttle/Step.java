package dev.sluice.throttle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** Several limits taken in one step: all, or none. */
final class Step {

	/*
	 * The guards of all cells are taken in the order of (resource, key), every limit is
	 * judged, and only if all admit are they taken from. Nobody can see a part of it, and
	 * nothing has to be undone. The order excludes a deadlock with another step; all
	 * other code holds one guard at a time.
	 *
	 * Attacked by SeveralLimitsTests and HeldLincheckTests.
	 */

	private static final Comparator<Ask<?>> IN_ORDER = Comparator.<Ask<?>, Boolean>comparing((ask) -> !ask.isHeld())
		.thenComparing((ask) -> ask.resource)
		.thenComparing((ask) -> ask.key);

	private final List<Ask<?>> asks;

	/** What was taken when a throttle turned out to be removed. */
	private List<Permit> unwanted = List.of();

	private Step(List<Ask<?>> asks) {
		this.asks = asks;
	}

	static Step of(AcquireRequest[] requests, Function<String, MemoryThrottle<?>> throttles) {
		if (requests.length == 0) {
			throw new IllegalArgumentException("'requests' must not be empty");
		}
		List<Ask<?>> asks = new ArrayList<>(requests.length);
		for (AcquireRequest request : requests) {
			Checks.notNull("request", request);
			add(asks, new Ask<>(throttles.apply(request.resource()), request));
		}
		asks.sort(IN_ORDER);
		return new Step(asks);
	}

	private static void add(List<Ask<?>> asks, Ask<?> ask) {
		for (Ask<?> other : asks) {
			if (IN_ORDER.compare(other, ask) == 0) {
				other.merge(ask);
				return;
			}
		}
		asks.add(ask);
	}

	Decision tryAcquire() {
		int locked = 0;
		try {
			for (Ask<?> ask : this.asks) {
				ask.lock();
				locked++;
			}
			long verdict = Verdict.ADMITTED;
			Ask<?> rejecting = null;
			for (Ask<?> ask : this.asks) {
				long own = ask.judge();
				if (own != Verdict.ADMITTED && ask.rejects(own)) {
					verdict = Verdict.both(verdict, own);
					rejecting = (verdict == own || rejecting == null) ? ask : rejecting;
				}
			}
			if (rejecting != null) {
				return rejecting.rejection(verdict);
			}
			return Decision.admitted(take());
		}
		finally {
			while (locked > 0) {
				this.asks.get(--locked).unlock();
			}
			this.unwanted.forEach(Permit::close);
		}
	}

	private Permit take() {
		List<Permit> permits = new ArrayList<>(this.asks.size());
		try {
			for (Ask<?> ask : this.asks) {
				permits.add(ask.take());
			}
		}
		catch (IllegalStateException ex) {
			this.unwanted = permits;
			throw ex;
		}
		return (permits.size() == 1) ? permits.get(0) : new JointPermit(permits);
	}

	/** What is asked of one cell. */
	private static final class Ask<C extends Cell> {

		private final MemoryThrottle<C> throttle;

		private final String resource;

		private final String key;

		private final @Nullable String owner;

		private int permits;

		private @Nullable C cell;

		private long now;

		private boolean admitted;

		Ask(MemoryThrottle<C> throttle, AcquireRequest request) {
			this.throttle = throttle;
			this.resource = request.resource();
			this.key = request.key();
			this.owner = request.owner();
			this.permits = request.permits();
			throttle.terms.checkPermits(this.permits);
		}

		boolean isHeld() {
			return this.throttle instanceof HeldThrottle;
		}

		/** Adds up a rate; one owner of a mutex or semaphore counts once. */
		void merge(Ask<?> other) {
			if (!isHeld()) {
				this.permits = Math.addExact(this.permits, other.permits);
				this.throttle.terms.checkPermits(this.permits);
			}
			else if (Objects.equals(this.owner, other.owner)) {
				this.permits = Math.max(this.permits, other.permits);
			}
			else {
				throw new IllegalArgumentException("'owner' must be the same in all requests for one key of '"
						+ this.resource + "': '" + this.owner + "', '" + other.owner + "'");
			}
		}

		void lock() {
			this.cell = this.throttle.lock(this.key);
		}

		long judge() {
			if (this.cell == null) {
				return Verdict.keyCap(this.throttle.roomAfter(this.throttle.terms));
			}
			this.now = this.throttle.clock.nanoTime();
			long verdict = this.throttle.judge(this.cell, this.permits, this.owner, this.now);
			this.admitted = verdict == Verdict.ADMITTED;
			return verdict;
		}

		/** Counts a rejection, and returns whether it holds: in a dry run none does. */
		boolean rejects(long verdict) {
			return !this.throttle.reject(this.cell, this.key, verdict).admitted();
		}

		Decision rejection(long verdict) {
			return Decision.rejected(Verdict.reason(verdict), this.resource, this.key, Verdict.waitNanos(verdict));
		}

		Permit take() {
			if (this.cell == null || !this.admitted) {
				return SpentPermit.INSTANCE;
			}
			return this.throttle.take(this.cell, this.key, this.permits, this.owner, this.now);
		}

		void unlock() {
			if (this.cell != null) {
				this.throttle.unlock(this.key, this.cell);
			}
		}

	}

}
