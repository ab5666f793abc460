package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.throttle.internal.memory.ThrottleCounters;
import org.jspecify.annotations.Nullable;

/** Compiled dynamic window, with the shared state of its keys. */
final class DynamicWindowLimit extends CompiledLimit {

	final DynamicWindowShares shares;

	private DynamicWindowLimit(CompiledLimit terms, DynamicWindowShares shares) {
		super(terms);
		this.shares = shares;
	}

	/**
	 * Adds the shared state of the keys, including the state so far, to the terms of a
	 * dynamic window.
	 */
	static CompiledLimit of(CompiledLimit terms, @Nullable CompiledLimit before) {
		if (terms.type != LimitType.DYNAMIC_WINDOW) {
			return terms;
		}
		DynamicWindowShares shares = (before != null) ? sharesOf(before) : null;
		return new DynamicWindowLimit(terms, (shares != null) ? shares : new DynamicWindowShares(terms));
	}

	/**
	 * Returns the shared state of the keys of a dynamic window, or {@code null} for other
	 * limits.
	 */
	static @Nullable DynamicWindowShares sharesOf(CompiledLimit terms) {
		return (terms instanceof DynamicWindowLimit window) ? window.shares : null;
	}

	@Override
	protected CompiledLimit copy(ThrottleCounters tally, boolean removed) {
		return new DynamicWindowLimit(super.copy(tally, removed), this.shares);
	}

}
