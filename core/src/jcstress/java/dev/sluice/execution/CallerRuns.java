package dev.sluice.execution;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread that runs its tasks in an idle queue, against one that submits, runs and
 * works.
 */
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "Every task ran, one at a time.")
@Outcome(id = { "0", "1", "2", "3" }, expect = Expect.FORBIDDEN, desc = "A wake-up was lost: a task is stranded.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Tasks overlapped, or one ran twice.")
@State
public class CallerRuns {

	private final StressedQueue queue = new StressedQueue();

	@Actor
	public void runner() {
		this.queue.run(Level.NORMAL);
		this.queue.run(Level.NORMAL);
	}

	@Actor
	public void submitter() {
		this.queue.submit(Level.HIGH);
		this.queue.run(Level.NORMAL);
		this.queue.work();
	}

	@Arbiter
	public void end(I_Result result) {
		result.r1 = this.queue.finish();
	}

}
