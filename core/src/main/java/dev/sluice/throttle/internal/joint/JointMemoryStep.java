package dev.sluice.throttle.internal.joint;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Step in which a new call takes the permits of several limits in memory, or none. A call
 * that is not admitted is rejected, or joins the line of the limit with the longest wait.
 */
public final class JointMemoryStep {

	private final List<ResourceRequest> demands;

	private final GuardedCells cells;

	private JointMemoryStep(List<ResourceRequest> demands) {
		this.demands = demands;
		this.cells = new GuardedCells(demands);
	}

	/** Creates the step for sorted requests to throttles in memory. */
	public static JointMemoryStep of(List<ResourceRequest> demands) {
		return new JointMemoryStep(demands);
	}

	/** Tries to take all permits or none. */
	public Decision tryAcquire() {
		return runAndReport(() -> {
			this.cells.evaluate(CellRequest::evaluate);
			CellRequest<?> furthest = this.cells.longest(CellRequest::rejects);
			if (furthest != null) {
				this.cells.requests().stream().filter(CellRequest::rejects).forEach(CellRequest::count);
				return furthest.rejection();
			}
			return Decision.admitted(this.cells.take());
		});
	}

	/**
	 * Tries to take all permits or none, for a call that may wait. A rejection is not
	 * counted.
	 */
	public Decision tryAcquire(long since) {
		return runAndReport(() -> {
			this.cells.evaluate((request) -> request.evaluate(since, null));
			CellRequest<?> furthest = this.cells.longest(CellRequest::rejects);
			return (furthest != null) ? furthest.rejection() : Decision.admitted(this.cells.take());
		});
	}

	/**
	 * Takes all permits or none, immediately or after a wait, for a call that arrived at
	 * the given time.
	 */
	public CompletableFuture<Permit> acquire(long since) {
		DeferredActions deferred = new DeferredActions();
		CompletableFuture<Permit> answer = runAndReport(() -> {
			this.cells.evaluate((request) -> request.evaluate(since, null));
			CellRequest<?> furthest = this.cells.longest(CellRequest::rejects);
			if (furthest == null) {
				return CompletableFuture.completedFuture(this.cells.take());
			}
			CellRequest<?> rejecting = this.cells.longest((request) -> request.rejects() && !request.mayWait(since));
			if (rejecting != null) {
				rejecting.count();
				return MemoryThrottle.answer(rejecting.rejection());
			}
			JointWaiter waiter = new JointWaiter(this.demands, furthest.place(since), since, JointTurn::serve);
			furthest.stand(waiter, deferred);
			return waiter;
		});
		this.cells.requests().get(0).throttle.perform(deferred);
		return answer;
	}

	private <T extends @Nullable Object> T runAndReport(Supplier<T> action) {
		T result = this.cells.guarded(action);
		this.cells.requests().forEach(CellRequest::report);
		return result;
	}

}
