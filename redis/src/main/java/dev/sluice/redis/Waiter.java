package dev.sluice.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/** A call of this node that stands in line, or is on its way there. */
final class Waiter extends CompletableFuture<Permit> {

	/** Its place in line, as Redis knows it. */
	final String member;

	final int permits;

	private volatile @Nullable Future<?> deadline;

	Waiter(String member, int permits) {
		this.member = member;
		this.permits = permits;
	}

	/** Sets what ends the wait, which is called off when the wait ends by itself. */
	void endBy(Future<?> deadline) {
		this.deadline = deadline;
		whenComplete((permit, failure) -> deadline.cancel(false));
	}

}
