package dev.sluice.redis.bus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The names that this node has joined, and joins again as Redis may forget them. */
final class JoinedNames {

	/*
	 * A name is in the set before Redis is told so, and is taken out before Redis is told
	 * to forget it. A name that was left while it was joined again is left once more, so
	 * what the node has left does not come back.
	 *
	 * Attacked by JoinedNamesTests and RedisClusterBusTests.
	 */

	private static final int AT_ONCE = 1000;

	private final Function<String, CompletableFuture<?>> join;

	private final Function<String, CompletableFuture<?>> leave;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	/** Whose turn it still is; used in {@link #refresh} only, as the next field. */
	private Iterator<String> refreshed = Collections.emptyIterator();

	private long refreshes;

	/**
	 * Creates an empty set.
	 * @param join tells Redis that this node is interested in a name
	 * @param leave tells it that this node is not
	 */
	JoinedNames(Function<String, CompletableFuture<?>> join, Function<String, CompletableFuture<?>> leave) {
		this.join = join;
		this.leave = leave;
	}

	void add(String name) {
		this.names.add(name);
	}

	void remove(String name) {
		this.names.remove(name);
	}

	/**
	 * Joins names again, some at a time.
	 * @param which those that are joined
	 * @return ends when all are joined, or with the first failures
	 */
	CompletableFuture<?> joinAll(Predicate<String> which) {
		return joinRest(this.names.stream().filter(which).toList().iterator());
	}

	private CompletableFuture<?> joinRest(Iterator<String> rest) {
		return rest.hasNext() ? joinSome(rest, AT_ONCE).thenCompose((nothing) -> joinRest(rest))
				: CompletableFuture.completedFuture(null);
	}

	/**
	 * Joins some names again, others each time.
	 * @param parts in how many calls each of them is to be joined once
	 */
	synchronized void refresh(long parts) {
		this.refreshes++;
		if (this.refreshes % parts == 0) {
			this.refreshed = this.names.iterator();
		}
		joinSome(this.refreshed, (int) ((this.names.size() + parts - 1) / parts));
	}

	private CompletableFuture<?> joinSome(Iterator<String> names, int most) {
		List<CompletableFuture<?>> joins = new ArrayList<>();
		while (names.hasNext() && joins.size() < most) {
			joins.add(joinAgain(names.next()));
		}
		return CompletableFuture.allOf(joins.toArray(CompletableFuture[]::new));
	}

	private CompletableFuture<?> joinAgain(String name) {
		return this.join.apply(name)
			.thenCompose((joined) -> this.names.contains(name) ? CompletableFuture.completedFuture(null)
					: this.leave.apply(name));
	}

}
