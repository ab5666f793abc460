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
 * Limits that many nodes share, in Redis 6.2 or newer, or in Valkey. A decision is one
 * script on the parts of one key: one round trip, by the clock of the server, which calls
 * that come together share. Nothing is asked of the clocks of the nodes.
 * <p>
 * The store opens connections of its own, one for commands, one for messages and, if
 * replicas are waited for, one for that, and opens them again when they are lost. On one
 * server no command is ever sent twice, whatever {@code ClientOptions.autoReconnect}
 * says; in a cluster the client connects again by itself, and may send a command again
 * that has no answer. The client's time-out bounds how long an attempt to connect may
 * take, and so how long a server stays unnoticed that is back after it took a connection
 * and said nothing. While Redis cannot be reached, or does not answer within the
 * time-out, calls go by the {@link FailurePolicy} of their limit; nothing waits for it.
 * When half of ten commands have failed, Redis counts as unavailable, and calls go by the
 * policy at once, until one that is sent to see whether it is there is answered in time;
 * five are sent a second.
 * <p>
 * A permit of a mutex or semaphore has a lease, which is renewed for as long as its node
 * lives; {@link dev.sluice.throttle.Permit#onLost} tells should it end. Keys expire by
 * themselves, so {@link LimitOptions#maxKeys} and {@link LimitOptions#atMaxKeys} do not
 * matter here.
 *
 * @since 0.1.0
 */
public final class RedisThrottleStore implements ThrottleStore, AutoCloseable {

	/*
	 * One timer thread, which never blocks: it sends, and the event loops of the client
	 * go on with what comes back. Only the connecting has threads of its own, as it
	 * blocks.
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
	 * Starts building a store on one server, or on those that sentinels watch.
	 * @param client knows the server; never closed here
	 * @return a builder
	 */
	public static Builder builder(RedisClient client) {
		return new Builder(Connector.of(client));
	}

	/**
	 * Starts building a store on a cluster.
	 * @param client knows the cluster; never closed here
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

	/** Opens connections that are lost, and probes while Redis is unavailable. */
	private void check() {
		this.connections.watch();
		this.probe.check();
		this.log.check();
	}

	private void received(String channel, String message) {
		this.messages.received(channel, message);
	}

	/** Runs what sends a command for each limit or release, unless all would fail. */
	private void whileAvailable(Runnable action) {
		if (!this.node.commands().isUnavailable()) {
			action.run();
		}
	}

	/** Asks for the state of all that may have changed while Redis was unavailable. */
	private void listen() {
		renew();
		this.node.releases().retryAll();
		this.throttles.values().forEach((throttle) -> throttle.stored().askAfterAll());
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
	 * Looks at the store from this node, without asking Redis.
	 * @return what is known here
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
	 * Lets no call ask Redis any more, rejects those in line here, gives back what was
	 * taken ahead, and closes the connections as soon as Redis has answered all that, or
	 * could have. The limits live on for the other nodes. What is held here still is free
	 * when its lease has ended, of which nobody is told. Calls that come meanwhile go by
	 * the failure policy of their limit.
	 */
	@Override
	public void close() {
		if (this.node.commands().gate().isClosed()) {
			return;
		}
		Duration timeout = this.node.commands().timeout();
		this.node.commands().gate().close(timeout);
		this.throttles.values().forEach((throttle) -> throttle.stored().giveBackAll());
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

	/** Goes without a word, as a node that dies. */
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
		 * Sets what the names of all keys and channels begin with. Applications with
		 * different prefixes do not meet.
		 * @param keyPrefix the prefix; {@code sluice:} by default
		 * @return this builder
		 * @throws IllegalArgumentException if it contains a brace, as those mark the slot
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = KeyNames.checkPrefix(keyPrefix);
			return this;
		}

		/**
		 * Sets how long Redis may take to answer. One that is slower counts as one that
		 * is unavailable.
		 * @param timeout the time, 250 milliseconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = Arguments.positive("timeout", timeout);
			return this;
		}

		/**
		 * Sets what happens to calls while Redis is unavailable, where the options of
		 * their limit do not say.
		 * @param failurePolicy the policy, {@link FailurePolicy#CLOSED} by default
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Objects.requireNonNull(failurePolicy, "'failurePolicy' must not be null");
			return this;
		}

		/**
		 * Sets for how long Redis believes a node alive of which it hears nothing. Nodes
		 * are heard of three times as often. After that, what was held there is free, and
		 * those who waited there leave the line.
		 * @param lease the time, 30 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder lease(Duration lease) {
			this.lease = Arguments.positive("lease", lease);
			return this;
		}

		/**
		 * Sets how many permits of a rate a node may acquire at once, and keep for a
		 * moment for calls to come, where the limit does not say.
		 * @param batch the most, 1 by default, which is exact
		 * @return this builder
		 * @throws IllegalArgumentException if it is below 1
		 * @see LimitOptions.Builder#batch(int)
		 */
		public Builder batch(int batch) {
			this.batch = Arguments.positive("batch", batch);
			return this;
		}

		/**
		 * Sets how many replicas must confirm a grant before it counts, within the time
		 * that Redis may take to answer. One that too few confirm is given back, and the
		 * call goes by the failure policy.
		 * @param waitReplicas the least number; 0, nobody is asked, by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is negative, or positive for a cluster,
		 * which has no connection that all of its masters could be asked on
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
		 * Sets that a grant counts when a majority of the servers has it, the master
		 * among them: one of one or two replicas, two of three or four. A replica counts
		 * from when this node first saw it connected to the master, for as long as the
		 * node runs; with none, the master alone is the majority.
		 * @return this builder
		 * @throws IllegalArgumentException for a cluster, as {@link #waitReplicas(int)}
		 */
		public Builder waitReplicaQuorum() {
			waitReplicas(1);
			this.replicas = ReplicaCount.quorum();
			return this;
		}

		/**
		 * Builds the store and connects it. If Redis cannot be reached that is logged,
		 * and tried again until it can.
		 * @return the store
		 * @throws RedisAccessException if Redis rejects the credentials, its user lacks a
		 * right, or it is part of a cluster and is used as a single server
		 */
		public RedisThrottleStore build() {
			RedisThrottleStore store = new RedisThrottleStore(this.connector, this);
			store.start(this);
			return store;
		}

	}

}
