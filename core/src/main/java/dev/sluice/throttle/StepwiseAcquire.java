package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for several limits: for what is held one by one, then for the rates.
 */
final class StepwiseAcquire extends CompletableFuture<Permit> {

	/*
	 * One stage at a time: "stage" is the one that is waited for, and "taken" belongs to
	 * whoever completes it. If this future ends from outside, the stage is cancelled, and
	 * its end gives back what was taken; the stage that was being started meanwhile sees
	 * that this future is done. If the last stage has ended by then, whoever finds this
	 * future done gives everything back, the rates too. Two calls take mutexes and
	 * semaphores in the same order and hold no place in the line of a rate while they do,
	 * so no two wait for each other.
	 *
	 * Attacked by SeveralLimitsTests.
	 */

	/** How to take each part, given the time that the call has waited so far. */
	private final List<Function<Duration, CompletableFuture<Permit>>> stages;

	private final List<Permit> taken = new ArrayList<>();

	private final NanoClock clock;

	private final long start;

	private volatile @Nullable CompletableFuture<Permit> stage;

	StepwiseAcquire(List<Function<Duration, CompletableFuture<Permit>>> stages, NanoClock clock) {
		this.stages = stages;
		this.clock = clock;
		this.start = clock.nanoTime();
	}

	StepwiseAcquire start() {
		next();
		whenComplete((permit, ex) -> {
			CompletableFuture<Permit> stage = this.stage;
			if (stage != null) {
				stage.cancel(false);
			}
		});
		return this;
	}

	private void next() {
		if (this.taken.size() == this.stages.size()) {
			Permit permit = JointPermit.of(this.taken);
			if (!complete(permit)) {
				Refundable.refund(permit);
			}
			return;
		}
		Duration waited = Duration.ofNanos(this.clock.nanoTime() - this.start);
		CompletableFuture<Permit> stage = begin(this.stages.get(this.taken.size()), waited);
		this.stage = stage;
		if (isDone()) {
			stage.cancel(false);
		}
		stage.whenComplete((permit, ex) -> {
			if (permit != null) {
				this.taken.add(permit);
				next();
			}
			else {
				try {
					Refundable.refund(JointPermit.of(this.taken));
				}
				finally {
					completeExceptionally(ex);
				}
			}
		});
	}

	/** A throttle that was removed meanwhile throws, and ends the call. */
	private static CompletableFuture<Permit> begin(Function<Duration, CompletableFuture<Permit>> stage,
			Duration waited) {
		try {
			return stage.apply(waited);
		}
		catch (RuntimeException ex) {
			return failedFuture(ex);
		}
	}

}
