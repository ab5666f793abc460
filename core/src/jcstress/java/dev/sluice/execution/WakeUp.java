package dev.sluice.execution;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two submissions, one of each level, while the worker of a first task goes idle. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "Every task ran, one at a time.")
@Outcome(id = { "0", "1", "2" }, expect = Expect.FORBIDDEN, desc = "A wake-up was lost: a task is stranded.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Tasks overlapped, or one ran twice.")
@State
public class WakeUp {

	private final StressedQueue queue = new StressedQueue();

	public WakeUp() {
		this.queue.submit(Level.NORMAL);
	}

	@Actor
	public void worker() {
		this.queue.work();
	}

	@Actor
	public void submitter() {
		this.queue.submit(Level.HIGH);
		this.queue.submit(Level.NORMAL);
	}

	@Arbiter
	public void end(I_Result result) {
		result.r1 = this.queue.finish();
	}

}
