package dev.sluice.batch;

import java.util.concurrent.CompletableFuture;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/** An item is pushed while the consumer drains. */
@JCStressTest
@Outcome(id = "2, 1, true", expect = Expect.ACCEPTABLE, desc = "Both items went out before the end.")
@Outcome(id = "1, 2, true", expect = Expect.ACCEPTABLE, desc = "The later item was dropped, and its pusher told.")
@Outcome(id = "., 0, .*", expect = Expect.FORBIDDEN, desc = "The later item waits for ever.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An item was lost or doubled, or the consumer did not complete.")
@State
public class PushAgainstComplete {

	private final StressedConsumer stressed = new StressedConsumer(3, false, SlotOverflow.REJECT);

	private CompletableFuture<?> completed = new CompletableFuture<>();

	private CompletableFuture<?> later = new CompletableFuture<>();

	public PushAgainstComplete() {
		this.stressed.consumer.start(this.stressed);
		this.stressed.consumer.push(1, 0);
	}

	@Actor
	public void completer() {
		this.completed = this.stressed.consumer.complete(true);
		this.stressed.settle();
	}

	@Actor
	public void pusher() {
		this.later = this.stressed.consumer.push(2, 0);
	}

	@Arbiter
	public void end(IIZ_Result result) {
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
		result.r2 = !this.later.isDone() ? 0 : !this.later.isCompletedExceptionally() ? 1 : 2;
		result.r3 = this.completed.isDone();
	}

}
