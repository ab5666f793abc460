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
import dev.sluice.redis.connection.Channels;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

/** The servers of the bus, and which of them has each partition. */
final class BusServers {

	/*
	 * Each server has connections of its own. While any of them is not open or no server
	 * is known to have a partition, when a command was answered by the wrong server, and
	 * now and then, the servers are asked which there are: one that is asked while slots
	 * move may not know yet who has them. A partition that has moved is subscribed to
	 * where it is now, and the owner is told so, as what was sent meanwhile is lost.
	 * Sharded channels are heard from the server that has their slot; others from one
	 * server, as each sends to all.
	 *
	 * Nothing is sent and no channel subscribed to before the format is agreed upon. As a
	 * server may have forgotten it, that is done again with each later subscription.
	 *
	 * "adopt" and "agree" are called by one thread at a time, which may block.
	 *
	 * Attacked by BusServersTests, RedisClusterBusTests and RedisClusterSlotsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(BusServers.class.getName());

	/** Between two questions for the servers, while a server or partition is missing. */
	private static final Duration PAUSE = Duration.ofMillis(250);

	/** Longest time between two attempts that fail one after the other. */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	/** Between two questions for the servers of a cluster otherwise. */
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

	/** By address. */
	private volatile Map<String, Master> masters = Map.of();

	/** Those of the partitions, in their order; none before the format is known. */
	private volatile List<@Nullable Master> owners = List.of();

	private volatile @Nullable BusChannels channels;

	private volatile boolean agreed;

	/** Whether the partition of the format has been subscribed to before. */
	private volatile boolean subscribedBefore;

	private volatile boolean outdated = true;

	private volatile long askedAt;

	/** How many attempts have failed since the last one that has not. */
	private volatile int failures;

	private volatile @Nullable BusFormatException refused;

	private volatile boolean closed;

	/** Which of the masters is listened to, if channels are not sharded. */
	private volatile int heard;

	/**
	 * Opens nothing yet.
	 * @param blocking whether there is a connection for commands that a server holds up
	 * @param messages takes what is sent to this node, on an event loop
	 * @param subscribed called with partitions whose messages can be had anew
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
	 * Opens the connections, if it can now; blocks.
	 * @throws BusFormatException if other nodes have another format
	 * @throws RedisAccessException if a server cannot be used until its configuration or
	 * that of this node is changed
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

	/** Opens what is not open, in the background. */
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
			LOGGER.log(System.Logger.Level.DEBUG, "The servers are not known, and will be asked again", ex);
		}
		catch (BusFormatException ex) {
			if (this.refused == null) {
				LOGGER.log(System.Logger.Level.ERROR, "This node cannot join the others", ex);
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

	/** Connects to the servers that there are now, and leaves the others. */
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

	/** Listens to the partitions where they are, if there is any server. */
	private void listen() {
		BusChannels channels = channels();
		List<Master> masters = List.copyOf(this.masters.values());
		if (masters.isEmpty()) {
			return;
		}
		if (!masters.get(heard(masters)).connections().isConnected()) {
			this.heard++;
		}
		for (Master master : masters) {
			boolean listened = channels.isSharded() || master == masters.get(heard(masters));
			List<Integer> partitions = Partitions.all()
				.stream()
				.filter((partition) -> owner(partition) == master)
				.toList();
			master.connections().listenTo(listened ? channels.heardBy(this.node, partitions) : Channels.NONE);
		}
	}

	private int heard(List<Master> masters) {
		return Math.floorMod(this.heard, masters.size());
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

	/** Returns partitions to which a script may be sent at once. */
	List<List<Integer>> groups() {
		return this.topology.isCluster() ? Partitions.all().stream().map(List::of).toList() : List.of(Partitions.all());
	}

	/** Returns the names of channels, sharded ones once that is agreed upon. */
	BusChannels channels() {
		BusChannels channels = this.channels;
		return (channels != null) ? channels : new BusChannels(this.names.prefix(), false);
	}

	/**
	 * Returns whether a server knows all who hear what is sent to it. In a cluster whose
	 * channels are not sharded they may hear it from another.
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
	 * @param waitedNanos how much of the time for an answer is over
	 * @param over run when nothing is known to be under way any more
	 * @return what the server answers, or a failure by {@link StoreUnavailableException}
	 * if there is no answer in time
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

	/** Returns whether any partition cannot be had for now. */
	boolean isUnavailable() {
		return Partitions.all()
			.stream()
			.map(this::commands)
			.anyMatch((master) -> master == null || master.isUnavailable());
	}

	/**
	 * Closes the connections for a partition, so that they are opened anew: to another
	 * server where any will do.
	 */
	void drop(int partition) {
		Master master = owner(partition);
		if (master != null) {
			master.connections().drop();
		}
		if (!channels().isSharded()) {
			this.heard++;
		}
		this.outdated = true;
	}

	/** Closes the connections, when all is answered or the time for that is over. */
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
