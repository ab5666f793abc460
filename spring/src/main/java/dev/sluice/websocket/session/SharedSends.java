package dev.sluice.websocket.session;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

import dev.sluice.execution.Level;
import dev.sluice.websocket.message.TotalBuffer;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sender of messages that go to many sessions, which count once among what waits.
 *
 * @param total bounds what waits to be sent
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
		int bytes = written.message().getPayloadLength();
		this.total.add(bytes);
		return SessionRegistry
			.all(sessions.stream().map((session) -> sender.apply(session).handle((nothing, failure) -> {
				outcome.accept(session, failure);
				return nothing;
			})).toList())
			.whenComplete((nothing, failure) -> this.total.remove(bytes));
	}

}
