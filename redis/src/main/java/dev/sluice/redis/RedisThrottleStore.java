package dev.sluice.redis;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.StoredThrottle;
import dev.sluice.throttle.ThrottleStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * Limits that many nodes share, in Redis 6.2 or newer, or in Valkey. A decision is one
 * script on one key: one round trip, by the clock of the server. Nothing is asked of the
 * clocks of the nodes.
 * <p>
 * The store opens two connections of its own, one for commands and one for messages, and
 * opens them again when they are lost, so the client's own reconnecting is best switched
 * off ({@code ClientOptions.autoReconnect(false)}): then no command is ever sent twice.
 * While Redis cannot be reached, or does not answer within the time-out, calls are
 * rejected with {@link dev.sluice.throttle.Decision.Reason#STORE}; nothing waits for it.
 * <p>
 * Rates are kept, but for the dynamic window. What is not is refused when it is defined.
 * Keys expire by themselves, so {@link LimitOptions#maxKeys} and
 * {@link LimitOptions#atMaxKeys} do not matter here.
 *
 * @since 0.1.0
 */
public final class RedisThrottleStore implements ThrottleStore, AutoCloseable {

	/*
	 * One timer thread, which never blocks: it sends, and the event loops of the client
	 * go on with what comes back. Only the connecting has threads of its own, as it
	 * blocks.
	 */

	private static final Duration RENEWAL = Duration.ofSeconds(10);

	private static final Duration FLUSH = Duration.ofSeconds(1);

	private final Map<String, RedisThrottle> throttles = new ConcurrentHashMap<>();

	private final ReentrantLock opening = new ReentrantLock();

	private final ScheduledThreadPoolExecutor timer;

	private final RedisNode node;

	private RedisThrottleStore(Connector connector, Builder builder) {
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sluice-redis-timer");
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setRemoveOnCancelPolicy(true);
		Names names = new Names(builder.keyPrefix);
		String name = Names.newNode();
		String[] channels = { names.limitsChannel(), names.nodeChannel(name) };
		RedisLink link = new RedisLink(connector, builder.timeout, this.timer, channels, this::take, this::renew);
		this.node = new RedisNode(name, names, link, this.timer, builder.lease);
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

	private void start() {
		this.node.link().open();
		this.timer.scheduleWithFixedDelay(this::renew, RENEWAL.toMillis(), RENEWAL.toMillis(), TimeUnit.MILLISECONDS);
		this.timer.scheduleWithFixedDelay(this::flush, FLUSH.toMillis(), FLUSH.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		this.opening.lock();
		try {
			RedisThrottle throttle = this.throttles.get(resource);
			if (throttle == null || throttle.isRemoved() || throttle.limit().isHeld() != limit.isHeld()) {
				throttle = create(resource, new Definition(0, limit, options));
			}
			throttle.announce(limit, options);
			this.throttles.put(resource, throttle);
			return Optional.of(throttle);
		}
		finally {
			this.opening.unlock();
		}
	}

	private RedisThrottle create(String resource, Definition definition) {
		RedisThrottle.requireKept(resource, definition.limit());
		return new RedisRate(this.node, resource, definition);
	}

	/** Takes a message, on an event loop. */
	private void take(String channel, String message) {
		if (channel.equals(this.node.names().limitsChannel())) {
			RedisThrottle throttle = this.throttles.get(message);
			if (throttle != null) {
				throttle.renew();
			}
			return;
		}
		String resource = this.node.names().resourceOf(message);
		RedisThrottle throttle = this.throttles.get(resource);
		if (throttle != null) {
			throttle.look(this.node.names().keyOf(resource, message));
		}
	}

	private void renew() {
		this.throttles.values().forEach(RedisThrottle::renew);
	}

	private void flush() {
		this.throttles.values().forEach((throttle) -> throttle.counts.flush());
	}

	/**
	 * Closes the connections. Calls in line are rejected when they have waited for as
	 * long as they may; the limits live on for the other nodes.
	 */
	@Override
	public void close() {
		flush();
		this.timer.shutdown();
		this.node.link().close();
	}

	/**
	 * Builds a store; not safe for use by several threads.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final Connector connector;

		private String keyPrefix = "sluice:";

		private Duration timeout = Duration.ofMillis(250);

		private Duration lease = Duration.ofSeconds(30);

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
			if (keyPrefix.contains("{") || keyPrefix.contains("}")) {
				throw new IllegalArgumentException("'keyPrefix' must not contain braces: " + keyPrefix);
			}
			this.keyPrefix = keyPrefix;
			return this;
		}

		/**
		 * Sets how long Redis may take to answer. One that is slower counts as one that
		 * is away.
		 * @param timeout the time, 250 milliseconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = positive("timeout", timeout);
			return this;
		}

		/**
		 * Sets for how long Redis believes a node alive of which it hears nothing. Nodes
		 * are heard of three times as often. After that, those who waited there leave the
		 * line.
		 * @param lease the time, 30 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder lease(Duration lease) {
			this.lease = positive("lease", lease);
			return this;
		}

		private static Duration positive(String name, Duration time) {
			if (time.isNegative() || time.isZero()) {
				throw new IllegalArgumentException("'" + name + "' must be greater than 0: " + time);
			}
			return time;
		}

		/**
		 * Builds the store and connects it. If Redis cannot be reached that is logged,
		 * and tried again until it can.
		 * @return the store
		 */
		public RedisThrottleStore build() {
			RedisThrottleStore store = new RedisThrottleStore(this.connector, this);
			store.start();
			return store;
		}

	}

}
