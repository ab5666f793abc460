package dev.sluice.batch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two pushes fill a batch while the consumer starts. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The batch went out, without a timer.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A signal was lost: a full batch waits.")
@State
public class PushAgainstStart {

	private final StressedConsumer stressed = new StressedConsumer(2, false, SlotOverflow.REJECT);

	@Actor
	public void starter() {
		this.stressed.consumer.start(this.stressed);
		this.stressed.settle();
	}

	@Actor
	public void pusher() {
		this.stressed.consumer.push(1, 0);
		this.stressed.consumer.push(2, 0);
	}

	@Arbiter
	public void end(I_Result result) {
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
	}

}
