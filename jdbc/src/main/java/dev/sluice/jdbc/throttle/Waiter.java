package dev.sluice.jdbc.throttle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits, or is about to.
 */
final class Waiter extends CompletableFuture<Permit> {

	private final JdbcThrottle throttle;

	private final AcquireRequest request;

	private final long deadline;

	private final boolean timed;

	private volatile long entry;

	private volatile boolean placed;

	private volatile @Nullable Future<?> end;

	Waiter(JdbcThrottle throttle, AcquireRequest request, boolean timed) {
		this.throttle = throttle;
		this.request = request;
		this.timed = timed;
		this.deadline = timed ? System.nanoTime() + request.maxWait().toNanos() : 0;
	}

	JdbcThrottle throttle() {
		return this.throttle;
	}

	AcquireRequest request() {
		return this.request;
	}

	long entry() {
		return this.entry;
	}

	void enterAs(long entry) {
		this.placed = false;
		this.entry = entry;
	}

	boolean isPlaced() {
		return this.placed;
	}

	void placed() {
		this.placed = true;
	}

	/** Returns the microseconds left to wait, at least 1; -1 if there is no end. */
	long left() {
		return this.timed ? Math.max(1, (this.deadline - System.nanoTime()) / 1000) : -1;
	}

	void endBy(Future<?> end) {
		this.end = end;
		if (isDone()) {
			end.cancel(false);
		}
	}

	void cancelEnd() {
		Future<?> last = this.end;
		if (last != null) {
			last.cancel(false);
		}
	}

}
