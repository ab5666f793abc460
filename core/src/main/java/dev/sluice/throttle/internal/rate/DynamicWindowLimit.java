package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.throttle.internal.memory.ThrottleCounters;
import org.jspecify.annotations.Nullable;

/** Dynamic window, compiled, with what its keys share. */
final class DynamicWindowLimit extends CompiledLimit {

	final DynamicWindowShares shares;

	private DynamicWindowLimit(CompiledLimit terms, DynamicWindowShares shares) {
		super(terms);
		this.shares = shares;
	}

	/**
	 * Adds to the terms of a dynamic window what its keys share, and have shared so far.
	 */
	static CompiledLimit of(CompiledLimit terms, @Nullable CompiledLimit before) {
		if (terms.type != LimitType.DYNAMIC_WINDOW) {
			return terms;
		}
		DynamicWindowShares shares = (before != null) ? sharesOf(before) : null;
		return new DynamicWindowLimit(terms, (shares != null) ? shares : new DynamicWindowShares(terms));
	}

	/** Returns what the keys of a dynamic window share; those of other limits nothing. */
	static @Nullable DynamicWindowShares sharesOf(CompiledLimit terms) {
		return (terms instanceof DynamicWindowLimit window) ? window.shares : null;
	}

	@Override
	protected CompiledLimit copy(ThrottleCounters tally, boolean removed) {
		return new DynamicWindowLimit(super.copy(tally, removed), this.shares);
	}

}
