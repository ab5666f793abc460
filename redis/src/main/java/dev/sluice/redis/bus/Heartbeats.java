package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.Script;

/** Heartbeats of a node, which renew its lease and check that messages arrive. */
final class Heartbeats {

	/*
	 * The nodes that have joined a name are stored with the name, and outlive
	 * connections. They may still be lost: other nodes remove a node whose lease has
	 * expired, and a promoted replica may lack the last writes. So the names of a
	 * partition are joined again after each subscription to it, when a heartbeat finds
	 * that the lease had expired, and when the reply of a heartbeat was lost, as it might
	 * have reported that. Afterwards the listener is notified that messages may have been
	 * missed: later messages arrive, earlier ones may not have. Partitions that are
	 * joined again at the same time cause one notification.
	 *
	 * Each heartbeat publishes a probe. If several probes do not arrive while commands
	 * are answered, the connection for messages is broken. If no command is answered for
	 * three heartbeats, all connections are broken. In both cases all connections are
	 * opened again. A heartbeat that is answered by an error shows that the connections
	 * work. A heartbeat that succeeds closes the circuit breaker, so the bus recovers
	 * from a fault by itself.
	 *
	 * The live nodes are read from one partition, or from another one after a failure.
	 * The last command to a partition removes this node: a heartbeat that is concurrent
	 * with it is followed by another removal.
	 *
	 * Attacked by RedisClusterBusTests, RedisClusterBusHostileTests and
	 * RedisClusterSlotsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(Heartbeats.class.getName());

	/** Distance to the partition to read next, which is mostly on another server. */
	private static final int NEXT = 11;

	/** Number of failures in succession that may have been caused by one connection. */
	private static final int FAILING = 2;

	private final String node;

	private final BusNames names;

	private final BusServers servers;

	private final Duration lease;

	private final JoinedNames joined;

	private final long refreshes;

	private final Runnable interrupted;

	private final NodeLease nodes = new NodeLease();

	private final List<Heartbeat> beats;

	private final AtomicInteger joining = new AtomicInteger();

	private volatile int asked;

	private volatile boolean left;

	private volatile boolean warned;

	/**
	 * Creates heartbeats; none is sent yet.
	 * @param joined the names to join again
	 * @param refreshes the number of heartbeats after which each name is joined again
	 * @param interrupted called when messages may have been lost
	 */
	Heartbeats(String node, BusNames names, BusServers servers, Duration lease, JoinedNames joined, long refreshes,
			Runnable interrupted) {
		this.node = node;
		this.names = names;
		this.servers = servers;
		this.lease = lease;
		this.joined = joined;
		this.refreshes = refreshes;
		this.interrupted = interrupted;
		this.beats = servers.groups().stream().map(Heartbeat::new).toList();
	}

	Set<String> alive() {
		return this.nodes.alive();
	}

	/** Sends a heartbeat to all partitions. */
	void beat() {
		if (!this.left) {
			this.beats.forEach(Heartbeat::next);
		}
	}

	/**
	 * Joins the names of partitions again after a subscription, as messages may be lost.
	 */
	void subscribed(List<Integer> partitions) {
		List<Heartbeat> affected = this.beats.stream().filter((beat) -> partitions.contains(beat.first())).toList();
		affected.forEach(Heartbeat::markStale);
		if (!this.left) {
			affected.forEach(Heartbeat::next);
		}
	}

	/** Logs once that messages are lost, until one has arrived. */
	private void warn(boolean lost) {
		if (lost && !this.warned) {
			this.warned = true;
			LOGGER.log(System.Logger.Level.WARNING,
					"Redis answers commands but delivers no messages; reopening the connections");
		}
	}

	void received(int partition, long number) {
		if (this.warned) {
			this.warned = false;
			LOGGER.log(System.Logger.Level.INFO, "Redis delivers messages again");
		}
		this.beats.get(this.beats.size() == 1 ? 0 : partition).probe.received(number);
	}

	boolean isUnanswered() {
		return this.beats.stream().anyMatch((beat) -> beat.probe.isUnanswered() || beat.isFailing());
	}

	boolean isSilent() {
		return this.beats.stream().anyMatch((beat) -> beat.probe.isSilent());
	}

