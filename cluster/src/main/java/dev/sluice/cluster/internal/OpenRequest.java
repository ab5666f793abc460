package dev.sluice.cluster.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.cluster.ObservedExchange;
import org.jspecify.annotations.Nullable;

/** A request or publication that some nodes have not answered; locks itself. */
final class OpenRequest {

	/*
	 * Invariant: the future is completed once, when the nodes that received the request
	 * are known and all of them have sent a final answer or were abandoned. Answers may
	 * arrive before the nodes are known.
	 *
	 * Attacked by SessionClusterTests.
	 */

	private final long number;

	private final @Nullable String frame;

	private final @Nullable String topic;

	private final long since;

	private final CompletableFuture<Outcome> future = new CompletableFuture<>();

	private final Map<String, Answer> done = new HashMap<>();

	private final Map<String, Integer> counted = new HashMap<>();

	private final Map<String, Integer> silent = new HashMap<>();

	private final Map<String, Long> heard = new HashMap<>();

	private @Nullable Set<String> waiting;

	/**
	 * Creates a request.
	 * @param frame the frame to send to a node that has not received it, {@code null} for
	 * a publication
	 * @param topic the topic of a publication
	 * @param since the time now
	 */
	OpenRequest(long number, @Nullable String frame, @Nullable String topic, long since) {
		this.number = number;
		this.frame = frame;
		this.topic = topic;
		this.since = since;
	}

	long number() {
		return this.number;
	}

	@Nullable String frame() {
		return this.frame;
	}

	@Nullable String topic() {
		return this.topic;
	}

	CompletableFuture<Outcome> future() {
		return this.future;
	}

	/** Reports the outcome to the observation. */
	void observed(ObservedExchange observed) {
		if (observed != ObservedExchange.NONE) {
			this.future.whenComplete((outcome, failure) -> {
				if (outcome != null && !outcome.silent().isEmpty()) {
					observed.unanswered();
				}
				observed.ended(failure);
			});
		}
	}

	/** Sets the nodes that received the request. */
	void addressed(Set<String> nodes, long now) {
		Outcome outcome;
		synchronized (this) {
			if (this.waiting != null) {
				return;
			}
			Set<String> others = new HashSet<>(nodes);
			others.removeAll(this.done.keySet());
			others.removeAll(this.silent.keySet());
			others.forEach((node) -> this.heard.putIfAbsent(node, now));
			this.waiting = others;
			outcome = outcome();
		}
		complete(outcome);
	}

	/** Handles the progress that a node has reported. */
	void answered(Answer answer, long now) {
		Outcome outcome;
		synchronized (this) {
			if (answer.state() != Answer.State.UNHEARD) {
				this.heard.put(answer.node(), now);
			}
			switch (answer.state()) {
				case DONE -> this.done.put(answer.node(), answer);
				case FORGOTTEN -> this.silent.putIfAbsent(answer.node(), 1);
				case PENDING -> this.counted.put(answer.node(), answer.count());
				case UNHEARD -> {
				}
			}
			if (this.waiting != null
					&& (this.done.containsKey(answer.node()) || this.silent.containsKey(answer.node()))) {
				this.waiting.remove(answer.node());
			}
			outcome = outcome();
		}
		complete(outcome);
	}

	/** Abandons nodes that have been silent for too long; returns the nodes to query. */
	List<String> supervise(Set<String> live, long now, long timeoutNanos) {
		List<String> ask;
		Outcome outcome;
		synchronized (this) {
			if (this.waiting == null) {
				if (now - this.since < 2 * timeoutNanos) {
					return List.of();
				}
				this.waiting = new HashSet<>(live);
			}
			lose(this.waiting.stream()
				.filter((node) -> now - this.heard.getOrDefault(node, this.since) >= timeoutNanos)
				.toList());
			ask = new ArrayList<>(this.waiting);
			outcome = outcome();
		}
		complete(outcome);
		return ask;
	}

	/** Gives up all nodes. */
	void giveUp() {
		Outcome outcome;
		synchronized (this) {
			if (this.waiting != null) {
				lose(List.copyOf(this.waiting));
			}
			outcome = outcome();
		}
		if (outcome == null) {
			fail(new BusUnavailableException("The node has stopped", true, null));
		}
		complete(outcome);
	}

	private void lose(List<String> nodes) {
		Objects.requireNonNull(this.waiting).removeAll(nodes);
		nodes.forEach((node) -> this.silent.put(node, Math.max(1, this.counted.getOrDefault(node, 1))));
	}

	void fail(Throwable reason) {
		this.future.completeExceptionally(reason);
	}

	private @Nullable Outcome outcome() {
		return (this.waiting != null && this.waiting.isEmpty())
				? new Outcome(List.copyOf(this.done.values()), Map.copyOf(this.silent)) : null;
	}

	private void complete(@Nullable Outcome outcome) {
		if (outcome != null) {
			this.future.complete(outcome);
		}
	}

	/**
	 * Outcome on all nodes.
	 *
	 * @param answers the final answers
	 * @param silent nodes without a final answer, with the sessions that they had counted
	 */
	record Outcome(List<Answer> answers, Map<String, Integer> silent) {

		/** Returns the number of sessions of silent nodes. */
		int unknown() {
			return this.silent.values().stream().mapToInt(Integer::intValue).sum();
		}

	}

}
