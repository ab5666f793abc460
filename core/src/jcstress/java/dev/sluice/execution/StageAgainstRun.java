package dev.sluice.execution;

import java.util.concurrent.CompletableFuture;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A stage ends, and a pause with it, while the worker that started it lets go of the queue. */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "The task behind the stage ran once.")
@Outcome(id = "0, true", expect = Expect.FORBIDDEN, desc = "The queue rests although nothing holds it.")
@Outcome(id = "2, true", expect = Expect.FORBIDDEN, desc = "The queue was handed on twice.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The stage's task did not end, or tasks overlapped.")
@State
public class StageAgainstRun {

	private final StressedQueue queue = new StressedQueue();

	private final CompletableFuture<Integer> stage = new CompletableFuture<>();

	private final LeveledTask<Integer> task = this.queue.executor.submitStage("queue", Level.NORMAL, () -> this.stage);

	public StageAgainstRun() {
		this.queue.submit(Level.NORMAL);
	}

	@Actor
	public void worker() {
		this.queue.work();
	}

	@Actor
	public void operator() {
		TaskQueue handle = this.queue.executor.queue("queue");
		handle.pause();
		this.stage.complete(1);
		handle.resume();
	}

	@Arbiter
	public void end(IZ_Result result) {
		result.r1 = this.queue.finish();
		result.r2 = this.task.isDone();
	}

}
