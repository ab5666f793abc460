package dev.sluice.jdbc.throttle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Calls of this node to the keys of a rate; those of one key share statements. */
final class RateCalls {

	/*
	 * One statement of a key is under way at a time. It asks for those who wait by then,
	 * first come, first served, as far as all want the same number of permits; whoever
	 * comes meanwhile waits for the next. A queue is in the map for as long as one is
	 * under way, and changes under the lock of its entry.
	 */

	private final Map<String, Deque<Call>> queues = new ConcurrentHashMap<>();

	private final Statement statement;

	RateCalls(Statement statement) {
		this.statement = statement;
	}

	/** Asks the database for so many calls of one size. */
	@FunctionalInterface
	interface Statement {

		CompletableFuture<Taken> take(String key, int permits, int calls);

	}

	/**
	 * Answer of the database.
	 *
	 * @param code 0, or why nobody was served
	 * @param served how many calls were, the first ones
	 * @param delay of those that were not
	 * @param at when
	 */
	record Taken(int code, int served, long delay, long at) {

		boolean isGranted() {
			return this.code == 0 && this.served > 0;
		}

	}

	private static final class Call extends CompletableFuture<Taken> {

		final int permits;

		Call(int permits) {
			this.permits = permits;
		}

	}

	CompletableFuture<Taken> take(String key, int permits) {
		Call call = new Call(permits);
		boolean[] first = new boolean[1];
		this.queues.compute(key, (name, known) -> {
			first[0] = known == null;
			Deque<Call> queue = (known != null) ? known : new ArrayDeque<>();
			queue.add(call);
			return queue;
		});
		if (first[0]) {
			ask(key);
		}
		return call;
	}

	private void ask(String key) {
		List<Call> calls = new ArrayList<>();
		this.queues.computeIfPresent(key, (name, queue) -> {
			Call head = queue.peek();
			while (head != null && !queue.isEmpty() && queue.element().permits == head.permits) {
				calls.add(queue.remove());
			}
			return calls.isEmpty() ? null : queue;
		});
		if (calls.isEmpty()) {
			return;
		}
		this.statement.take(key, calls.get(0).permits, calls.size()).whenComplete((taken, failure) -> {
			ask(key);
			for (int i = 0; i < calls.size(); i++) {
				if (failure != null) {
					calls.get(i).completeExceptionally(failure);
				}
				else {
					calls.get(i)
						.complete(new Taken(taken.code(), (i < taken.served()) ? 1 : 0, taken.delay(), taken.at()));
				}
			}
		});
	}

}
