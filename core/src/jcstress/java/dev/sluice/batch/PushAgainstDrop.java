package dev.sluice.batch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two pushers drop the oldest of a full slot while a turn takes a batch from it. */
@JCStressTest
@Outcome(id = "4, 0", expect = Expect.ACCEPTABLE, desc = "The batch made room for both, which went out too.")
@Outcome(id = { "3, 1", "2, 2" }, expect = Expect.ACCEPTABLE, desc = "One or both replaced an older item.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An item was lost, doubled or stranded.")
@State
public class PushAgainstDrop {

	private final StressedConsumer stressed = new StressedConsumer(2, false, SlotOverflow.DROP_OLDEST);

	public PushAgainstDrop() {
		this.stressed.consumer.push(1, 0);
		this.stressed.consumer.push(2, 0);
		this.stressed.consumer.start(this.stressed);
	}

	@Actor
	public void worker() {
		this.stressed.turn();
	}

	@Actor
	public void first() {
		this.stressed.consumer.push(3, 0);
	}

	@Actor
	public void second() {
		this.stressed.consumer.push(4, 0);
	}

	@Arbiter
	public void end(II_Result result) {
		this.stressed.settle();
		this.stressed.consumer.complete(true);
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
		result.r2 = (int) this.stressed.consumer.snapshot().slots().get(0).dropped();
	}

}
