package dev.sluice.websocket.outbound;

import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/**
 * A message sent in parts, as one task: between the first part and the last, no other
 * message is sent.
 */
public final class FragmentedMessage implements Callable<CompletionStage<@Nullable Void>> {

	/*
	 * "sending" is held by the thread that has a part at the container; it alone takes
	 * the next part. A part is queued before its sender tries to take the turn: the
	 * sender gets the turn, or the holder finds the part. Attacked by
	 * SessionOutboundTests.
	 */

	private final Queue<Part> waiting = new ConcurrentLinkedQueue<>();

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
		this.waiting.add(part);
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

	/** Ends the message without the waiting parts. */
	public void fail(Throwable reason) {
		if (!this.whole.completeExceptionally(reason)) {
			failWaiting(reason);
		}
	}

	private void sendNext(boolean hasTurn) {
		Part part = next(hasTurn);
		if (part != null) {
			send(part);
		}
	}

	private synchronized @Nullable Part next(boolean hasTurn) {
		if (this.sending && !hasTurn) {
			return null;
		}
		Part part = this.waiting.poll();
		this.sending = (part != null);
		return part;
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
		for (Part part = this.waiting.poll(); part != null; part = this.waiting.poll()) {
			part.sent().completeExceptionally(reason);
		}
	}

	/** A part and the future of its sender. */
	private record Part(Callable<CompletionStage<@Nullable Void>> sending, boolean last,
			CompletableFuture<@Nullable Void> sent) {
	}

}
