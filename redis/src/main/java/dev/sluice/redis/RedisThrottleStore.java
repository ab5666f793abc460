package dev.sluice.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.internal.Arguments;
import dev.sluice.redis.concurrency.RedisConcurrencyThrottle;
import dev.sluice.redis.connection.AccessCheck;
import dev.sluice.redis.connection.AvailabilityLog;
import dev.sluice.redis.connection.Channels;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.CommandStatistics;
import dev.sluice.redis.connection.Connector;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.NodeRegistry;
import dev.sluice.redis.connection.PendingReleases;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.RedisProbe;
import dev.sluice.redis.connection.ReplicaCount;
import dev.sluice.redis.connection.Replicas;
import dev.sluice.redis.connection.Script;
import dev.sluice.redis.rate.RedisRateThrottle;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.redis.throttle.RedisWaiter;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.failover.AvailabilityProbe;
import dev.sluice.throttle.internal.failover.FailoverCounters;
import dev.sluice.throttle.internal.failover.FailoverThrottle;
import dev.sluice.throttle.internal.failover.StoreTimer;
import dev.sluice.throttle.store.StoreSnapshot;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * Store for limits that many nodes share, in Redis 6.2 or newer, or in Valkey. A decision
 * runs one script on the entries of one key, in one round trip, by the clock of the
 * server. Concurrent calls of a node may share the round trip. The clocks of the nodes do
 * not matter.
 * <p>
 * The store opens its own connections: one for commands, one for messages and, if it
 * waits for replicas, one for that. It opens a lost connection again. On a single server
 * no command is sent twice, regardless of {@code ClientOptions.autoReconnect}. In a
 * cluster the client reconnects by itself, and may repeat a command that has no reply.
 * The client's timeout bounds an attempt to connect. If a server accepts a connection but
 * does not reply, its recovery is noticed after that timeout at the latest.
 * <p>
 * If Redis cannot be reached, or does not reply within the timeout, the
 * {@link FailurePolicy} of the limit decides the call. When five of ten commands have
 * failed, Redis counts as unavailable and the policy decides at once. The store then
 * sends five probes a second, and uses Redis again when one is answered in time.
 * <p>
 * A permit of a mutex or semaphore has a lease, which its node renews while it runs. If
 * the lease expires, the actions of {@link dev.sluice.throttle.Permit#onLost} run. Keys
 * expire by themselves, so {@link LimitOptions#maxKeys} and
 * {@link LimitOptions#atMaxKeys} have no effect.
 *
 * @since 0.1.0
 */
public final class RedisThrottleStore implements ThrottleStore, AutoCloseable {

	/*
	 * There is one timer thread, which never blocks: it sends commands, and the event
	 * loops of the client process the replies. Only connecting blocks, and has threads of
	 * its own. "throttles" changes under "opening". Attacked by RedisFaultTests and
	 * RedisCloseTests.
	 */

	private static final Duration CHECK = Duration.ofMillis(200);

	private static final Duration RENEWAL = Duration.ofSeconds(10);

	private static final Duration FLUSH = Duration.ofSeconds(1);

	private final Map<String, FailoverThrottle<RedisThrottle>> throttles = new ConcurrentHashMap<>();

	private final ReentrantLock opening = new ReentrantLock();

	private final StoreTimer timer = new StoreTimer("sluice-redis-timer");

	private final FailurePolicy failurePolicy;

	private final FailoverCounters decided = new FailoverCounters();

	private final RedisConnections connections;

	private final RedisNode node;

	private final NodeMessages messages;

	private final NodeRegistry registry;

	private final Replicas replicas;

	private final AvailabilityProbe probe;

	private final AvailabilityLog log;

	private RedisThrottleStore(Connector connector, Builder builder) {
		KeyNames names = new KeyNames(builder.keyPrefix);
		String name = KeyNames.newNode();
		Channels channels = Channels.of(names.limitsChannel(), names.nodeChannel(name), names.grantsChannel(name));
		this.connections = new RedisConnections(connector, builder.timeout, channels, this::received,
				(subscribed) -> listen());
		CommandSender commands = new CommandSender(this.connections, builder.timeout, this.timer);
		this.failurePolicy = builder.failurePolicy;
		this.node = new RedisNode(name, names, commands, this.timer, builder.lease, builder.batch,
				new PendingReleases());
		this.messages = new NodeMessages(this.node, this.throttles);
		this.registry = new NodeRegistry(this.node);
		this.replicas = new Replicas(commands, this.registry, builder.replicas);
		if (this.replicas.areAsked()) {
			this.connections.needBlocking();
		}
		this.log = new AvailabilityLog(this.connections, commands, "limits");
		RedisProbe sent = new RedisProbe(this.connections, commands, this::probe);
		this.probe = new AvailabilityProbe(commands::isUnavailable, sent::send, this::whileUnavailable, this::whenBack);
	}

	/**
	 * Creates a builder for a store on a single server, or on servers that sentinels
	 * monitor.
	 * @param client the client for the server; the store does not close it
	 * @return a builder
	 */
	public static Builder builder(RedisClient client) {
		return new Builder(Connector.of(client));
	}

	/**
	 * Creates a builder for a store on a cluster.
	 * @param client the client for the cluster; the store does not close it
	 * @return a builder
	 */
	public static Builder builder(RedisClusterClient client) {
		return new Builder(Connector.of(client));
	}

	private void start(Builder builder) {
		this.connections.open();
		AccessCheck check = new AccessCheck(this.connections, this.node.commands(), builder.keyPrefix);
		String key = builder.keyPrefix + "check";
		String channel = this.node.names().nodeChannel("check");
		String problem = builder.connector.isCluster() ? check.problem(Script.CHECK_LIMITS, channel, key)
				: check.problem(Script.CHECK_LIMITS, channel, key, builder.keyPrefix + "other-slot");
		if (problem != null) {
			abandon();
			throw new RedisAccessException(problem);
		}
		this.timer.repeat(this::check, CHECK);
		this.timer.repeat(() -> whileAvailable(this.node.releases()::retry), CHECK);
		this.timer.repeat(() -> whileAvailable(this::renew), RENEWAL);
		this.timer.repeat(() -> whileAvailable(this::flush), FLUSH);
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		this.opening.lock();
		try {
			FailoverThrottle<RedisThrottle> throttle = this.throttles.get(resource);
			if (throttle == null || throttle.isRemoved() || throttle.limit().isHeld() != limit.isHeld()) {
				throttle = create(resource, new Definition(0, limit, options));
			}
			throttle.stored().announce(limit, options);
			this.throttles.put(resource, throttle);
			return Optional.of(throttle);
		}
		finally {
			this.opening.unlock();
		}
	}

	@Override
	public Optional<StoredThrottle> find(String resource) {
		return Definition.read(this.node, resource).map((definition) -> known(resource, definition));
	}

	private StoredThrottle known(String resource, Definition definition) {
		this.opening.lock();
		try {
			return this.throttles.compute(resource,
					(name, known) -> (known != null && !known.isRemoved()) ? known : found(name, definition));
		}
		finally {
			this.opening.unlock();
		}
	}

	private FailoverThrottle<RedisThrottle> found(String resource, Definition definition) {
		FailoverThrottle<RedisThrottle> found = create(resource, definition);
		found.stored().announced();
		return found;
	}

	private FailoverThrottle<RedisThrottle> create(String resource, Definition definition) {
		RedisThrottle redis = definition.limit().isHeld()
				? new RedisConcurrencyThrottle(this.node, resource, definition)
				: new RedisRateThrottle(this.node, resource, definition);
		return new FailoverThrottle<>(redis, this.failurePolicy, this.registry::nodes, this.replicas, this.decided);
	}

	/** Reopens lost connections, and probes Redis while it is unavailable. */
	private void check() {
		this.connections.watch();
		this.probe.check();
		this.log.check();
	}

	private void received(String channel, String message) {
		this.messages.received(channel, message);
	}

	/** Runs an action that sends many commands, unless Redis is unavailable. */
	private void whileAvailable(Runnable action) {
		if (!this.node.commands().isUnavailable()) {
			action.run();
		}
	}

	/** Refreshes all state that may have changed while messages were missed. */
	private void listen() {
		renew();
		this.node.releases().retryAll();
		this.throttles.values().forEach((throttle) -> throttle.stored().refreshWaiters());
	}

	private void renew() {
		beat();
		this.throttles.values().forEach((throttle) -> throttle.stored().renew());
	}

	/** Registers this node again, and counts the nodes. */
	void beat() {
		this.node.commands().inTime(this.registry.beat());
	}

	private void flush() {
		this.throttles.values().forEach((throttle) -> throttle.stored().flushCounts());
	}

	CompletableFuture<?> probe() {
		return this.replicas.areAsked() ? this.replicas.confirm() : this.registry.beat();
	}

	private void whileUnavailable() {
		this.throttles.values().forEach(FailoverThrottle::whileUnavailable);
	}

	private void whenBack() {
		listen();
		this.throttles.values().forEach(FailoverThrottle::whenBack);
	}

	/**
	 * Returns a snapshot of the store as this node has it, without a command to Redis.
	 * @return the snapshot
	 */
	public StoreSnapshot snapshot() {
		CommandSender commands = this.node.commands();
		CommandStatistics statistics = commands.statistics();
		return new StoreSnapshot(commands.isUnavailable(), this.registry.nodes(),
				FailoverThrottle.closed(this.throttles), statistics.answered(),
				Duration.ofNanos(statistics.answerNanos()), statistics.failed(), this.decided.admitted(),
				this.decided.rejected());
	}

	/**
	 * Closes the store: later calls send no commands, waiting calls of this node are
	 * rejected, and prefetched permits are returned. The connections are closed when
	 * Redis has replied to these commands, or after the timeout. The limits remain for
	 * the other nodes. A permit that this node still holds becomes free when its lease
	 * expires, without a notification. The failure policy of the limit decides calls
	 * during and after the close.
	 */
	@Override
	public void close() {
		if (this.node.commands().gate().isClosed()) {
			return;
		}
		Duration timeout = this.node.commands().timeout();
		this.node.commands().gate().close(timeout);
		this.throttles.values().forEach((throttle) -> throttle.stored().releasePrefetched());
		flush();
		List<RedisWaiter> waiters = this.throttles.values()
			.stream()
			.flatMap((throttle) -> throttle.stored().waiters().stream())
			.toList();
		this.throttles.values().forEach(FailoverThrottle::failAll);
		RedisWaiter.awaitLeft(waiters, timeout);
		this.registry.leave();
		this.node.commands().awaitAnswers();
		abandon();
		this.throttles.values().forEach(FailoverThrottle::failAll);
	}

	/** Closes the connections without any command, as if the node had died. */
	void abandon() {
		this.timer.shutdown();
		this.connections.close();
	}

	/**
	 * Builder of stores; not safe for use by several threads.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final Connector connector;

		private String keyPrefix = "sluice:";

		private Duration timeout = Duration.ofMillis(250);

		private Duration lease = Duration.ofSeconds(30);

		private FailurePolicy failurePolicy = FailurePolicy.CLOSED;

		private int batch = 1;

		private ReplicaCount replicas = ReplicaCount.fixed(0);

		private Builder(Connector connector) {
			this.connector = connector;
		}

		/**
		 * Sets the prefix of all keys and channels. Applications with different prefixes
		 * are isolated from each other.
		 * @param keyPrefix the prefix; {@code sluice:} by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is blank or contains a brace, as braces
		 * mark the slot
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = KeyNames.checkPrefix(keyPrefix);
			return this;
		}

		/**
		 * Sets the timeout of a command. A command without a reply by then counts as
		 * failed.
		 * @param timeout the time, 250 milliseconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = Arguments.positive("timeout", timeout);
			return this;
		}

		/**
		 * Sets the failure policy of limits whose options have none. It decides calls
		 * while Redis is unavailable.
		 * @param failurePolicy the policy, {@link FailurePolicy#CLOSED} by default
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Objects.requireNonNull(failurePolicy, "'failurePolicy' must not be null");
			return this;
		}

		/**
		 * Sets how long a node counts as alive without a heartbeat. A node sends three
		 * heartbeats in that time. After it, permits held by the node become free, and
		 * its waiters leave the waiting line.
		 * @param lease the time, 30 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder lease(Duration lease) {
			this.lease = Arguments.positive("lease", lease);
			return this;
		}

		/**
		 * Sets the maximum number of permits of a rate that a node acquires at once for
		 * limits whose options have no batch. Permits beyond the current call are kept
		 * briefly for later calls.
		 * @param batch the maximum, 1 by default, which is exact
		 * @return this builder
		 * @throws IllegalArgumentException if it is below 1
		 * @see LimitOptions.Builder#batch(int)
		 */
		public Builder batch(int batch) {
			this.batch = Arguments.positive("batch", batch);
			return this;
		}

		/**
		 * Sets the number of replicas that must confirm a grant, within the timeout of a
		 * command. If fewer confirm it, the grant is returned and the failure policy
		 * decides the call.
		 * @param waitReplicas the minimum number; 0 by default, which waits for no
		 * replica
		 * @return this builder
		 * @throws IllegalArgumentException if it is negative, or positive for a cluster,
		 * as no single connection reaches all of its masters
		 */
		public Builder waitReplicas(int waitReplicas) {
			if (Arguments.notNegative("waitReplicas", waitReplicas) > 0 && this.connector.isCluster()) {
				throw new IllegalArgumentException("'waitReplicas' must be 0 for a cluster, not " + waitReplicas
						+ "; set min-replicas-to-write in its masters");
			}
			this.replicas = ReplicaCount.fixed(waitReplicas);
			return this;
		}

		/**
		 * Requires that a majority of the servers, including the master, has a grant: one
		 * of one or two replicas, two of three or four. A replica counts once this node
		 * has found it connected to the master, for as long as the node runs. Without
		 * replicas, the master alone is the majority.
		 * @return this builder
		 * @throws IllegalArgumentException for a cluster; see {@link #waitReplicas(int)}
		 */
		public Builder waitReplicaQuorum() {
			waitReplicas(1);
			this.replicas = ReplicaCount.quorum();
			return this;
		}

		/**
		 * Builds the store and connects it. If Redis cannot be reached, the store logs
		 * that and retries until it can.
		 * @return the store
		 * @throws RedisAccessException if Redis rejects the credentials, its user lacks a
		 * permission, or the client is for a single server and Redis is part of a cluster
		 */
		public RedisThrottleStore build() {
			RedisThrottleStore store = new RedisThrottleStore(this.connector, this);
			store.start(this);
			return store;
		}

	}

}
