package dev.sluice.cluster.resume;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Requests of other nodes for sessions that wait for their turn; locks itself. A request
 * for a session that this node claims with a higher incarnation must not wait for that
 * claim, which may wait for the other node: its answer is empty.
 */
final class HandOverRequests {

	/*
	 * Both maps are guarded by "this". A request is compared with the claims, and added,
	 * in one step, so each request below a claim is answered by add() or by claimed().
	 * Answers run callbacks and are given outside of the monitor. Attacked by
	 * HandOverRequestsTests and ResumeHistoryTests.
	 */

	/** The answer of a node that has no content of the session, and will have none. */
	static final String NOTHING = "";

	private final Map<String, Long> claims = new HashMap<>();

	private final Map<String, List<Waiting>> waiting = new HashMap<>();

	/** Adds a request, which is answered immediately if it must not wait. */
	CompletableFuture<String> add(String key, long incarnation) {
		CompletableFuture<String> answer = new CompletableFuture<>();
		synchronized (this) {
			if (this.claims.getOrDefault(key, 0L) <= incarnation) {
				Waiting request = new Waiting(incarnation, answer);
				this.waiting.computeIfAbsent(key, (name) -> new ArrayList<>()).add(request);
				answer.whenComplete((content, failure) -> remove(key, request));
				return answer;
			}
		}
		answer.complete(NOTHING);
		return answer;
	}

	/** Answers a request with the result of its turn, unless it has been answered. */
	static void answer(CompletableFuture<String> request, String content, @Nullable Throwable failure) {
		if (failure != null) {
			request.completeExceptionally(failure);
		}
		else {
			request.complete(content);
		}
	}

	private synchronized void remove(String key, Waiting request) {
		List<Waiting> requests = this.waiting.get(key);
		if (requests != null && requests.remove(request) && requests.isEmpty()) {
			this.waiting.remove(key);
		}
	}

	/** Called when this node has claimed a session. */
	void claimed(String key, long incarnation) {
		List<Waiting> lower;
		synchronized (this) {
			this.claims.put(key, incarnation);
			lower = this.waiting.getOrDefault(key, List.of())
				.stream()
				.filter((request) -> request.incarnation() < incarnation)
				.toList();
		}
		lower.forEach((request) -> request.answer().complete(NOTHING));
	}

	/** Called when the claim has ended, with any outcome. */
	synchronized void ended(String key) {
		this.claims.remove(key);
	}

	/** A request, and its answer. */
	private record Waiting(long incarnation, CompletableFuture<String> answer) {
	}

}
