package dev.sluice.websocket.session;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

import dev.sluice.execution.Level;
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
	 * @param outcome called for each session when the message was sent, or with why not
	 * @return ends when it has been sent or has failed everywhere; never exceptionally
	 */
	public CompletableFuture<@Nullable Void> send(Collection<OrderedWebSocketSession> sessions, WrittenMessage written,
			Level level, BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
		return send(sessions, written, (session) -> session.outbound().sendShared(written, level), outcome);
	}

	/**
	 * Sends a message in a way of its own.
	 * @param sender sends it to one session, as shared
	 * @param outcome called for each session when the message was sent, or with why not
	 * @return ends when it has been sent or has failed everywhere; never exceptionally
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
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Begins to send a message.
	 * @param outcome called for each session when the message was sent, or with why not
	 */
	public Sending begin(WrittenMessage written, BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
		return new Sending(written.message().getPayloadLength(), this.total, outcome);
	}

	/** A message on its way to sessions. */
	public static final class Sending {

		private final int bytes;

		private final TotalBuffer<?> total;

		private final BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome;

		private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

		/** Sessions where it has not ended, and one more until no session is added. */
		private final AtomicInteger open = new AtomicInteger(1);

		private Sending(int bytes, TotalBuffer<?> total,
				BiConsumer<OrderedWebSocketSession, @Nullable Throwable> outcome) {
			this.bytes = bytes;
			this.total = total;
			this.outcome = outcome;
			total.add(bytes);
		}

		/** Adds a session to which the message is sent, as shared. */
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
		 * @return ends when the message has been sent or has failed everywhere; never
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
