package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two keys of a dynamic window acquire the last permit that they share. */
@JCStressTest
@Outcome(id = { "true, false", "false, true" }, expect = Expect.ACCEPTABLE, desc = "One of them had it.")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "More than the capacity was acquired.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Nobody had what was free.")
@State
public class DynamicWindowAgainstItself {

	private final Throttle throttle = ThrottlingManager.builder()
		.clock(() -> 0)
		.build()
		.addOrUpdate("shared", Limit.dynamicWindow(1, 1, 1, StressedCell.PERIOD, 4));

	@Actor
	public void first(ZZ_Result result) {
		result.r1 = this.throttle.tryAcquireNanos("a", 1) == 0;
	}

	@Actor
	public void second(ZZ_Result result) {
		result.r2 = this.throttle.tryAcquireNanos("b", 1) == 0;
	}

}
