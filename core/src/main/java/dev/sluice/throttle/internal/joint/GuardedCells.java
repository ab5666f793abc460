package dev.sluice.throttle.internal.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Cells of a call for several limits in memory, judged and taken from under all guards.
 */
final class GuardedCells {

	/*
	 * The guards of all cells are taken in the order of the demands, every limit is
	 * judged, and only if all admit are they taken from. Nobody can see a part of it, and
	 * nothing has to be undone. The order excludes a deadlock with another call; all
	 * other code holds one guard at a time.
	 *
	 * Attacked by SeveralLimitsTests, JointWaitTests and HeldLincheckTests.
	 */

	private final List<CellRequest<?>> requests;

	/** What was taken when a throttle turned out to be removed. */
	private List<Permit> unwanted = List.of();

	/** For what is demanded of throttles in memory, sorted. */
	GuardedCells(List<ResourceRequest> demands) {
		this.requests = new ArrayList<>(demands.size());
		demands.forEach((demand) -> this.requests
			.add(new CellRequest<>((MemoryThrottle<?>) demand.throttle(), demand.request())));
	}

	List<CellRequest<?>> requests() {
		return this.requests;
	}

	/** Does something while all guards are held. */
	<T extends @Nullable Object> T guarded(Supplier<T> action) {
		int locked = 0;
		this.unwanted = List.of();
		try {
			for (CellRequest<?> request : this.requests) {
				request.lock();
				locked++;
			}
			return action.get();
		}
		finally {
			while (locked > 0) {
				this.requests.get(--locked).unlock();
			}
			this.unwanted.forEach(Permit::close);
		}
	}

	void judge(Consumer<CellRequest<?>> judgement) {
		this.requests.forEach(judgement);
	}

	/** Returns the limit to wait for longest of those that match. */
	@Nullable CellRequest<?> longest(Predicate<CellRequest<?>> condition) {
		CellRequest<?> longest = null;
		for (CellRequest<?> request : this.requests) {
			if (condition.test(request)
					&& (longest == null || Verdict.both(longest.verdict, request.verdict) == request.verdict)) {
				longest = request;
			}
		}
		return longest;
	}

	/** Takes from all. */
	Permit take() {
		List<Permit> permits = new ArrayList<>(this.requests.size());
		try {
			for (CellRequest<?> request : this.requests) {
				permits.add(request.take());
			}
		}
		catch (IllegalStateException ex) {
			this.unwanted = permits;
			throw ex;
		}
		return JointPermit.of(permits);
	}

}
