package dev.sluice.cluster.broadcast;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.internal.feed.Replay;
import dev.sluice.cluster.internal.feed.TopicBacklog;
import dev.sluice.cluster.internal.feed.TopicFeed;
import dev.sluice.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.message.BoundedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One name of a broadcast, which this node listens to permanently once it has started.
 */
final class Shard {

	/*
	 * All access to a shard happens in the turn of its queue. The turn is held while the
	 * bus answers, so that texts that arrive in the meantime wait behind it. If a text
	 * finds no room in the queue, the shard becomes unsure; the next task detects this,
	 * and there is one, because the queue was full. Texts that arrive before the shard
	 * has joined are ignored: the bus does not guarantee their completeness yet. Callers
	 * that stop at a place are grouped: one task reads the history for several of them,
	 * so that they take one place in the queue.
	 *
	 * Attacked by ShardedBroadcastTests.
	 */

	/** Action of a published text in observations. */
	static final String BROADCAST = "broadcast";

	private static final Log logger = LogFactory.getLog(OrderedBroadcast.class);

	private final String name;

	private final TopicFeed feed;

	private final ClusterBus bus;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final Duration retry;

	private final ClusterObserver observer;

	private final AtomicBoolean unsure = new AtomicBoolean();

	private final WaitingStops stops = new WaitingStops();

	private final BoundedLog missed;

	private final BoundedLog unhandled;

	private volatile @Nullable Consumer<TopicEntry> listener;

	private volatile boolean joined;

	private volatile boolean closed;

	/**
	 * Creates a shard.
	 * @param retry time after which a failed operation is repeated
	 */
	Shard(String name, int historySize, ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock,
			Duration retry, ClusterObserver observer) {
		this.name = name;
		this.feed = new TopicFeed(historySize);
		this.bus = bus;
		this.turns = turns;
		this.clock = clock;
		this.retry = retry;
		this.observer = observer;
		this.missed = new BoundedLog(logger, clock,
				"This node has missed texts that other nodes have received and that are"
						+ " no longer in the history of '" + name + "'");
		this.unhandled = new BoundedLog(logger, clock,
				"A text published to all nodes cannot be handled and is skipped");
	}

	String name() {
		return this.name;
	}

	boolean isJoined() {
		return this.joined;
	}

	/** Begins to listen; if the first attempt fails, others follow. */
	CompletableFuture<@Nullable Void> listen(Consumer<TopicEntry> listener) {
		this.listener = listener;
		return join();
	}

	private CompletableFuture<@Nullable Void> join() {
		CompletableFuture<@Nullable Void> joining = inTurn(() -> this.bus.join(this.name).thenApply((top) -> {
			this.feed.start(top);
			this.joined = true;
			return null;
		}));
		return joining.whenComplete((nothing, failure) -> {
			if (failure != null) {
				later(this::join);
			}
		});
	}

	/** A text has arrived. */
	void published(TopicEntry entry, @Nullable Position before) {
		unsureUnlessDone(inTurn(() -> take(entry, before)));
	}

	private CompletionStage<@Nullable Void> take(TopicEntry entry, @Nullable Position before) {
		TopicFeed.Step step = this.joined ? this.feed.next(entry.at(), before) : TopicFeed.Step.DROP;
		if (step == TopicFeed.Step.DELIVER) {
			deliver(entry);
		}
		return (step == TopicFeed.Step.READ) ? heal(new TopicBacklog.Message(entry, before))
				: CompletableFuture.completedFuture(null);
	}

	/** Calls an action at the place after the latest text delivered. */
	CompletableFuture<@Nullable Void> stopAt(@Nullable String known,
			Function<BroadcastPlace, CompletionStage<?>> action) {
		WaitingStops.Stop stop = new WaitingStops.Stop(known, action, new CompletableFuture<>());
		if (this.stops.add(stop)) {
			stopInTurn();
		}
		return stop.done();
	}

	private void stopInTurn() {
		inTurn(this::stop).whenComplete((nothing, failure) -> {
			if (failure != null) {
				this.stops.fail(failure);
			}
			else if (this.stops.ended()) {
				stopInTurn();
			}
		});
	}

