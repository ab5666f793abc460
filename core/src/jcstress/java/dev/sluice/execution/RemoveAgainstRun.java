package dev.sluice.execution;

import java.util.concurrent.CompletableFuture;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A queue with one task is removed while its worker runs, and before another is submitted. */
@JCStressTest
@Outcome(id = "2, true", expect = Expect.ACCEPTABLE, desc = "Both ran, one at a time; the removal ended.")
@Outcome(id = { "0, true", "1, true" }, expect = Expect.FORBIDDEN, desc = "A task was lost between generations.")
@Outcome(id = { "-1, true", "-2, true" }, expect = Expect.FORBIDDEN, desc = "Two generations overlapped.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The removal never ended.")
@State
public class RemoveAgainstRun {

	private final StressedQueue queue = new StressedQueue();

	private CompletableFuture<?> removal;

	public RemoveAgainstRun() {
		this.queue.submit(Level.NORMAL);
	}

	@Actor
	public void worker() {
		this.queue.work();
	}

	@Actor
	public void remover() {
		this.removal = this.queue.executor.removeQueue("queue");
		this.queue.submit(Level.HIGH);
	}

	@Arbiter
	public void end(IZ_Result result) {
		result.r1 = this.queue.finish();
		result.r2 = this.removal.isDone();
	}

}
