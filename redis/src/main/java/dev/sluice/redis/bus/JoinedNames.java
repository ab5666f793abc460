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

/** Names that this node has joined, and joins again as Redis may lose them. */
final class JoinedNames {

	/*
	 * A name is added to the set before the join command is sent, and removed before the
	 * leave command is sent. If this node leaves a name while it is joined again, the
	 * leave command is repeated, so that the name does not remain joined in Redis.
	 *
	 * Attacked by JoinedNamesTests and RedisClusterBusTests.
	 */

	private static final int AT_ONCE = 1000;

	private final Function<String, CompletableFuture<?>> join;

	private final Function<String, CompletableFuture<?>> leave;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	/**
	 * Names to refresh in this round; used in {@link #refresh} only, as the next field.
	 */
	private Iterator<String> refreshed = Collections.emptyIterator();

	private long refreshes;

	/**
	 * Creates an empty set.
	 * @param join the command that joins a name
	 * @param leave the command that leaves a name
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
	 * @param which the names to join
	 * @return completed when all are joined, or with the first failure
	 */
	CompletableFuture<?> joinAll(Predicate<String> which) {
		return joinRest(this.names.stream().filter(which).toList().iterator());
	}

	private CompletableFuture<?> joinRest(Iterator<String> rest) {
		return rest.hasNext() ? joinSome(rest, AT_ONCE).thenCompose((nothing) -> joinRest(rest))
				: CompletableFuture.completedFuture(null);
	}

	/**
	 * Joins the next part of the names again.
	 * @param parts the number of calls after which each name has been joined once
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
