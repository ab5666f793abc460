package dev.sluice.execution;

import java.util.concurrent.CompletableFuture;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A queue with two NORMAL tasks is drained while its worker runs. */
@JCStressTest
@Outcome(id = "2, true", expect = Expect.ACCEPTABLE, desc = "The drain ended with the last task.")
@Outcome(id = { "0, true", "1, true" }, expect = Expect.FORBIDDEN, desc = "The drain ended before a task had.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The drain never ended.")
@State
public class DrainAgainstRun {

	private final StressedQueue queue = new StressedQueue();

	private CompletableFuture<?> drain;

	private volatile int ranWhenDrained;

	public DrainAgainstRun() {
		this.queue.submit(Level.NORMAL);
		this.queue.submit(Level.NORMAL);
	}

	@Actor
	public void worker() {
		this.queue.work();
	}

	@Actor
	public void drainer() {
		this.drain = this.queue.executor.drain();
		this.drain.thenRun(() -> this.ranWhenDrained = this.queue.ran.get());
	}

	@Arbiter
	public void end(IZ_Result result) {
		this.queue.finish();
		result.r1 = this.ranWhenDrained;
		result.r2 = this.drain.isDone();
	}

}
