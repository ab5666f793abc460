package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.Script;

/** Beats of a node: it tells that it lives, and finds out whether messages arrive. */
final class Beats {

	/*
	 * Which nodes are interested in a name is beside the name, and outlives connections.
	 * It may be lost all the same: others remove a node whose lease has ended, and a
	 * server that takes over may not have been told. So whenever messages of a partition
	 * can be had anew, when a beat finds that a lease had ended, and when its answer was
	 * lost, which might have said so, its names are joined again, and the listener is
	 * told afterwards: what is sent from then on arrives, and what was sent before may
	 * not have. It is told once for all partitions that are joined again at a time.
	 *
	 * With each beat a probe is sent as a message. If some probes do not arrive while
	 * commands are answered, the connection for messages is broken; if no command is
	 * answered for three beats, all connections are. Then all are opened again. A beat
	 * that is answered by an error shows that the connections work. A beat that succeeds
	 * closes the circuit breaker, so the bus recovers from a fault by itself.
	 *
	 * One partition tells which nodes live, another one if it has not answered. To leave
	 * is the last that a partition is told: whoever has beaten meanwhile tells it again.
	 *
	 * Attacked by RedisClusterBusTests, RedisClusterBusHostileTests and
	 * RedisClusterSlotsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(Beats.class.getName());

	/** How many partitions further the next one is asked: mostly at another server. */
	private static final int NEXT = 11;

	private final String node;

	private final BusNames names;

	private final BusServers servers;

	private final Duration lease;

	private final JoinedNames joined;

	private final long refreshes;

	private final Runnable interrupted;

	private final NodeLease nodes = new NodeLease();

	private final List<Beat> beats;

	private final AtomicInteger joining = new AtomicInteger();

	private volatile int asked;

	private volatile boolean left;

	private volatile boolean warned;

	/**
	 * Prepares to beat.
	 * @param joined names that are joined again
	 * @param refreshes in how many beats each of them is anyhow
	 * @param interrupted called when messages may have been lost
	 */
	Beats(String node, BusNames names, BusServers servers, Duration lease, JoinedNames joined, long refreshes,
			Runnable interrupted) {
		this.node = node;
		this.names = names;
		this.servers = servers;
		this.lease = lease;
		this.joined = joined;
		this.refreshes = refreshes;
		this.interrupted = interrupted;
		this.beats = servers.groups().stream().map(Beat::new).toList();
	}

	Set<String> alive() {
		return this.nodes.alive();
	}

	/** Tells all partitions. */
	void beat() {
		if (!this.left) {
			this.beats.forEach(Beat::next);
		}
	}

	/** Messages of partitions can be had anew, and may have been missed before. */
	void subscribed(List<Integer> partitions) {
		List<Beat> anew = this.beats.stream().filter((beat) -> partitions.contains(beat.first())).toList();
		anew.forEach(Beat::doubt);
		if (!this.left) {
			anew.forEach(Beat::next);
		}
	}

	/** Logs that messages are lost, once until one arrives again. */
	private void warn(boolean deaf) {
		if (deaf && !this.warned) {
			this.warned = true;
			LOGGER.log(System.Logger.Level.WARNING,
					"Redis answers commands, but no message arrives from it; the connections are opened again");
		}
	}

	void heard(int partition, long number) {
		this.warned = false;
		this.beats.get(this.beats.size() == 1 ? 0 : partition).probe.heard(number);
	}

	boolean isUnanswered() {
		return this.beats.stream().anyMatch((beat) -> beat.probe.isUnanswered());
	}

	boolean isSilent() {
		return this.beats.stream().anyMatch((beat) -> beat.probe.isSilent());
	}

	/** Tells that this node has left; it does not beat any more. */
	void leave() {
		this.left = true;
		this.beats.forEach(Beat::leave);
	}

	/** Beat in partitions that one script can be told of. */
	private final class Beat {

		private final List<Integer> partitions;

		private final SubscriptionProbe probe = new SubscriptionProbe();

		/** Whether names may have to be joined again. */
		private final AtomicBoolean doubtful = new AtomicBoolean();

		/** Whether the last answer was an error. */
		private volatile boolean rejected;

		Beat(List<Integer> partitions) {
			this.partitions = partitions;
		}

		int first() {
			return this.partitions.get(0);
		}

		void doubt() {
			this.probe.reset();
			this.doubtful.set(true);
		}

		void next() {
			boolean broken = this.probe.isDeaf() || this.probe.isUnanswered() && !this.rejected;
			if (broken && Beats.this.servers.isConnected(first())) {
				warn(this.probe.isDeaf());
				this.probe.reset();
				Beats.this.servers.drop(first());
				return;
			}
			long askedAt = System.nanoTime();
			long number = this.probe.next();
			boolean asked = this.partitions.contains(Beats.this.asked);
			send(Beats.this.lease, number, asked).whenComplete((reply, failure) -> {
				if (failure == null) {
					answered(number, reply, askedAt, asked);
				}
				else {
					failed(failure, asked);
				}
			});
			if (Beats.this.left) {
				leave();
			}
		}

		void leave() {
			send(Duration.ZERO, this.probe.next(), false);
		}

		/**
		 * Returns what the script answers: whether this node was known, and who lives.
		 */
		private CompletableFuture<List<Object>> send(Duration lease, long number, boolean asked) {
			String[] keys = this.partitions.stream().map(Beats.this.names::nodes).toArray(String[]::new);
			return Beats.this.servers.send(first(), 0,
					(commands) -> commands.ask(Script.BUS_BEAT, keys, Beats.this.node, Long.toString(lease.toMillis()),
							Beats.this.servers.channels().node(first(), Beats.this.node),
							BusMessages.probe(first(), number), asked ? "1" : "0"),
					() -> {
					});
		}

		/** What was not heard may have been that the lease had ended. */
		private void failed(Throwable failure, boolean asked) {
			this.rejected = RedisErrors.isAnswered(failure);
			if (RedisErrors.mayBeRun(failure)) {
				this.doubtful.set(true);
			}
			if (asked) {
				Beats.this.asked = (Beats.this.asked + NEXT) % Partitions.COUNT;
			}
		}

		private void answered(long number, List<Object> reply, long askedAt, boolean asked) {
			this.probe.answered(number);
			this.rejected = false;
			if (asked) {
				Beats.this.nodes.heard(reply.subList(1, reply.size()), askedAt);
				Beats.this.joined.refresh(Beats.this.refreshes);
			}
			if (Long.valueOf(0).equals(reply.get(0))) {
				this.doubtful.set(true);
			}
			if (this.doubtful.getAndSet(false)) {
				joinAgain();
			}
		}

		/** What could not be joined is tried again with the next beat. */
		private void joinAgain() {
			Beats.this.joining.incrementAndGet();
			Beats.this.joined.joinAll((name) -> this.partitions.contains(Partitions.of(name)))
				.whenComplete((nothing, failure) -> {
					if (failure != null) {
						this.doubtful.set(true);
					}
					if (Beats.this.joining.decrementAndGet() == 0) {
						Beats.this.interrupted.run();
					}
				});
		}

	}

}
