package dev.sluice.websocket.resume;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/** Writes what an outbox keeps to where other nodes find it, before it is sent. */
final class WriteThrough {

	/*
	 * One write is under way at a time, and those who wait meanwhile share the next. A
	 * write has all of the outbox, so it has whatever was added before it began. Those
	 * who wait are told in the order in which they were added, which is that of the
	 * numbers.
	 *
	 * Attacked by ResumeHistoryTests and WrittenOutboxTests.
	 */

	private final String sessionKey;

	private final Supplier<CompletableFuture<Boolean>> write;

	private final Executor executor;

	private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

	private boolean writing;

	/**
	 * Creates the writes of an outbox.
	 * @param write writes all of it; answers whether the session is this node's still
	 * @param executor tells those who wait, in order
	 */
	WriteThrough(String sessionKey, Supplier<CompletableFuture<Boolean>> write, Executor executor) {
		this.sessionKey = sessionKey;
		this.write = write;
		this.executor = executor;
	}

	/** Adds who waits for a write that has yet to {@linkplain #begin begin}. */
	synchronized void add(Consumer<@Nullable Throwable> told) {
		this.waiting.add(told);
	}

	/** Begins to write, unless that is under way; never called with a lock held. */
	void begin() {
		List<Consumer<@Nullable Throwable>> batch;
		synchronized (this) {
			if (this.writing || this.waiting.isEmpty()) {
				return;
			}
			this.writing = true;
			batch = this.waiting;
			this.waiting = new ArrayList<>();
		}
		this.write.get().whenComplete((mine, failure) -> {
			Throwable reason = (failure != null || mine) ? failure : new SessionClosedException(this.sessionKey);
			try {
				this.executor.execute(() -> tell(batch, reason));
			}
			catch (RejectedExecutionException ex) {
				tell(batch, (reason != null) ? reason : ex);
			}
		});
	}

	/** Writes what has changed, which nobody waits for. */
	void again() {
		add((failure) -> {
		});
		begin();
	}

	private void tell(List<Consumer<@Nullable Throwable>> batch, @Nullable Throwable reason) {
		batch.forEach((told) -> told.accept(reason));
		synchronized (this) {
			this.writing = false;
		}
		begin();
	}

}
