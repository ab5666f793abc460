package dev.sluice.batch;

import java.util.concurrent.CompletableFuture;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** The only batch ends while the consumer is told to complete. */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "The batch ended, then the consumer.")
@Outcome(id = "1, false", expect = Expect.FORBIDDEN, desc = "Nobody saw that all had ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The batch was lost or doubled.")
@State
public class EndAgainstComplete {

	private final StressedConsumer stressed = new StressedConsumer(1, true, SlotOverflow.REJECT);

	private CompletableFuture<?> completed = new CompletableFuture<>();

	public EndAgainstComplete() {
		this.stressed.consumer.start(this.stressed);
		this.stressed.consumer.push(1, 0);
		this.stressed.settle();
	}

	@Actor
	public void ender() {
		this.stressed.stages.remove().complete(null);
	}

	@Actor
	public void completer() {
		this.completed = this.stressed.consumer.complete(true);
		this.stressed.settle();
	}

	@Arbiter
	public void end(IZ_Result result) {
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
		result.r2 = this.completed.isDone();
	}

}
