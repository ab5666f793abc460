package dev.sluice.websocket.outbound;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * A message that is sent in parts, as one task: from the first part to the last, nothing
 * else is sent.
 */
public final class FragmentedMessage implements Callable<CompletionStage<@Nullable Void>> {

	/*
	 * "sending" is held by whoever has a part at the container; it alone takes the next.
	 * Futures are completed outside the lock. Attacked by SessionOutboundTests.
	 */

	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<Part> waiting = new ArrayDeque<>();

	private final CompletableFuture<@Nullable Void> whole = new CompletableFuture<>();

	private boolean sending = true;

	public FragmentedMessage() {
		this.whole.whenComplete((nothing, failure) -> {
			if (failure != null) {
				failWaiting(failure);
			}
		});
	}

	/**
	 * Queues the next part.
	 * @param sending sends it
	 */
	public CompletableFuture<@Nullable Void> add(Callable<CompletionStage<@Nullable Void>> sending, boolean last) {
		Part part = new Part(sending, last, new CompletableFuture<>());
		this.lock.lock();
		try {
			this.waiting.add(part);
		}
		finally {
			this.lock.unlock();
		}
		if (this.whole.isDone()) {
			fail(new IllegalStateException("The message has ended"));
		}
		else {
			sendNext(false);
		}
		return part.sent();
	}

	/** Its turn has come. */
	@Override
	public CompletionStage<@Nullable Void> call() {
		sendNext(true);
		return this.whole;
	}

	/** Ends the message without the parts that wait. */
	public void fail(Throwable reason) {
		if (!this.whole.completeExceptionally(reason)) {
			failWaiting(reason);
		}
	}

	private void sendNext(boolean hasTurn) {
		Part part;
		this.lock.lock();
		try {
			if (this.sending && !hasTurn) {
				return;
			}
			part = this.waiting.poll();
			this.sending = (part != null);
		}
		finally {
			this.lock.unlock();
		}
		if (part != null) {
			send(part);
		}
	}

	private void send(Part part) {
		CompletionStage<@Nullable Void> sent;
		try {
			sent = part.sending().call();
		}
		catch (Exception ex) {
			sent = CompletableFuture.failedFuture(ex);
		}
		sent.whenComplete((nothing, failure) -> {
			if (failure != null) {
				part.sent().completeExceptionally(failure);
				fail(failure);
			}
			else if (part.last()) {
				part.sent().complete(null);
				this.whole.complete(null);
			}
			else {
				part.sent().complete(null);
				sendNext(true);
			}
		});
	}

	private void failWaiting(Throwable reason) {
		while (true) {
			Part part;
			this.lock.lock();
			try {
				part = this.waiting.poll();
			}
			finally {
				this.lock.unlock();
			}
			if (part == null) {
				return;
			}
			part.sent().completeExceptionally(reason);
		}
	}

	/** A part, and what its sender is told. */
	private record Part(Callable<CompletionStage<@Nullable Void>> sending, boolean last,
			CompletableFuture<@Nullable Void> sent) {
	}

}
