package dev.sluice.cluster.resume.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.execution.Level;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;

/** A message that the client may not have received. */
final class OutboxEntry {

	final WrittenMessage written;

	final DirectText text;

	final Level level;

	final int bytes;

	final CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();

	long number;

	boolean stored;

	/**
	 * Whether its turn has come on a connection, so that the client may have received it.
	 */
	boolean begun;

	/** Whether a connection has it, which ends its future. */
	boolean dispatched;

	/** Whether its bytes are reserved in the budget. */
	boolean kept;

	OutboxEntry(WrittenMessage written, DirectText text, Level level) {
		this.written = written;
		this.text = text;
		this.level = level;
		this.bytes = text.cost();
	}

	/** Creates a message that another node has stored. */
	static OutboxEntry of(OutboxContents.Kept kept) {
		OutboxEntry entry = new OutboxEntry(new WrittenMessage(new TextMessage(kept.head()), null),
				new DirectText(kept.head()), Level.NORMAL);
		entry.number = kept.number();
		entry.stored = true;
		return entry;
	}

	/** Failures of the messages of one session that are not sent again. */
	static final class Failures {

		/*
		 * "dropped" guards itself. A message is removed from it before its future is
		 * completed, which runs callbacks without a lock. Attacked by WrittenOutboxTests
		 * and ResumeHistoryTests.
		 */

		private final String sessionKey;

		/**
		 * Messages that were dropped while no connection had them; locks itself, so that
		 * the outbox adds them with its own lock held, and fails them without it.
		 */
		private final List<OutboxEntry> dropped = new ArrayList<>();

		Failures(String sessionKey) {
			this.sessionKey = sessionKey;
		}

		/** Creates the failure of a message for which there is no room. */
		RejectedExecutionException noRoom() {
			return new RejectedExecutionException(
					"No room for a message to session '" + this.sessionKey + "' until it is resumed");
		}

		/** Creates the failure of a message that is not sent on any connection. */
		SessionClosedException closed() {
			return new SessionClosedException(this.sessionKey);
		}

		/**
		 * Creates the failure of a message that the client may receive or have received.
		 */
		SessionClosedException undecided(Throwable reason) {
			return SessionClosedException.undecided(this.sessionKey, reason);
		}

		/** Adds a message that was dropped. */
		void add(OutboxEntry entry) {
			synchronized (this.dropped) {
				this.dropped.add(entry);
			}
		}

		/** Fails the messages that were added. */
		void failDropped() {
			List<OutboxEntry> lost;
			synchronized (this.dropped) {
				lost = List.copyOf(this.dropped);
				this.dropped.clear();
			}
			lost.forEach((entry) -> entry.sent.completeExceptionally((entry.begun || entry.stored)
					? SessionClosedException.undecided(this.sessionKey, null) : noRoom()));
		}

		/**
		 * Fails messages of a session that has ended here.
		 * @param continued whether another node may send them
		 */
		void fail(Collection<OutboxEntry> entries, boolean continued) {
			entries.forEach((entry) -> entry.sent.completeExceptionally(
					(continued || entry.begun) ? SessionClosedException.undecided(this.sessionKey, null) : closed()));
		}

	}

}
