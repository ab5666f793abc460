package dev.sluice.websocket.outbound;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.journal.SessionJournal;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/** A message that waits for its turn, and its bytes in the buffer. */
final class OutgoingMessage implements Callable<CompletionStage<@Nullable Void>> {

	private static final AtomicIntegerFieldUpdater<OutgoingMessage> WAITING = AtomicIntegerFieldUpdater
		.newUpdater(OutgoingMessage.class, "waiting");

	private final WebSocketMessage<?> message;

	private final @Nullable LateContent content;

	private final SessionJournal.@Nullable Entry record;

	/** Bytes counted as waiting: all until its turn has come, then none. */
	private volatile int waiting;

	/** Whether the waiting bytes belong to a stream that may fall behind. */
	private final boolean recoverable;

	/** Bytes counted as held until the message has been sent or has failed. */
	private final int held;

	/** Written before the message is queued. */
	private ObservedMessage observed = ObservedMessage.NONE;

	private final Transmission transmission;

	OutgoingMessage(WebSocketMessage<?> message, @Nullable LateContent content, SessionJournal.@Nullable Entry record,
			int waiting, boolean recoverable, int held, Transmission transmission) {
		this.message = message;
		this.content = content;
		this.record = record;
		this.waiting = waiting;
		this.recoverable = recoverable;
		this.held = held;
		this.transmission = transmission;
	}

	void observe(ObservedMessage observation) {
		this.observed = observation;
	}

	WebSocketMessage<?> message() {
		return this.message;
	}

	/** Returns the content to send to the client, now that its turn has come. */
	WebSocketMessage<?> content() throws SessionClosedException {
		return (this.content != null) ? this.content.get() : this.message;
	}

	SessionJournal.@Nullable Entry record() {
		return this.record;
	}

	ObservedMessage observed() {
		return this.observed;
	}

	@Override
	public CompletionStage<@Nullable Void> call() throws Exception {
		return this.transmission.transmit(this);
	}

	/** Transmits the message again, in its turn, on an executor that waits before. */
	CompletionStage<@Nullable Void> callLater(Executor later) {
		return CompletableFuture.runAsync(() -> {
		}, later).thenCompose((nothing) -> {
			try {
				return call();
			}
			catch (Exception ex) {
				return CompletableFuture.failedFuture(ex);
			}
		});
	}

	/** Ends the wait: when its turn has come, or when it ends without one. */
	void release() {
		int bytes = WAITING.getAndSet(this, 0);
		if (this.recoverable) {
			this.transmission.buffer().releaseOfStream(bytes);
		}
		else {
			this.transmission.buffer().releaseWaiting(bytes);
		}
	}

	void ended(@Nullable Throwable failure) {
		release();
		this.transmission.buffer().releaseHeld(this.held);
		this.observed.ended(failure);
	}

	/** Passes messages to the container, and provides the buffer of a session. */
	interface Transmission {

		SendBuffer buffer();

		CompletionStage<@Nullable Void> transmit(OutgoingMessage message) throws Exception;

	}

}
