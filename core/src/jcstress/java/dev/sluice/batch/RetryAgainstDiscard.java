package dev.sluice.batch;

import java.util.concurrent.CompletableFuture;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/** A batch fails and its back-off ends while the consumer discards. */
@JCStressTest
@Outcome(id = "1, true, true", expect = Expect.ACCEPTABLE, desc = "The batch was given up, then the consumer ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The batch was forgotten, or retried, or the consumer did not complete.")
@State
public class RetryAgainstDiscard {

	private final StressedConsumer stressed = new StressedConsumer(1, true, SlotOverflow.REJECT);

	private final CompletableFuture<?> pushed;

	private CompletableFuture<?> completed = new CompletableFuture<>();

	public RetryAgainstDiscard() {
		this.stressed.consumer.start(this.stressed);
		this.pushed = this.stressed.consumer.push(1, 0);
		this.stressed.settle();
	}

	@Actor
	public void ender() {
		this.stressed.stages.remove().completeExceptionally(new IllegalStateException("expected"));
		this.stressed.ring();
	}

	@Actor
	public void completer() {
		this.completed = this.stressed.consumer.complete(false);
		this.stressed.settle();
	}

	@Arbiter
	public void end(IZZ_Result result) {
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
		result.r2 = this.pushed.isCompletedExceptionally();
		result.r3 = this.completed.isDone();
	}

}
