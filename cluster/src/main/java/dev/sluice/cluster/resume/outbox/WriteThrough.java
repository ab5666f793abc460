package dev.sluice.cluster.resume.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the content of an outbox to a place where other nodes find it, before it is
 * sent.
 */
public final class WriteThrough {

	/*
	 * One write is in progress at a time, and callers that wait in the meantime share the
	 * next one. A write contains the whole outbox, so it contains all that was added
	 * before it began. Callers are notified in the order in which they were added, which
	 * is the order of the numbers.
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
	 * @param write writes the whole outbox; returns whether the session still belongs to
	 * this node
	 * @param executor notifies the callers, in order
	 */
	public WriteThrough(String sessionKey, Supplier<CompletableFuture<Boolean>> write, Executor executor) {
		this.sessionKey = sessionKey;
		this.write = write;
		this.executor = executor;
	}

	/** Adds a callback for a write that has yet to {@linkplain #begin begin}. */
	synchronized void add(Consumer<@Nullable Throwable> told) {
		this.waiting.add(told);
	}

	/** Begins to write, unless a write is in progress; never called with a lock held. */
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

	/** Writes changes, for which no caller waits. */
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
