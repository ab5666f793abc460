package dev.sluice.aop.internal.call;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

/**
 * Permits of the nested calls that the current thread is making. A call that blocks for a
 * permit held by one of its outer calls would wait for itself.
 */
final class HeldByThread {

	/*
	 * A frame is pushed and popped by the thread that runs the body of a call, so it
	 * needs no guard. A body that returns a stage is tracked until it returns; permits
	 * that the stage still holds belong to no thread. Permits with an owner are excluded:
	 * another call with the same owner may release them in the meantime.
	 */

	private static final ThreadLocal<@Nullable HeldByThread> INNERMOST = new ThreadLocal<>();

	private final AcquireRequest[] requests;

	private final @Nullable HeldByThread outer;

	private HeldByThread(AcquireRequest[] requests, @Nullable HeldByThread outer) {
		this.requests = requests;
		this.outer = outer;
	}

	/**
	 * Adds the permits of a call whose body begins.
	 * @return the permits of the outer call, to {@link #pop} when the body has returned
	 */
	static @Nullable HeldByThread push(AcquireRequest[] requests) {
		HeldByThread outer = INNERMOST.get();
		INNERMOST.set(new HeldByThread(requests, outer));
		return outer;
	}

	static void pop(@Nullable HeldByThread outer) {
		INNERMOST.set(outer);
	}

	/**
	 * Returns the rejection of a call that cannot be admitted before its outer calls have
	 * ended.
	 * @return the rejection, or {@code null} if the call may be admitted before
	 */
	static @Nullable ThrottledException rejection(ThrottlingManager manager, AcquireRequest[] requests) {
		HeldByThread innermost = INNERMOST.get();
		if (innermost == null) {
			return null;
		}
		for (AcquireRequest request : requests) {
			int held = innermost.permits(request);
			if (held > 0 && manager.find(request.resource())
				.filter((throttle) -> throttle.limit().isHeld()
						&& held + request.permits() > throttle.limit().maxPermits())
				.isPresent()) {
				return new ThrottledException(request.resource(), request.key(), null, Decision.Reason.NESTED);
			}
		}
		return null;
	}

	private int permits(AcquireRequest wanted) {
		int permits = (this.outer != null) ? this.outer.permits(wanted) : 0;
		for (AcquireRequest request : this.requests) {
			if (request.owner() == null && request.resource().equals(wanted.resource())
					&& request.key().equals(wanted.key())) {
				permits += request.permits();
			}
		}
		return permits;
	}

}
