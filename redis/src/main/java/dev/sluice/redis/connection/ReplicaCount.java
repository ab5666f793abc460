package dev.sluice.redis.connection;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/** Number of replicas that must confirm a grant: a fixed one, or a quorum. */
public final class ReplicaCount {

	/*
	 * A quorum is a majority of the servers, including the master. A replica counts from
	 * when it was first found for as long as this node runs, even if it is disconnected,
	 * as a master without its replicas must not confirm alone.
	 *
	 * Attacked by RedisReplicaTests.
	 */

	private final boolean quorum;

	/** Fixed number, or the greatest number of replicas found; empty before a count. */
	private volatile @Nullable Integer known;

	private ReplicaCount(boolean quorum, @Nullable Integer known) {
		this.quorum = quorum;
		this.known = known;
	}

	public static ReplicaCount fixed(int count) {
		return new ReplicaCount(false, count);
	}

	public static ReplicaCount quorum() {
		return new ReplicaCount(true, null);
	}

	/** Returns whether no confirmation is required at any time. */
	boolean isNone() {
		return !this.quorum && Integer.valueOf(0).equals(this.known);
	}

	/**
	 * Returns the number of replicas that must confirm now; a quorum is counted again for
	 * later calls.
	 */
	CompletionStage<Integer> needed(RedisClusterAsyncCommands<String, String> commands) {
		Integer known = this.known;
		if (!this.quorum && known != null) {
			return CompletableFuture.completedFuture(known);
		}
		CompletionStage<Integer> counted = commands.role().thenApply(this::count);
		return (known != null) ? CompletableFuture.completedFuture(majority(known))
				: counted.thenApply(ReplicaCount::majority);
	}

	/** Counts the replicas that a master reports. */
	private Integer count(List<Object> role) {
		Integer before = this.known;
		int most = Math.max((before != null) ? before : 0,
				(role.get(2) instanceof List<?> replicas) ? replicas.size() : 0);
		this.known = most;
		return most;
	}

	/** Returns the number of replicas that form a majority with their master. */
	private static int majority(int replicas) {
		return (replicas + 1) / 2;
	}

}
