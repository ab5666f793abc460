package dev.sluice.cluster.internal.feed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.resume.outbox.ResumeBudget;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a topic that one session has missed, sent one at a time: the next when the
 * one before is out, so that they never fill its send buffer. If the session ends for any
 * reason, its reserved bytes are released.
 */
public final class TopicReplay {

	/*
	 * "entries" guards itself. Bytes are reserved before their entries are added. An
	 * entry that is taken returns its bytes with the lock held, so they are returned
	 * once, whether it is sent or the session ends. "at" and "complete" are written by
	 * the thread that sends or adds. Attacked by TopicFeedTests and CatchUpTests.
	 */

	private final String topic;

	private final OrderedWebSocketSession session;

	private final ResumeBudget budget;

	/** Locks itself; the bytes are reserved in the budget. */
	private final Deque<TopicEntry> entries = new ArrayDeque<>();

	private volatile String at;

	private volatile boolean complete;

	/**
	 * Creates the messages, which count as missing if the budget has no room for them.
	 * @param at the position that they follow
	 */
	public TopicReplay(String topic, OrderedWebSocketSession session, Replay replay, String at, ResumeBudget budget) {
		this.topic = topic;
		this.session = session;
		this.budget = budget;
		this.at = at;
		add(replay);
		session.ended().thenRun(this::end);
	}

	/** Adds the messages that follow the latest one. */
	public void add(Replay replay) {
		long bytes = replay.missed().stream().mapToLong(TopicReplay::cost).sum();
		this.complete = replay.complete() && this.budget.take(bytes);
		if (this.complete) {
			synchronized (this.entries) {
				this.entries.addAll(replay.missed());
			}
		}
	}

	private static long cost(TopicEntry entry) {
		return MessageCost.SENT + entry.payload().length();
	}

	public String topic() {
		return this.topic;
	}

	public OrderedWebSocketSession session() {
		return this.session;
	}

	/** Returns the position of the latest message sent. */
	public String at() {
		return this.at;
	}

	/** Returns whether nothing is missing. */
	public boolean isComplete() {
		return this.complete;
	}

	/** Returns how many messages are to be sent. */
	public int count() {
		synchronized (this.entries) {
			return this.entries.size();
		}
	}

	/**
	 * Sends the messages.
	 * @param sender sends one
	 * @return ends when all messages were sent, or with the failure of one, after which
	 * no more are sent
	 */
	public CompletableFuture<@Nullable Void> send(Function<TopicEntry, CompletableFuture<@Nullable Void>> sender) {
		CompletableFuture<@Nullable Void> all = new CompletableFuture<>();
		send(sender, all);
		return all;
	}

	private void send(Function<TopicEntry, CompletableFuture<@Nullable Void>> sender,
			CompletableFuture<@Nullable Void> all) {
		while (true) {
			TopicEntry next = next();
			if (next == null) {
				all.complete(null);
				return;
			}
			CompletableFuture<@Nullable Void> sent = apply(sender, next);
			boolean now = sent.isDone() && !sent.isCompletedExceptionally();
			if (!now) {
				sent.whenComplete((nothing, failure) -> {
					if (failure == null) {
						this.at = next.at().toString();
						send(sender, all);
					}
					else {
						end();
						all.completeExceptionally(failure);
					}
				});
				return;
			}
			this.at = next.at().toString();
		}
	}

	private static CompletableFuture<@Nullable Void> apply(
			Function<TopicEntry, CompletableFuture<@Nullable Void>> sender, TopicEntry next) {
		try {
			return sender.apply(next);
		}
		catch (Throwable ex) {
			FatalErrors.passOn(ex);
			return CompletableFuture.failedFuture(ex);
		}
	}

	private @Nullable TopicEntry next() {
		synchronized (this.entries) {
			TopicEntry next = this.entries.poll();
			if (next != null) {
				this.budget.give(cost(next));
			}
			return next;
		}
	}

	/** Stops sending the messages that were added. */
	public void end() {
		synchronized (this.entries) {
			while (next() != null) {
				continue;
			}
		}
	}

}
