package dev.sluice.throttle;

/** Usage of one key of a rate. */
abstract class RateCell extends Cell {

	/** The answer of {@link #tryAcquire} that only the holder of the guard can decide. */
	static final long UNDECIDED = -1;

	/**
	 * The answer of {@link #tryAcquire} that admits, and asks for a look at idle keys.
	 */
	static final long ADMITTED_AND_SWEEP = -2;

	final CompiledLimit terms;

	RateCell(CompiledLimit terms) {
		this.terms = terms;
	}

	/**
	 * Takes permits if nobody waits and nothing has changed.
	 * @return 0 or {@link #ADMITTED_AND_SWEEP} if taken, the nanoseconds to wait if not,
	 * or {@link #UNDECIDED}
	 */
	abstract long tryAcquire(int permits);

	final long admitted(long now) {
		return (now - this.terms.tally.sweepAt < 0) ? 0 : ADMITTED_AND_SWEEP;
	}

	/** Returns whether the cell cannot reckon any more, and needs a successor. */
	boolean isWornOut(long now) {
		return false;
	}

	/** Returns 0, or the nanoseconds from now until the permits could be taken. */
	abstract long earliest(int permits, long now);

	/** Takes permits that {@link #earliest} has found to be there; guarded. */
	abstract void take(int permits, long now);

	/** Undoes a take, as far as it still counts, and never more; guarded. */
	abstract void refund(int permits, long takenAt, long now);

	/** Takes leave of those it shares with, as all it has used is forgotten; guarded. */
	void forget(long now) {
	}

	/** Takes over what another limit's cell, of any kind, has used; guarded. */
	abstract void adopt(RateCell old, long now);

	/** Returns the most permits that could be used now. */
	int limit(long now) {
		return this.terms.maxPermits;
	}

	/** Returns permits that count now. */
	abstract int used(long now);

	/** Returns the nanoseconds until nothing that was used counts any more; 0 if idle. */
	abstract long idleAfter(long now);

	/** Returns permits admitted here that the tally does not contain; guarded. */
	abstract long untallied();

	/** Copies what was used, with neither line nor guard; guarded. */
	abstract RateCell copy();

}
