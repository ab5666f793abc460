package dev.sluice.websocket.inbound;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Stage for which the turn of a session waits, and which can be given up: a stage that
 * never ends would keep the session, and what waits there, for ever.
 */
public final class SessionHandling {

	/*
	 * There is one stage at a time, since each holds the session's queue. It ends once,
	 * by itself or by being given up; what it gives afterwards is ignored. Attacked by
	 * SessionHandlingTests.
	 */

	private final AtomicReference<@Nullable Handling> current = new AtomicReference<>();

	private final Executor workers;

	private final NanoClock clock;

	/**
	 * Creates the handling of a session.
	 * @param workers run what follows when a stage is given up
	 */
	public SessionHandling(Executor workers, NanoClock clock) {
		this.workers = workers;
		this.clock = clock;
	}

	/**
	 * Lets a stage be given up.
	 * @return the stage to wait for in its place
	 */
	public CompletionStage<?> of(CompletionStage<?> stage) {
		Handling handling = new Handling(stage, new CompletableFuture<>(), this.clock.nanoTime());
		this.current.set(handling);
		stage.whenComplete((value, failure) -> {
			this.current.compareAndSet(handling, null);
			if (failure != null) {
				handling.end().completeExceptionally(failure);
			}
			else {
				handling.end().complete(value);
			}
		});
		return handling.end();
	}

	/** Gives up a stage that takes longer than it may. */
	public void check(long now, Duration limit) {
		Handling handling = this.current.get();
		if (handling != null && now - handling.since() > limit.toNanos()) {
			giveUp(handling, new TimeoutException("A message took longer to be handled than " + limit));
		}
	}

	/** Gives up the stage, if there is one. */
	public void giveUp(Throwable reason) {
		Handling handling = this.current.get();
		if (handling != null) {
			giveUp(handling, reason);
		}
	}

	private void giveUp(Handling handling, Throwable reason) {
		if (!this.current.compareAndSet(handling, null)) {
			return;
		}
		Runnable end = () -> {
			handling.end().completeExceptionally(reason);
			cancel(handling.stage());
		};
		try {
			this.workers.execute(end);
		}
		catch (RejectedExecutionException ex) {
			end.run();
		}
	}

	/** Whoever works for the stage may look whether somebody wants its result. */
	private static void cancel(CompletionStage<?> stage) {
		try {
			stage.toCompletableFuture().cancel(true);
		}
		catch (UnsupportedOperationException ignored) {
			// it cannot be told
		}
	}

	/**
	 * A stage, and since when it is waited for.
	 *
	 * @param stage what the handler gave
	 * @param end what is waited for
	 * @param since when it began, by the clock
	 */
	private record Handling(CompletionStage<?> stage, CompletableFuture<@Nullable Object> end, long since) {
	}

}
