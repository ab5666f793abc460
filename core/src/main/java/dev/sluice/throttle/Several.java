package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Several limits, all or none: those in memory in one step, and then, one by one, those
 * in a store. What was taken when one of these rejects is given back.
 */
final class Several {

	private final List<Demand> demands;

	/** Those in memory, if there are any. */
	private final @Nullable Step step;

	private final List<Demand> stored;

	private final NanoClock clock;

	private Several(List<Demand> demands, NanoClock clock) {
		this.demands = demands;
		List<Demand> inMemory = demands.stream().filter((demand) -> !demand.isStored()).toList();
		this.step = inMemory.isEmpty() ? null : Step.of(inMemory);
		this.stored = demands.stream().filter(Demand::isStored).toList();
		this.clock = clock;
	}

	static Several of(AcquireRequest[] requests, Function<String, ManagedThrottle> throttles, NanoClock clock) {
		return new Several(Demand.of(requests, throttles), clock);
	}

	/** Takes all or nothing, at once. */
	Decision tryAcquire() {
		Decision decision = (this.step != null) ? this.step.tryAcquire() : Decision.SPENT;
		if (this.stored.isEmpty() || !decision.admitted()) {
			return decision;
		}
		List<Permit> taken = new ArrayList<>(this.demands.size());
		taken.add(decision.permit());
		boolean complete = false;
		try {
			for (Demand demand : this.stored) {
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

	/** Takes all or nothing, at once or after a wait. */
	CompletableFuture<Permit> acquire() {
		if (this.demands.size() == 1) {
			return this.demands.get(0).acquire(Duration.ZERO);
		}
		Decision decision = null;
		if (this.step != null) {
			decision = this.stored.isEmpty() ? this.step.acquireOrWait() : this.step.refusal();
		}
		return (decision != null) ? MemoryThrottle.answer(decision) : new StepwiseAcquire(stages(), this.clock).start();
	}

	/** Returns how to wait for what: each limit that is held, and then all rates. */
	private List<Function<Duration, CompletableFuture<Permit>>> stages() {
		List<Function<Duration, CompletableFuture<Permit>>> stages = new ArrayList<>(this.demands.size());
		this.demands.stream().filter(Demand::isHeld).forEach((demand) -> stages.add(demand::acquire));
		if (this.step != null && this.step.hasRates()) {
			stages.add(Objects.requireNonNull(this.step)::acquireRates);
		}
		this.stored.stream().filter((demand) -> !demand.isHeld()).forEach((demand) -> stages.add(demand::acquire));
		return stages;
	}

}
