package dev.sluice.throttle.internal.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.Refundable;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Request for several limits, all or none. The limits in memory are acquired in one step,
 * and then the limits in a store, one by one. If one of these rejects, all permits
 * acquired so far are refunded.
 */
public final class JointRequest {

	private final List<ResourceRequest> demands;

	/** The limits in memory, if any. */
	private final @Nullable JointMemoryStep step;

	private final List<ResourceRequest> stored;

	private final NanoClock clock;

	private JointRequest(List<ResourceRequest> demands, NanoClock clock) {
		this.demands = demands;
		List<ResourceRequest> inMemory = demands.stream().filter((demand) -> !demand.isStored()).toList();
		this.step = inMemory.isEmpty() ? null : JointMemoryStep.of(inMemory);
		this.stored = demands.stream().filter(ResourceRequest::isStored).toList();
		this.clock = clock;
	}

	public static JointRequest of(AcquireRequest[] requests, Function<String, ManagedThrottle> throttles,
			NanoClock clock) {
		return new JointRequest(ResourceRequest.of(requests, throttles), clock);
	}

	/** Tries to acquire all permits or none. */
	public Decision tryAcquire() {
		Decision decision = (this.step != null) ? this.step.tryAcquire() : Verdict.SPENT;
		if (this.stored.isEmpty() || !decision.admitted()) {
			return decision;
		}
		List<Permit> taken = new ArrayList<>(this.demands.size());
		taken.add(decision.permit());
		boolean complete = false;
		try {
			for (ResourceRequest demand : this.stored) {
				decision = demand.throttle().tryAcquire(demand.request());
				if (!decision.admitted()) {
					return decision;
				}
				taken.add(decision.permit());
			}
			complete = true;
			return (this.demands.size() == 1) ? decision : Decision.admitted(JointPermit.of(taken));
		}
		finally {
			if (!complete) {
				Refundable.refund(JointPermit.of(taken));
			}
		}
	}

	/** Acquires all permits or none, immediately or after a wait. */
	public CompletableFuture<Permit> acquire() {
		if (this.demands.size() == 1) {
			ResourceRequest demand = this.demands.get(0);
			return demand.throttle().acquire(demand.request());
		}
		if (this.stored.isEmpty()) {
			return Objects.requireNonNull(this.step).acquire(this.clock.nanoTime());
		}
		List<JointStoreRounds.Part> parts = new ArrayList<>();
		if (this.step != null) {
			parts.add(new InMemory(this.step));
		}
		this.stored.forEach((demand) -> parts.add(new Stored(demand, this.clock)));
		return new JointStoreRounds(parts, this.clock).start();
	}

	/** The limits in memory as a part of the call. */
	private record InMemory(JointMemoryStep step) implements JointStoreRounds.Part {

		@Override
		public CompletableFuture<Permit> tryAcquire(long since) {
			return MemoryThrottle.answer(this.step.tryAcquire(since));
		}

		@Override
		public CompletableFuture<Permit> acquire(long since) {
			return this.step.acquire(since);
		}

		/** Returns true, as the step rejects a call that may not wait. */
		@Override
		public boolean mayWait(Duration waited) {
			return true;
		}

	}

	/** One limit in a store as a part of the call. */
	private record Stored(ResourceRequest demand, NanoClock clock) implements JointStoreRounds.Part {

		@Override
		public CompletableFuture<Permit> tryAcquire(long since) {
			return this.demand.acquire(Duration.ZERO);
		}

		@Override
		public CompletableFuture<Permit> acquire(long since) {
			return this.demand.acquire(this.demand.left(Duration.ofNanos(this.clock.nanoTime() - since)));
		}

		@Override
		public boolean mayWait(Duration waited) {
			return !this.demand.left(waited).isZero();
		}

	}

}
