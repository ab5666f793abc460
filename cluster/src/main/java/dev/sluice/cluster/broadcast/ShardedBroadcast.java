package dev.sluice.cluster.broadcast;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.internal.feed.RepeatedPublication;
import dev.sluice.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.JsonLimits;
import org.jspecify.annotations.Nullable;

/**
 * Broadcast under a few names on the bus, by the hashes of the keys. The keys, which
 * clients may choose, therefore add nothing to the bus, and a node that listens to a key
 * sends no notification.
 */
public final class ShardedBroadcast implements OrderedBroadcast {

	/*
	 * "published" gives each publication of this node its own id. The order of texts, and
	 * the nodes that have missed some, are the state of the shards (see Shard). Attacked
	 * by ShardedBroadcastTests.
	 */

	/** Prefix of the names on the bus. */
	public static final String PREFIX = "b:";

	/** Must be equal on all nodes, so that a key has the same name on all of them. */
	private static final int SHARDS = 64;

	private static final int RADIX = 36;

	private final ClusterBus bus;

	private final Duration timeout;

	private final HistoryLimits history;

	private final ClusterObserver observer;

	private final List<Shard> shards;

	private final Map<String, Shard> byName;

	private final AtomicLong published = new AtomicLong();

	/**
	 * Creates the broadcast, which does not listen yet.
	 * @param bus reaches the other nodes
	 * @param turns has a queue for each shard
	 * @param timeout maximum time to wait for the bus, and time between attempts
	 * @param history bounds of the history that a shard keeps for nodes that have missed
	 * texts
	 * @param observer observes publications and deliveries
	 */
	public ShardedBroadcast(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock, Duration timeout,
			HistoryLimits history, ClusterObserver observer) {
		this.bus = bus;
		this.timeout = timeout;
		this.history = history;
		this.observer = observer;
		this.shards = IntStream.range(0, SHARDS)
			.mapToObj((shard) -> new Shard(PREFIX + shard, history.size(), bus, turns, clock, timeout, observer))
			.toList();
		this.byName = this.shards.stream().collect(Collectors.toUnmodifiableMap(Shard::name, Function.identity()));
	}

	@Override
	public boolean listen(Consumer<TopicEntry> listener) {
		CompletableFuture<?> joined = CompletableFuture
			.allOf(this.shards.stream().map((shard) -> shard.listen(listener)).toArray(CompletableFuture[]::new));
		try {
			joined.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException | TimeoutException ex) {
			return false;
		}
	}

	@Override
	public CompletableFuture<@Nullable Void> publish(String key, String text) {
		Shard shard = shard(key);
		if (!shard.isJoined()) {
			return CompletableFuture
				.failedFuture(new BusUnavailableException("This node does not receive publications yet", false, null));
		}
		if (text.length() > JsonLimits.MAX_LENGTH) {
			return CompletableFuture.failedFuture(new IllegalArgumentException(
					"'text' must have at most " + JsonLimits.MAX_LENGTH + " characters: " + text.length()));
		}
		String id = this.bus.node() + "." + Long.toString(this.published.incrementAndGet(), RADIX);
		ObservedExchange observed = this.observer.sending(Shard.BROADCAST, null);
		CompletableFuture<Published> outcome = RepeatedPublication.publish(this.bus, new Publication(shard.name(), id,
				PropagatedHeaders.write(observed.headers(), text), this.history, false));
		if (observed != ObservedExchange.NONE) {
			outcome.whenComplete((published, failure) -> observed.ended(failure));
		}
		return outcome.<@Nullable Void>thenApply((published) -> null);
	}

	private Shard shard(String key) {
		return this.shards.get(Math.floorMod(key.hashCode(), SHARDS));
	}

	@Override
	public CompletableFuture<@Nullable Void> stopAt(String key, @Nullable String known,
			Function<BroadcastPlace, CompletionStage<?>> action) {
		return shard(key).stopAt(known, action);
	}

	/**
	 * A text has arrived.
	 * @param name the name on the bus
	 */
	public void published(String name, TopicEntry entry, @Nullable Position before) {
		Shard shard = this.byName.get(name);
		if (shard != null) {
			shard.published(entry, before);
		}
	}

	/** Called when any text may have been missed. */
	public void interrupted() {
		this.shards.forEach(Shard::verify);
	}

	/** Stops all later work. */
	public void close() {
		this.shards.forEach(Shard::close);
	}

}
