package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusState;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.SessionRecords;
import dev.sluice.bus.TopicHistory;
import dev.sluice.redis.RedisAccessException;
import dev.sluice.redis.bus.partition.BusChannels;
import dev.sluice.redis.bus.partition.ClusterTopology;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.bus.partition.Topology;
import dev.sluice.redis.connection.Connector;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.Script;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;

/**
 * Cluster bus on Redis 6.2 or newer, or Valkey: a single server, a server that sentinels
 * monitor, or a Redis Cluster. Each operation is one script or command, and so one round
 * trip. A node has two subscriptions, or two for each partition of a cluster with sharded
 * channels, regardless of the number of names it has joined.
 *
 * @since 0.1.0
 */
public final class RedisClusterBus implements ClusterBus {

	/*
	 * Names are distributed over partitions, and all keys of a script are in one
	 * partition. Messages of one partition arrive in their order; there is no order
	 * between partitions.
	 *
	 * Attacked by RedisClusterBusTests, RedisClusterBusHostileTests,
	 * RedisClusterFailoverHostileTests and RedisClusterSlotsTests.
	 */

	private static final Duration CHECK = Duration.ofMillis(200);

	/** Time after which a name expires unless a node joins it again. */
	private static final Duration INTEREST = Duration.ofDays(1);

	/** Time after which the start of a name without messages and nodes expires. */
	private static final Duration START_KEPT = Duration.ofHours(1);

	private static final int RADIX = 36;

	/** Number of times that a name is joined again within the time of interest. */
	private static final int REFRESHED = 3;

	private final String node = KeyNames.newNode();

	private final BusNames names;

	private final Duration beat;

	private final Duration interest;

	private final ScheduledThreadPoolExecutor timer;

	private final BusServers servers;

	private final Heartbeats beats;

	private final JoinedNames joined = new JoinedNames(this::joinAgain, this::sendLeave);

	private final BusCommands asking;

	private final Publications publications;

	private final Confirmations confirmations;

	private final PresenceRegistry presence;

	private final SessionRecords records;

	private final UnreadableEntries unreadableMessages;

	/** Number of start ids that this node has created. */
	private final AtomicLong starts = new AtomicLong();

	private final AtomicBoolean closed = new AtomicBoolean();

	/** Held while the listener is called. */
	private final Object turn = new Object();

	private volatile @Nullable BusListener listener;

	private RedisClusterBus(Builder builder, Duration interest) {
		this.names = new BusNames(builder.keyPrefix);
		this.beat = builder.beat;
		this.interest = interest;
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sluice-redis-bus");
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setRemoveOnCancelPolicy(true);
		this.servers = new BusServers(builder.topology.get(), this.names, this.node, builder.timeout, builder.confirmed,
				this.timer, this::received, this::subscribed);
		this.beats = new Heartbeats(this.node, this.names, this.servers, builder.lease, this.joined,
				Math.max(1, interest.dividedBy(REFRESHED).dividedBy(builder.beat)),
				() -> notifyListener(BusListener::interrupted));
		this.asking = new BusCommands(this.node, this.servers, this.closed::get);
		this.publications = new Publications(this.names, this.servers::channels, this.asking, builder.timeout,
				interest);
		this.confirmations = new Confirmations(this.names.confirmed(), this.asking, builder.confirmed);
		this.unreadableMessages = UnreadableEntries.messages(this.timer);
		this.presence = new RedisPresenceRegistry(this.node, this.names, this.asking, this.publications,
				UnreadableEntries.members(this.timer));
		this.records = new RedisSessionRecords(this.names, this.node, this.asking,
				UnreadableEntries.records(this.timer));
	}

	/**
	 * Creates a builder for a bus on a single server, or one that sentinels monitor.
	 * @param client the client for the server; the bus does not close it
	 * @return a builder
	 */
	public static Builder builder(RedisClient client) {
		return new Builder(() -> Topology.of(Connector.of(client)), false);
	}

