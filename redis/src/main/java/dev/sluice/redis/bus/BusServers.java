package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.sluice.redis.RedisAccessException;
import dev.sluice.redis.bus.partition.BusChannels;
import dev.sluice.redis.bus.partition.PartitionCommands;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.bus.partition.Topology;
import dev.sluice.redis.connection.Channels;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

/** Servers of the bus, with the partitions that each of them has. */
final class BusServers {

	/*
	 * Each server has its own connections. The topology is read again while a connection
	 * is closed or a partition has no known server, after a command that was answered by
	 * the wrong server, and periodically, as a server may report outdated owners while
	 * slots move. If a partition has moved, its channels are subscribed to on the new
	 * server and the owner of this instance is notified, as messages sent in between are
	 * lost. A sharded channel is subscribed to on the server that has its slot, other
	 * channels on any one server, as each delivers all messages.
	 *
	 * No command is sent and no channel subscribed to before the nodes have agreed on the
	 * format. A server may lose the format, so the agreement is repeated after each later
	 * subscription.
	 *
	 * One thread at a time calls "adopt" and "agree", which may block.
	 *
	 * Attacked by BusServersTests, RedisClusterBusTests and RedisClusterSlotsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(BusServers.class.getName());

	/**
	 * Minimum pause between reads of the topology while a server or partition is missing.
	 */
	private static final Duration PAUSE = Duration.ofMillis(250);

	/** Maximum pause between successive attempts that fail. */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	/** Interval between reads of a complete topology. */
	private static final Duration POLL = Duration.ofSeconds(30);

	private final Topology topology;

	private final BusNames names;

	private final String node;

	private final Duration timeout;

	private final boolean blocking;

	private final ScheduledExecutorService timer;

	private final Consumer<String> messages;

	private final Consumer<List<Integer>> subscribed;

	private final List<PartitionCommands> partitions;

	private final AtomicBoolean busy = new AtomicBoolean();

	/** Masters by address. */
	private volatile Map<String, Master> masters = Map.of();

	/** Masters of the partitions, in the order of the partitions; empty at first. */
	private volatile List<@Nullable Master> owners = List.of();

	private volatile @Nullable BusChannels channels;

	private volatile boolean agreed;

	/** Whether the partition of the format has been subscribed to before. */
	private volatile boolean subscribedBefore;

	private volatile boolean outdated = true;

	private volatile long askedAt;

	/** Number of attempts that have failed since the last success. */
	private volatile int failures;

	private volatile @Nullable BusFormatException refused;

	private volatile boolean closed;

	/** Index of the master to subscribe on if channels are not sharded. */
	private volatile int subscribedIndex;

	/**
	 * Creates an instance without connections.
	 * @param blocking whether a connection for blocking commands is needed
	 * @param messages the consumer of messages to this node, called on an event loop
	 * @param subscribed the callback for partitions whose channels have been subscribed
	 * to
	 */
	BusServers(Topology topology, BusNames names, String node, Duration timeout, boolean blocking,
			ScheduledExecutorService timer, Consumer<String> messages, Consumer<List<Integer>> subscribed) {
		this.topology = topology;
		this.names = names;
		this.node = node;
		this.timeout = timeout;
		this.blocking = blocking;
		this.timer = timer;
		this.messages = messages;
		this.subscribed = subscribed;
		this.partitions = Partitions.all()
			.stream()
			.map((partition) -> new PartitionCommands(() -> commands(partition), () -> this.outdated = true, timer,
					timeout))
			.toList();
	}

	/**
	 * Opens the connections if the servers can be reached; blocks.
	 * @throws BusFormatException if other nodes have another format
	 * @throws RedisAccessException if a server cannot be used with the present
	 * configuration of the server or of this node
	 */
	void open() {
		this.busy.set(true);
		update();
		if (this.refused != null) {
			throw this.refused;
		}
		this.masters.values().forEach((master) -> master.connections().open());
		for (int partition : Partitions.all()) {
			Master master = owner(partition);
			if (master != null && this.owners.indexOf(master) == partition) {
				String problem = master.problem(this.names, partition, channels(), !this.topology.isCluster());
				if (problem != null) {
					throw new RedisAccessException(problem);
				}
			}
		}
	}