	/** Removes this node from the live nodes, and sends no further heartbeats. */
	void leave() {
		this.left = true;
		this.beats.forEach(Heartbeat::leave);
	}

	/** Heartbeat in the partitions that one script can write. */
	private final class Heartbeat {

		private final List<Integer> partitions;

		private final SubscriptionProbe probe = new SubscriptionProbe();

		/** Whether names may have to be joined again. */
		private final AtomicBoolean stale = new AtomicBoolean();

		/** Whether the last answer was an error. */
		private volatile boolean rejected;

		/** Number of failures since the last success, on any connection. */
		private final AtomicInteger failures = new AtomicInteger();

		Heartbeat(List<Integer> partitions) {
			this.partitions = partitions;
		}

		int first() {
			return this.partitions.get(0);
		}

		/** Returns whether heartbeats fail although connections may be new. */
		boolean isFailing() {
			return this.failures.get() > FAILING;
		}

		void markStale() {
			this.probe.reset();
			this.stale.set(true);
		}

		void next() {
			boolean broken = this.probe.isDeliveryLost() || this.probe.isUnanswered() && !this.rejected;
			if (broken && Heartbeats.this.servers.isConnected(first())) {
				warn(this.probe.isDeliveryLost());
				this.probe.reset();
				Heartbeats.this.servers.drop(first());
				return;
			}
			long askedAt = System.nanoTime();
			long number = this.probe.next();
			boolean asked = this.partitions.contains(Heartbeats.this.asked);
			send(Heartbeats.this.lease, number, asked).whenComplete((reply, failure) -> {
				if (failure == null) {
					answered(number, reply, askedAt, asked);
				}
				else {
					failed(failure, asked);
				}
			});
			if (Heartbeats.this.left) {
				leave();
			}
		}

		void leave() {
			send(Duration.ZERO, this.probe.next(), false);
		}

		/**
		 * Returns the reply of the script: whether the lease of this node was valid, and
		 * the live nodes.
		 */
		private CompletableFuture<List<Object>> send(Duration lease, long number, boolean asked) {
			String[] keys = this.partitions.stream().map(Heartbeats.this.names::nodes).toArray(String[]::new);
			return Heartbeats.this.servers.send(first(), 0,
					(commands) -> commands.ask(Script.BUS_BEAT, keys, Heartbeats.this.node,
							Long.toString(lease.toMillis()),
							Heartbeats.this.servers.channels().node(first(), Heartbeats.this.node),
							BusMessages.probe(first(), number), asked ? "1" : "0"),
					() -> {
					});
		}

		/**
		 * Joins names again later, as the lost reply may have reported an expired lease.
		 */
		private void failed(Throwable failure, boolean asked) {
			this.rejected = RedisErrors.isAnswered(failure);
			this.failures.incrementAndGet();
			if (this.rejected && isFailing()) {
				Heartbeats.this.servers.report(first(), RedisErrors.cause(failure));
			}
			if (RedisErrors.mayBeRun(failure)) {
				this.stale.set(true);
			}
			if (asked) {
				Heartbeats.this.asked = (Heartbeats.this.asked + NEXT) % Partitions.COUNT;
			}
		}

		private void answered(long number, List<Object> reply, long askedAt, boolean asked) {
			this.probe.answered(number);
			this.rejected = false;
			this.failures.set(0);
			Heartbeats.this.servers.report(first(), null);
			if (asked) {
				Heartbeats.this.nodes.received(reply.subList(1, reply.size()), askedAt);
				Heartbeats.this.joined.refresh(Heartbeats.this.refreshes);
			}
			if (Long.valueOf(0).equals(reply.get(0))) {
				this.stale.set(true);
			}
			if (this.stale.getAndSet(false)) {
				joinAgain();
			}
		}

		/** Joins the names again; a failure is retried with the next heartbeat. */
		private void joinAgain() {
			Heartbeats.this.joining.incrementAndGet();
			Heartbeats.this.joined.joinAll((name) -> this.partitions.contains(Partitions.of(name)))
				.whenComplete((nothing, failure) -> {
					if (failure != null) {
						this.stale.set(true);
					}
					if (Heartbeats.this.joining.decrementAndGet() == 0) {
						Heartbeats.this.interrupted.run();
					}
				});
		}

	}

}
