package dev.sluice.execution;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A task is cancelled while a worker takes it: runs of it, and its queue's depth. */
@JCStressTest
@Outcome(id = "true, 0, 0", expect = Expect.ACCEPTABLE, desc = "Cancelled, and did not run.")
@Outcome(id = "false, 1, 0", expect = Expect.ACCEPTABLE, desc = "Ran, and was not cancelled.")
@Outcome(id = "true, 1, 0", expect = Expect.FORBIDDEN, desc = "Ran although its cancellation was confirmed.")
@Outcome(id = "false, 0, 0", expect = Expect.FORBIDDEN, desc = "Neither ran nor was cancelled: lost.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The depth was counted down twice, or not at all.")
@State
public class CancelAgainstRun {

	private final StressedQueue queue = new StressedQueue();

	private final LeveledTask<?> task = this.queue.submit(Level.NORMAL);

	@Actor
	public void worker() {
		this.queue.work();
	}

	@Actor
	public void canceller(ZII_Result result) {
		result.r1 = this.task.cancel(false);
	}

	@Arbiter
	public void end(ZII_Result result) {
		result.r2 = this.queue.finish();
		result.r3 = this.queue.executor.queue("queue").snapshot().normal();
	}

}