	/**
	 * Creates a builder for a bus on a Redis Cluster. Channels are sharded if all masters
	 * are Redis 7 or newer, or Valkey, when the first node starts.
	 * @param client the client for the cluster; the bus does not close it
	 * @return a builder
	 */
	public static Builder builder(RedisClusterClient client) {
		return new Builder(() -> new ClusterTopology(client), true);
	}

	@Override
	public String node() {
		return this.node;
	}

	@Override
	public Set<String> nodes() {
		return this.beats.alive();
	}

	/**
	 * {@inheritDoc}
	 * @throws BusFormatException if the running nodes are found to use another format
	 * @throws RedisAccessException if Redis cannot be used with the present configuration
	 * of Redis or of this node
	 */
	@Override
	public void start(BusListener listener) {
		this.listener = listener;
		try {
			this.servers.open();
		}
		catch (BusFormatException | RedisAccessException ex) {
			close();
			throw ex;
		}
		this.timer.scheduleWithFixedDelay(this.servers::watch, CHECK.toMillis(), CHECK.toMillis(),
				TimeUnit.MILLISECONDS);
		this.timer.scheduleWithFixedDelay(this.beats::beat, this.beat.toMillis(), this.beat.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	private void subscribed(List<Integer> partitions) {
		if (!this.closed.get()) {
			this.beats.subscribed(partitions);
		}
	}

	private void received(String message) {
		notifyListener((current) -> BusMessages.take(message, current, this.beats::received));
	}

	/** Calls the listener, one call at a time, on threads of messages and replies. */
	private void notifyListener(Consumer<BusListener> call) {
		synchronized (this.turn) {
			BusListener current = this.listener;
			if (current != null && !this.closed.get()) {
				try {
					call.accept(current);
				}
				catch (RuntimeException ex) {
					this.unreadableMessages.warn(ex);
				}
			}
		}
	}

	@Override
	public CompletableFuture<Boolean> send(String node, String frame) {
		int partition = Partitions.of(node);
		return this.asking.sent(frame.length(), partition, (commands) -> {
			BusChannels channels = this.servers.channels();
			String channel = channels.node(partition, node);
			String message = BusMessages.frame(frame);
			return commands.send((redis) -> channels.isSharded() ? redis.spublish(channel, message)
					: redis.publish(channel, message));
		}).thenApply((receivers) -> receivers > 0 || !this.servers.countsReceivers());
	}

	@Override
	public CompletableFuture<Set<String>> broadcast(String frame) {
		int partition = Partitions.of(this.node);
		return this.asking
			.asked(frame.length(), Script.BUS_BROADCAST, new String[] { this.names.nodes(partition) },
					this.servers.channels().all(partition), BusMessages.frame(frame))
			.thenApply(BusReplies::nodes);
	}

	@Override
	public CompletableFuture<@Nullable Position> join(String name) {
		this.joined.add(name);
		String start = new Position(0, this.node + ".start." + Long.toString(this.starts.incrementAndGet(), RADIX))
			.toString();
		return join(name, start).thenApply(BusReplies::position);
	}

	/** Joins a name again; a name without a position does not get one. */
	private CompletableFuture<String> joinAgain(String name) {
		return join(name, "");
	}

	private CompletableFuture<String> join(String name, String start) {
		return this.asking.run(name.length(), Script.BUS_JOIN, ScriptOutputType.VALUE, this.names.joined(name),
				this.node, Long.toString(this.interest.toMillis()), start);
	}

	@Override
	public CompletableFuture<Boolean> occupy(String name, int places, int most) {
		return this.asking
			.asked(name.length(), Script.BUS_OCCUPY, this.names.joined(name), this.node,
					Long.toString(this.interest.toMillis()), Integer.toString(places), Integer.toString(most))
			.thenApply((reply) -> {
				boolean room = !reply.isEmpty();
				if (room) {
					this.joined.add(name);
				}
				return room;
			});
	}

	@Override
	public CompletableFuture<@Nullable Void> leave(String name) {
		this.joined.remove(name);
		return sendLeave(name).thenApply((removed) -> null);
	}

	private CompletableFuture<String> sendLeave(String name) {
		return this.asking.run(name.length(), Script.BUS_LEAVE, ScriptOutputType.VALUE, this.names.joined(name),
				this.node, Long.toString(START_KEPT.toMillis()));
	}

	@Override
	public CompletableFuture<Set<String>> route(String name, String frame) {
		return this.asking
			.asked(frame.length(), Script.BUS_ROUTE, this.names.routed(name),
					this.servers.channels().nodes(Partitions.of(name)), BusMessages.frame(frame))
			.thenApply(BusReplies::nodes);
	}

	@Override
	public CompletableFuture<Published> publish(Publication publication) {
		return this.confirmations.publish(publication, this.publications::publish);
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
		return read(name, known, 0);
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known, int most) {
		return this.asking
			.asked(name.length(), Script.BUS_READ, this.names.read(name), (known != null) ? known.toString() : "-",
					Integer.toString(most))
			.thenApply(BusReplies::history);
	}

	@Override
	public PresenceRegistry presence() {
		return this.presence;
	}

	@Override
	public SessionRecords records() {
		return this.records;
	}

	@Override
	public BusState state() {
		if (this.servers.isUnavailable() || this.beats.isUnanswered()) {
			return BusState.UNAVAILABLE;
		}
		return this.beats.isSilent() ? BusState.SILENT : BusState.UP;
	}

	/** Leaves the bus if Redis is available, and closes the connections. */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.beats.leave();
			this.servers.close();
			this.timer.shutdownNow();
		}
	}