	/** Opens closed connections in the background. */
	void watch() {
		this.masters.values().forEach(Master::watch);
		boolean due = System.nanoTime() - this.askedAt > pause().toNanos();
		if (due && !this.closed && this.busy.compareAndSet(false, true)) {
			Thread thread = new Thread(() -> {
				update();
				this.masters.values().forEach(Master::watch);
			}, "sluice-redis-topology");
			thread.setDaemon(true);
			thread.start();
		}
	}

	/** Returns the time between the last update and the next. */
	private Duration pause() {
		boolean moving = this.topology.isCluster() && (this.outdated || !isWhole());
		if (!moving && this.agreed) {
			return POLL;
		}
		Duration pause = PAUSE.multipliedBy(1L << Math.min(this.failures, 3));
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	private boolean isWhole() {
		return Partitions.all().stream().allMatch((partition) -> owner(partition) != null)
				&& this.masters.values().stream().allMatch((master) -> master.connections().isOpen());
	}

	private void update() {
		try {
			this.outdated = false;
			adopt(this.topology.shards());
			if (!this.agreed) {
				agree();
			}
			listen();
			this.failures = 0;
		}
		catch (RedisException | StoreUnavailableException ex) {
			this.outdated = true;
			this.failures++;
			LOGGER.log(System.Logger.Level.DEBUG, "Failed to read the Redis topology; retrying", ex);
		}
		catch (BusFormatException ex) {
			if (this.refused == null) {
				LOGGER.log(System.Logger.Level.ERROR,
						"This node cannot join the cluster bus, as other nodes use another format", ex);
			}
			this.refused = ex;
			this.failures++;
		}
		finally {
			this.askedAt = System.nanoTime();
			this.busy.set(false);
			if (this.closed) {
				close(this.masters.values());
			}
		}
	}

	/** Connects to the present servers, and disconnects from removed ones. */
	private void adopt(List<Topology.Shard> shards) {
		Map<String, Master> masters = new TreeMap<>();
		Master[] owners = new Master[Partitions.COUNT];
		for (Topology.Shard shard : shards) {
			Master known = this.masters.get(shard.address());
			Master master = (known != null) ? known : opened(shard);
			masters.put(shard.address(), master);
			shard.partitions().forEach((partition) -> owners[partition] = master);
		}
		List<Master> gone = this.masters.values()
			.stream()
			.filter((master) -> !masters.containsKey(master.address()))
			.toList();
		this.masters = masters;
		this.owners = Arrays.asList(owners);
		gone.forEach((master) -> master.log().end());
		close(gone);
	}

	private Master opened(Topology.Shard shard) {
		RedisConnections connections = new RedisConnections(shard.connector(), this.timeout, Channels.NONE,
				(channel, message) -> this.messages.accept(message),
				(channels) -> channels.stream().findFirst().ifPresent(this::subscribed));
		if (this.blocking) {
			connections.needBlocking();
		}
		connections.open();
		return new Master(shard.address(), connections, new CommandSender(connections, this.timeout, this.timer));
	}

	private void agree() {
		Master keeper = owner(BusFormat.PARTITION);
		if (keeper == null) {
			throw CommandSender.notConnected();
		}
		BusChannels known = this.channels;
		boolean can = known != null && known.isSharded() || this.topology.isCluster() && haveSharded();
		boolean wanted = (known != null) ? known.isSharded() : can;
		boolean sharded = BusFormat.agree(this.names, keeper.commands(), wanted, can);
		this.channels = new BusChannels(this.names.prefix(), sharded);
		this.refused = null;
		this.agreed = true;
	}

	private boolean haveSharded() {
		return this.masters.values()
			.stream()
			.filter((master) -> master.connections().isConnected())
			.allMatch((master) -> BusFormat.hasSharded(master.commands()));
	}

	/** Subscribes to the channels of each partition on its server. */
	private void listen() {
		BusChannels channels = channels();
		List<Master> masters = List.copyOf(this.masters.values());
		if (masters.isEmpty()) {
			return;
		}
		if (!masters.get(subscribedMaster(masters)).connections().isConnected()) {
			this.subscribedIndex++;
		}
		for (Master master : masters) {
			boolean needed = channels.isSharded() || master == masters.get(subscribedMaster(masters));
			List<Integer> partitions = Partitions.all()
				.stream()
				.filter((partition) -> owner(partition) == master)
				.toList();
			master.connections().listenTo(needed ? channels.receivedBy(this.node, partitions) : Channels.NONE);
		}
	}

	private int subscribedMaster(List<Master> masters) {
		return Math.floorMod(this.subscribedIndex, masters.size());
	}

	private void subscribed(String channel) {
		List<Integer> partitions = channels().partitionsOf(channel);
		if (partitions.contains(BusFormat.PARTITION)) {
			if (this.subscribedBefore) {
				this.agreed = false;
			}
			this.subscribedBefore = true;
		}
		this.subscribed.accept(partitions);
	}

	/** Returns groups of partitions that one script may access. */
	List<List<Integer>> groups() {
		return this.topology.isCluster() ? Partitions.all().stream().map(List::of).toList() : List.of(Partitions.all());
	}

	/** Returns the names of channels; sharded ones only after the agreement. */
	BusChannels channels() {
		BusChannels channels = this.channels;
		return (channels != null) ? channels : new BusChannels(this.names.prefix(), false);
	}

	/**
	 * Returns whether a server counts all receivers of a message. In a cluster without
	 * sharded channels, receivers may be subscribed on other servers.
	 */
	boolean countsReceivers() {
		return !this.topology.isCluster() || channels().isSharded();
	}

	private @Nullable Master owner(int partition) {
		List<@Nullable Master> owners = this.owners;
		return owners.isEmpty() ? null : owners.get(partition);
	}

	private @Nullable CommandSender commands(int partition) {
		Master master = owner(partition);
		return (master != null && this.channels != null && this.refused == null) ? master.commands() : null;
	}

	/**
	 * Sends a command to the server that has a partition.
	 * @param waitedNanos the elapsed part of the timeout
	 * @param over the action to run when the command is no longer in flight
	 * @return the reply, or a failure by {@link StoreUnavailableException} if there is no
	 * reply in time
	 */
	<T> CompletableFuture<T> send(int partition, long waitedNanos,
			Function<CommandSender, CompletableFuture<T>> command, Runnable over) {
		CommandSender master = commands(partition);
		if (master == null) {
			over.run();
			return CompletableFuture.failedFuture(CommandSender.notConnected());
		}
		CompletableFuture<T> answer = this.topology.isCluster() ? this.partitions.get(partition).send(command)
				: command.apply(master);
		answer.whenComplete((reply, failure) -> over.run());
		return master.inTime(answer, waitedNanos);
	}

	boolean isConnected(int partition) {
		Master master = owner(partition);
		return master != null && master.connections().isConnected();
	}

	/** Returns whether any partition is unavailable. */
	boolean isUnavailable() {
		return Partitions.all()
			.stream()
			.map(this::commands)
			.anyMatch((master) -> master == null || master.isUnavailable());
	}

	/**
	 * Reports the failure of heartbeats to a partition, or {@code null} once it is over.
	 */
	void report(int partition, @Nullable Throwable failure) {
		Master master = owner(partition);
		if (master != null) {
			master.log().report(failure);
		}
	}

	/**
	 * Closes the connections for a partition, so that they are opened again. Channels
	 * that are not sharded are then subscribed to on another server.
	 */
	void drop(int partition) {
		Master master = owner(partition);
		if (master != null) {
			master.connections().drop();
		}
		if (!channels().isSharded()) {
			this.subscribedIndex++;
		}
		this.outdated = true;
	}

	/** Closes the connections when all commands are answered, or after the timeout. */
	void close() {
		this.closed = true;
		this.partitions.forEach(PartitionCommands::close);
		if (!this.busy.get()) {
			close(this.masters.values());
		}
		this.topology.close();
	}

	private static void close(Collection<Master> masters) {
		masters.forEach(Master::close);
	}

}
