package dev.sluice.websocket.stomp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Stages that the turn of a session waits for beyond the handling of a message, without a
 * thread. A client therefore has no more work in progress than its current message has
 * caused.
 *
 * @since 0.1.0
 */
public final class SuspendedTask {

	/** The turn of the message that the thread handles. */
	private static final ThreadLocal<@Nullable SuspendedTask> CURRENT = new ThreadLocal<>();

	private @Nullable List<CompletableFuture<?>> stages;

	private SuspendedTask() {
	}

	/**
	 * Holds the turn of the session whose message the calling thread handles, if any.
	 * @param stage until it has ended, however
	 */
	public static void until(CompletionStage<?> stage) {
		SuspendedTask current = CURRENT.get();
		CompletableFuture<?> future = stage.toCompletableFuture();
		if (current != null && !future.isDone()) {
			current.add(future.handle((result, failure) -> null));
		}
	}

	private void add(CompletableFuture<?> stage) {
		List<CompletableFuture<?>> held = this.stages;
		if (held == null) {
			held = new ArrayList<>(1);
			this.stages = held;
		}
		held.add(stage);
	}

	/** Handles a message; returns a stage that ends with its turn. */
	static CompletionStage<@Nullable Void> during(Supplier<CompletionStage<@Nullable Void>> handling) {
		SuspendedTask outer = CURRENT.get();
		SuspendedTask turn = new SuspendedTask();
		CURRENT.set(turn);
		try {
			return turn.with(handling.get());
		}
		finally {
			if (outer != null) {
				CURRENT.set(outer);
			}
			else {
				CURRENT.remove();
			}
		}
	}

	private CompletionStage<@Nullable Void> with(CompletionStage<@Nullable Void> handled) {
		List<CompletableFuture<?>> held = this.stages;
		return (held != null)
				? CompletableFuture.allOf(held.toArray(CompletableFuture[]::new)).thenCompose((nothing) -> handled)
				: handled;
	}

}
