package dev.sluice.batch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two pushes fill a batch while the turn that the one before called ends. */
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "Both batches went out, without a timer.")
@Outcome(id = { "0", "2" }, expect = Expect.FORBIDDEN, desc = "A signal was lost: a full batch waits.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A batch went out that was not full.")
@State
public class PushAgainstTurn {

	private final StressedConsumer stressed = new StressedConsumer(2, false, SlotOverflow.DROP_NEWEST);

	public PushAgainstTurn() {
		this.stressed.consumer.start(this.stressed);
		this.stressed.settle();
		this.stressed.consumer.push(1, 0);
		this.stressed.settle();
		this.stressed.consumer.push(2, 0);
	}

	@Actor
	public void worker() {
		this.stressed.turn();
	}

	@Actor
	public void pusher() {
		push(3);
		push(4);
	}

	private void push(int item) {
		while (this.stressed.consumer.push(item, 0).isCompletedExceptionally()) {
			Thread.onSpinWait();
		}
	}

	@Arbiter
	public void end(I_Result result) {
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
	}

}
