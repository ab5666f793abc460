package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.Limit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two calls acquire from a token bucket that has just become full. */
@JCStressTest
@Outcome(id = "0, 50", expect = Expect.ACCEPTABLE, desc = "Two were acquired first; the third waits.")
@Outcome(id = "50, 0", expect = Expect.ACCEPTABLE, desc = "One was acquired first; the two others wait.")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "Three of two were acquired.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A rejection saw half of a change.")
@State
public class TokenBucketAgainstItself {

	private final StressedCell cell = new StressedCell(Limit.tokenBucket(2, 2, StressedCell.PERIOD));

	@Actor
	public void two(JJ_Result result) {
		result.r1 = this.cell.tryAcquire(2);
	}

	@Actor
	public void one(JJ_Result result) {
		result.r2 = this.cell.tryAcquire(1);
	}

}
