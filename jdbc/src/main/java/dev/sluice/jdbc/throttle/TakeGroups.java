package dev.sluice.jdbc.throttle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.sluice.throttle.AcquireRequest;

/**
 * Calls that arrive for a key while a statement for this key runs. The next statement
 * decides on them together.
 */
final class TakeGroups {

	/*
	 * A key is in the map while a statement for it runs, with the calls that have arrived
	 * since. All changes use the compute methods of the map. Each call is in one
	 * statement.
	 *
	 * Attacked by JdbcContractTests, with many threads on one key.
	 */

	private static final int MOST = 256;

	private final LimitStatements statements;

	private final Supplier<VersionedLimit> definition;

	private final boolean relaxed;

	private final Map<String, List<Call>> gathering = new ConcurrentHashMap<>();

	/**
	 * Creates groups for a limit.
	 * @param statements the statements about the limit
	 * @param definition the current definition of the limit on this node
	 * @param relaxed whether decisions do not wait for the disk
	 */
	TakeGroups(LimitStatements statements, Supplier<VersionedLimit> definition, boolean relaxed) {
		this.statements = statements;
		this.definition = definition;
		this.relaxed = relaxed;
	}

	/** Answer to one call. */
	record Answer(long version, long seen, int reason, long delay) {
	}

	private record Call(long permits, CompletableFuture<Answer> answer) {
	}

	CompletableFuture<Answer> take(AcquireRequest request) {
		Call call = new Call(request.permits(), new CompletableFuture<>());
		boolean[] first = new boolean[1];
		this.gathering.compute(request.key(), (key, calls) -> {
			if (calls == null) {
				first[0] = true;
				return new ArrayList<>();
			}
			calls.add(call);
			return calls;
		});
		if (first[0]) {
			send(request.key(), List.of(call));
		}
		return call.answer();
	}

	private void send(String key, List<Call> calls) {
		Long[] permits = calls.stream().map(Call::permits).toArray(Long[]::new);
		long together = calls.stream().mapToLong(Call::permits).sum();
		VersionedLimit known = this.definition.get();
		String kind = (together <= known.most()) ? known.kind() : "";
		this.statements
			.ask(key, Replies.Taken::read, "sluice_take(?, ?, ?, ?, ?, ?, ?, ?)", known.version(), kind, known.most(),
					together, permits, this.relaxed)
			.whenComplete((taken, failure) -> {
				List<Call> next = next(key, (failure != null) ? Integer.MAX_VALUE : MOST);
				if (failure != null) {
					next.forEach((call) -> call.answer().completeExceptionally(failure));
					next = next(key, MOST);
				}
				if (!next.isEmpty()) {
					send(key, next);
				}
				for (int i = 0; i < calls.size(); i++) {
					CompletableFuture<Answer> answer = calls.get(i).answer();
					if (failure != null) {
						answer.completeExceptionally(failure);
					}
					else if (taken.version() == 0) {
						answer.complete(new Answer(0, 0, 0, 0));
					}
					else {
						answer.complete(new Answer(taken.version(), taken.seen(), taken.reason(i), taken.delay(i)));
					}
				}
			});
	}

	/**
	 * Removes and returns the calls that have arrived during a statement. If no call has
	 * arrived, the key becomes idle.
	 */
	private List<Call> next(String key, int most) {
		List<Call> next = new ArrayList<>();
		this.gathering.computeIfPresent(key, (same, calls) -> {
			if (calls.isEmpty()) {
				return null;
			}
			List<Call> some = calls.subList(0, Math.min(most, calls.size()));
			next.addAll(some);
			some.clear();
			return calls;
		});
		return next;
	}

}
