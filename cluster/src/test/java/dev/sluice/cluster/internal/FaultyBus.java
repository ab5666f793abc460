package dev.sluice.cluster.internal;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusState;
import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;

/** A bus of which messages and answers are lost when a test says so. */
class FaultyBus implements ClusterBus {

	private final ClusterBus bus;

	private final PresenceRegistry presence;

	private volatile @Nullable BusListener listener;

	/** What does not arrive at this node. */
	volatile Predicate<String> lost = (frame) -> false;

	/** What was published and does not arrive. */
	volatile boolean deaf;

	/** What was published arrives without its end. */
	volatile boolean corrupt;

	/** How much of that there was. */
	final AtomicInteger missed = new AtomicInteger();

	/** How often a history was read. */
	final AtomicInteger reads = new AtomicInteger();

	/** How often a part of a history was read. */
	final AtomicInteger pages = new AtomicInteger();

	/** What is asked for is done, but nobody hears so. */
	volatile boolean unanswered;

	/** So it is with the next thing only. */
	volatile boolean unansweredOnce;

	/** So it is with the next thing, and then nothing can be asked for. */
	volatile boolean breaking;

	/** Its lease is over, and it knows of nobody. */
	volatile boolean lapsed;

	/** Nothing can be asked for. */
	volatile boolean unavailable;

	/** Nodes whose lease is over. */
	volatile Set<String> dead = Set.of();

	/** Whether the bus believes longer than its nodes that the dead live. */
	volatile boolean slow;

	/** What it has found out. */
	volatile BusState state = BusState.UP;

	FaultyBus(ClusterBus bus) {
		this.bus = bus;
		this.presence = Objects.requireNonNull(bus.presence());
	}

	void interrupt() {
		BusListener told = this.listener;
		if (told != null) {
			told.interrupted();
		}
	}

	@Override
	public String node() {
		return this.bus.node();
	}

	@Override
	public Set<String> nodes() {
		Set<String> live = new HashSet<>(this.lapsed ? Set.of() : this.bus.nodes());
		live.removeAll(this.dead);
		return live;
	}

	private static TopicEntry cut(TopicEntry entry) {
		return new TopicEntry(entry.at(), entry.payload().substring(0, entry.payload().length() - 1));
	}

	@Override
	public void start(BusListener listener) {
		this.listener = listener;
		this.bus.start(new BusListener() {

			@Override
			public void received(String frame) {
				if (!FaultyBus.this.lost.test(frame)) {
					listener.received(frame);
				}
			}

			@Override
			public void published(String name, TopicEntry entry, @Nullable Position before) {
				if (FaultyBus.this.deaf) {
					FaultyBus.this.missed.incrementAndGet();
				}
				else {
					listener.published(name, FaultyBus.this.corrupt ? cut(entry) : entry, before);
				}
			}

			@Override
			public void interrupted() {
				listener.interrupted();
			}

		});
	}

	private <T extends @Nullable Object> CompletableFuture<T> asked(Supplier<CompletableFuture<T>> action) {
		if (this.unavailable) {
			return CompletableFuture.failedFuture(new BusUnavailableException("unavailable", false, null));
		}
		CompletableFuture<T> done = action.get();
		boolean silent = this.unanswered || this.unansweredOnce || this.breaking;
		this.unansweredOnce = false;
		if (this.breaking) {
			this.unavailable = true;
		}
		return silent ? CompletableFuture.failedFuture(new BusUnavailableException("no answer", true, null))
				: done.orTimeout(10, TimeUnit.SECONDS);
	}

	@Override
	public CompletableFuture<Boolean> send(String node, String frame) {
		return asked(() -> this.bus.send(node, frame));
	}

	@Override
	public CompletableFuture<Set<String>> broadcast(String frame) {
		return asked(() -> this.bus.broadcast(frame));
	}

	@Override
	public CompletableFuture<@Nullable Position> join(String name) {
		return asked(() -> this.bus.join(name));
	}

	@Override
	public CompletableFuture<Boolean> occupy(String name, int places, int most) {
		return asked(() -> this.bus.occupy(name, places, most));
	}

	@Override
	public CompletableFuture<@Nullable Void> leave(String name) {
		return asked(() -> this.bus.leave(name));
	}

	@Override
	public CompletableFuture<Set<String>> route(String name, String frame) {
		return asked(() -> this.bus.route(name, frame));
	}

	@Override
	public CompletableFuture<Published> publish(Publication publication) {
		return asked(() -> this.bus.publish(publication));
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
		this.reads.incrementAndGet();
		return asked(() -> this.bus.read(name, known));
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known, int most) {
		this.pages.incrementAndGet();
		return asked(() -> this.bus.read(name, known, most));
	}

	@Override
	public PresenceRegistry presence() {
		return new FaultyPresence();
	}

	@Override
	public BusState state() {
		return this.state;
	}

	@Override
	public void close() {
		this.bus.close();
	}

	/** A registry with the faults of the bus. */
	private final class FaultyPresence implements PresenceRegistry {

		@Override
		public CompletableFuture<@Nullable Published> enter(String member, Publication arrival) {
			return asked(() -> FaultyBus.this.presence.enter(member, arrival));
		}

		@Override
		public CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure) {
			return FaultyBus.this.slow && !node.equals(node()) ? CompletableFuture.completedFuture(null)
					: asked(() -> FaultyBus.this.presence.exit(node, member, departure));
		}

		@Override
		public CompletableFuture<Map<String, Set<String>>> present(String name) {
			return asked(() -> FaultyBus.this.presence.present(name));
		}

	}

}
