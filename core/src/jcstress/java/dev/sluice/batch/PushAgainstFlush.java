package dev.sluice.batch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An item is pushed while the interval of the one before flushes. */
@JCStressTest
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Both went out with the flush.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The later one waits, and a timer stands for it.")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "Nothing would ever flush the later one.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The flush was lost.")
@State
public class PushAgainstFlush {

	private final StressedConsumer stressed = new StressedConsumer(3, false, SlotOverflow.REJECT);

	public PushAgainstFlush() {
		this.stressed.consumer.start(this.stressed);
		this.stressed.consumer.push(1, 0);
		this.stressed.settle();
	}

	@Actor
	public void timer() {
		this.stressed.ring();
		this.stressed.settle();
	}

	@Actor
	public void pusher() {
		this.stressed.consumer.push(2, 0);
	}

	@Arbiter
	public void end(II_Result result) {
		this.stressed.settle();
		result.r1 = this.stressed.arrived.get();
		this.stressed.ring();
		this.stressed.settle();
		result.r2 = this.stressed.arrived.get() - result.r1;
	}

}
