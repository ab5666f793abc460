package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.Limit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/** A call acquires from a cell that a change of its limit replaces. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Acquired before; the successor counts it.")
@Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "The cell was dead: the call looks the key up again.")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "A permit was lost: it counts nowhere.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A permit was counted that nobody acquired.")
@State
public class AcquireAgainstReplace {

	private final StressedCell cell = new StressedCell(Limit.slidingLog(2, StressedCell.PERIOD));

	@Actor
	public void caller(JI_Result result) {
		result.r1 = this.cell.tryAcquire(1);
	}

	@Actor
	public void change(JI_Result result) {
		result.r2 = this.cell.replace();
	}

}
