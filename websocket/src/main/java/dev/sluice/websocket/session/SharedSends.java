package dev.sluice.websocket.session;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

import dev.sluice.execution.Level;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.message.TotalBuffer;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sender of messages to many sessions, whose payload counts once among the waiting bytes.
 *
 * @param total bounds the bytes that wait to be sent
 */
public record SharedSends(TotalBuffer<?> total) {

	/**
	 * Sends a message.
	 * @param outcome called for each session when the message was sent, or with the
	 * failure
	 * @return ends when the message was sent or has failed for all sessions; never
	 * exceptionally
	 */
	public CompletableFuture<@Nullable Void> send(Collection<OrderedWebSocketSession> sessions, WrittenMessage written,
			Level level, BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
		return send(sessions, written, (session) -> session.outbound().sendShared(written, level), outcome);
	}

	/**
	 * Sends a message with the given sender.
	 * @param sender sends it to one session, as a shared message
	 * @param outcome called for each session when the message was sent, or with the
	 * failure
	 * @return ends when the message was sent or has failed for all sessions; never
	 * exceptionally
	 */
	public CompletableFuture<@Nullable Void> send(Collection<OrderedWebSocketSession> sessions, WrittenMessage written,
			Function<OrderedWebSocketSession, CompletableFuture<@Nullable Void>> sender,
			BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
		Sending sending = begin(written, outcome);
		sessions.forEach((session) -> sending.add(session, send(session, sender)));
		return sending.end();
	}

	/** A session whose message cannot be queued does not keep it from the others. */
	private static CompletableFuture<@Nullable Void> send(OrderedWebSocketSession session,
			Function<OrderedWebSocketSession, CompletableFuture<@Nullable Void>> sender) {
		try {
			return sender.apply(session);
		}
		catch (Throwable ex) {
			FatalErrors.passOn(ex);
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Begins to send a message.
	 * @param outcome called for each session when the message was sent, or with the
	 * failure
	 */
	public Sending begin(WrittenMessage written, BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
		return new Sending(written.message().getPayloadLength(), this.total, outcome);
	}

	/** A message that is being sent to sessions. */
	public static final class Sending {

		/*
		 * "open" starts at 1, which end() subtracts. It is therefore 0 once, when all
		 * sessions are added and sending to each of them has ended. Attacked by
		 * TotalBufferTests.
		 */

		private final int bytes;

		private final TotalBuffer<?> total;

		private final BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome;

		private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

		/**
		 * Number of sessions where sending has not ended, plus one until all sessions are
		 * added.
		 */
		private final AtomicInteger open = new AtomicInteger(1);

		private Sending(int bytes, TotalBuffer<?> total,
				BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
			this.bytes = bytes;
			this.total = total;
			this.outcome = outcome;
			total.add(bytes);
		}

		/** Adds a session to which the message is sent, as a shared message. */
		public void add(OrderedWebSocketSession session, CompletableFuture<@Nullable Void> sent) {
			if (sent.isDone() && !sent.isCompletedExceptionally()) {
				this.outcome.accept(session, null);
				return;
			}
			this.open.incrementAndGet();
			sent.whenComplete((nothing, failure) -> {
				try {
					this.outcome.accept(session, failure);
				}
				finally {
					close();
				}
			});
		}

		/**
		 * Adds no more sessions.
		 * @return ends when the message was sent or has failed for all sessions; never
		 * exceptionally
		 */
		public CompletableFuture<@Nullable Void> end() {
			close();
			return this.ended;
		}

		private void close() {
			if (this.open.decrementAndGet() == 0) {
				this.total.remove(this.bytes);
				this.ended.complete(null);
			}
		}

	}

}