	private CompletionStage<@Nullable Void> stop() {
		List<WaitingStops.Stop> some = this.stops.next();
		if (!this.joined || some.stream().allMatch((stop) -> stop.known() == null)) {
			String at = (this.joined && !this.feed.isUnsure()) ? Replay.text(this.feed.last()) : null;
			some.forEach((stop) -> stop.at(new BroadcastPlace(at, null)));
			return CompletableFuture.completedFuture(null);
		}
		return this.bus.read(this.name, null).<@Nullable Void>handle((history, failure) -> {
			if (failure == null) {
				deliver(this.feed.heal(history, null));
				some.forEach((stop) -> stop.at(place(history, stop.known())));
			}
			else {
				some.forEach((stop) -> stop.at(new BroadcastPlace(null, null)));
			}
			return null;
		}).whenComplete((nothing, failure) -> {
			if (failure != null) {
				some.forEach((stop) -> stop.done().completeExceptionally(failure));
			}
		});
	}

	private static BroadcastPlace place(TopicHistory history, @Nullable String known) {
		Replay replay = (known != null) ? Replay.of(history, known) : null;
		return new BroadcastPlace(Replay.text(history.top()),
				(replay != null && replay.complete()) ? replay.missed().stream().map(Shard::text).toList() : null);
	}

	/** An entry with unreadable headers is kept as it is, and belongs to no key. */
	private static TopicEntry text(TopicEntry entry) {
		try {
			return new TopicEntry(entry.at(), PropagatedHeaders.text(entry.payload(), 0));
		}
		catch (RuntimeException ex) {
			return entry;
		}
	}

	private static Map<String, String> headers(TopicEntry entry) {
		try {
			return PropagatedHeaders.of(entry.payload(), 0);
		}
		catch (RuntimeException ex) {
			return Map.of();
		}
	}

	/** Texts may have been missed. */
	void verify() {
		if (this.listener != null) {
			unsureUnlessDone(inTurn(() -> {
				this.feed.doubt();
				return this.joined ? heal(null) : CompletableFuture.completedFuture(null);
			}));
		}
	}

	private CompletionStage<@Nullable Void> heal(TopicBacklog.@Nullable Message arrived) {
		return this.bus.read(this.name, this.feed.last()).handle((history, failure) -> {
			if (failure == null) {
				deliver(this.feed.heal(history, arrived));
			}
			else {
				this.feed.doubt();
				later(this::verify);
			}
			return null;
		});
	}

	private void deliver(TopicFeed.Healed healed) {
		if (healed.gap()) {
			this.missed.warn(this.name, new IllegalStateException("Gap"));
		}
		healed.entries().forEach(this::deliver);
	}

	private void deliver(TopicEntry entry) {
		Consumer<TopicEntry> told = this.listener;
		if (told != null) {
			ObservedExchange observed = this.observer.receiving(BROADCAST, null, headers(entry));
			Throwable failure = null;
			ObservedMessage.Scope scope = observed.open();
			try {
				told.accept(text(entry));
			}
			catch (Throwable ex) {
				failure = ex;
				this.unhandled.warn(this.name + ", position " + entry.at(), ex);
			}
			finally {
				scope.close();
			}
			observed.ended(failure);
			if (failure instanceof VirtualMachineError fatal) {
				throw fatal;
			}
		}
	}

	private void unsureUnlessDone(CompletableFuture<?> task) {
		task.whenComplete((nothing, failure) -> {
			if (failure != null) {
				this.unsure.set(true);
			}
		});
	}

	private LeveledTask<@Nullable Void> inTurn(Supplier<CompletionStage<@Nullable Void>> action) {
		return this.turns.submitStage("broadcast:" + this.name, Level.NORMAL, () -> {
			if (this.unsure.getAndSet(false)) {
				this.feed.doubt();
			}
			return action.get();
		});
	}

	private void later(Runnable task) {
		this.clock.schedule(() -> {
			if (!this.closed) {
				task.run();
			}
		}, this.retry);
	}

	/** Stops all later work. */
	void close() {
		this.closed = true;
	}

}
