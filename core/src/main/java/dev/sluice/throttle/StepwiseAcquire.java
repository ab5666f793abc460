package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * A call that waits for several limits: for what is held one by one, then for all rates.
 */
final class StepwiseAcquire extends CompletableFuture<Permit> {

	/*
	 * One stage at a time: "stage" is the one that is waited for, and "taken" belongs to
	 * whoever completes it. If this future ends from outside, the stage is cancelled, and
	 * its end gives back what was taken; the stage that was being started meanwhile sees
	 * that this future is done. Two calls take mutexes and semaphores in the same order
	 * and hold no place in the line of a rate while they do, so no two wait for each
	 * other.
	 */

	private final Step step;

	private final List<Step.Ask<?>> held;

	private final List<Permit> taken = new ArrayList<>();

	private final long start;

	private volatile @Nullable CompletableFuture<Permit> stage;

	StepwiseAcquire(Step step) {
		this.step = step;
		this.held = step.held();
		this.start = step.clock().nanoTime();
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
		int number = this.taken.size();
		if (number == this.held.size() + (this.step.hasRates() ? 1 : 0)) {
			JointPermit permit = new JointPermit(this.taken);
			if (!complete(permit)) {
				permit.close();
			}
			return;
		}
		Duration waited = Duration.ofNanos(this.step.clock().nanoTime() - this.start);
		CompletableFuture<Permit> stage = (number < this.held.size()) ? this.held.get(number).acquire(waited)
				: this.step.acquireRates(waited);
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
				new JointPermit(this.taken).close();
				completeExceptionally(ex);
			}
		});
	}

}
