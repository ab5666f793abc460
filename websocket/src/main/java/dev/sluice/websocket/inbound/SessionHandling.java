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
 * Stage that the turn of a session waits for, and that can be abandoned: a stage that
 * never ends would keep the session, and its waiting messages, forever.
 */
public final class SessionHandling {

	/*
	 * There is one stage at a time, since each holds the session's queue. It ends once,
	 * by itself or by being abandoned; its later result is ignored. Attacked by
	 * SessionHandlingTests.
	 */

	private final AtomicReference<@Nullable Handling> current = new AtomicReference<>();

	private final Executor workers;

	private final NanoClock clock;

	/**
	 * Creates the handling of a session.
	 * @param workers run the continuation when a stage is abandoned
	 */
	public SessionHandling(Executor workers, NanoClock clock) {
		this.workers = workers;
		this.clock = clock;
	}

	/**
	 * Makes a stage abandonable.
	 * @return the stage to wait for instead
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

	/** Abandons a stage that exceeds the limit. */
	public void check(long now, Duration limit) {
		Handling handling = this.current.get();
		if (handling != null && now - handling.since() > limit.toNanos()) {
			giveUp(handling, new TimeoutException("A message took longer to be handled than " + limit));
		}
	}

	/** Abandons the stage, if any. */
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

	/** Code that works for the stage may check whether its result is still required. */
	private static void cancel(CompletionStage<?> stage) {
		try {
			stage.toCompletableFuture().cancel(true);
		}
		catch (UnsupportedOperationException ignored) {
			// the stage cannot be cancelled
		}
	}

	/**
	 * A stage, and the time since which it is waited for.
	 *
	 * @param stage the stage that the handler returned
	 * @param end the future that the turn waits for
	 * @param since the start time, by the clock
	 */
	private record Handling(CompletionStage<?> stage, CompletableFuture<@Nullable Object> end, long since) {
	}

}
