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
 * Cells of a call for several limits in memory, which are evaluated and changed under all
 * guards.
 */
final class GuardedCells {

	/*
	 * The guards of all cells are acquired in the order of the requests, each limit is
	 * evaluated, and permits are taken only if all limits admit the call. The step is
	 * atomic, and needs no undo. The order excludes a deadlock with another call; all
	 * other code holds one guard at a time.
	 *
	 * Attacked by SeveralLimitsTests, JointWaitTests and HeldLincheckTests.
	 */

	private final List<CellRequest<?>> requests;

	/** Permits to refund, as a throttle was found to be removed after they were taken. */
	private List<Permit> unwanted = List.of();

	/** Creates the cells of sorted requests to throttles in memory. */
	GuardedCells(List<ResourceRequest> demands) {
		this.requests = new ArrayList<>(demands.size());
		demands.forEach((demand) -> this.requests
			.add(new CellRequest<>((MemoryThrottle<?>) demand.throttle(), demand.request())));
	}

	List<CellRequest<?>> requests() {
		return this.requests;
	}

	/** Runs an action under all guards. */
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

	void evaluate(Consumer<CellRequest<?>> evaluation) {
		this.requests.forEach(evaluation);
	}

	/** Returns the matching request with the longest wait. */
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

	/** Takes the permits of all requests. */
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