	/** Builder for {@link RedisClusterBus}. */
	public static final class Builder {

		private final Supplier<Topology> topology;

		private String keyPrefix = "sluice:";

		private Duration timeout = Duration.ofSeconds(2);

		private Duration lease = Duration.ofSeconds(10);

		private Duration beat = Duration.ofSeconds(3);

		private final boolean cluster;

		private boolean confirmed;

		private Builder(Supplier<Topology> topology, boolean cluster) {
			this.topology = topology;
			this.cluster = cluster;
		}

		/**
		 * Sets the prefix of the names of all keys and channels.
		 * @param keyPrefix the prefix, {@code sluice:} by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is blank or contains a brace, as braces
		 * mark the slot
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = KeyNames.checkPrefix(keyPrefix);
			return this;
		}

		/**
		 * Sets the timeout of a command.
		 * @param timeout the timeout, two seconds by default
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Sets how long this node counts as alive after a heartbeat.
		 * @param lease the time, ten seconds by default
		 * @return this builder
		 */
		public Builder lease(Duration lease) {
			this.lease = lease;
			return this;
		}

		/**
		 * Sets the interval between heartbeats.
		 * @param beat the interval, less than the lease; three seconds by default
		 * @return this builder
		 */
		public Builder beat(Duration beat) {
			this.beat = beat;
			return this;
		}

		/**
		 * Sets whether publications may require confirmation by replicas, which needs an
		 * additional connection.
		 * @param confirmed whether publications may require it, {@code false} by default
		 * @return this builder
		 * @throws IllegalArgumentException if {@code true}, and on a cluster
		 * @see HistoryLimits#waitReplicas()
		 */
		public Builder confirmed(boolean confirmed) {
			if (confirmed && this.cluster) {
				throw new IllegalArgumentException("'confirmed' must be false for a cluster, as replicas of one master"
						+ " confirm only its own writes");
			}
			this.confirmed = confirmed;
			return this;
		}

		/**
		 * Builds the bus, which opens no connection before it is started.
		 * @return the bus
		 * @throws IllegalArgumentException if a time is too short or the lease not longer
		 */
		public RedisClusterBus build() {
			return build(INTEREST);
		}

		RedisClusterBus build(Duration interest) {
			if (this.timeout.toMillis() < 1) {
				throw new IllegalArgumentException("'timeout' must be at least 1ms: " + this.timeout);
			}
			if (this.beat.toMillis() < 1 || this.beat.compareTo(this.lease) >= 0) {
				throw new IllegalArgumentException(
						"'beat' must be at least 1ms and less than 'lease': " + this.beat + ", " + this.lease);
			}
			return new RedisClusterBus(this, interest);
		}

	}

}
