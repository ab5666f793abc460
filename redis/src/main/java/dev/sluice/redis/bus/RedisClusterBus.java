package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.sluice.cluster.BusListener;
import dev.sluice.cluster.BusState;
import dev.sluice.cluster.ClusterBus;
import dev.sluice.cluster.Position;
import dev.sluice.cluster.Publication;
import dev.sluice.cluster.Published;
import dev.sluice.cluster.SessionClaim;
import dev.sluice.cluster.SessionRecord;
import dev.sluice.cluster.TopicHistory;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.Connector;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.Script;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

/**
 * Bus between nodes over one Redis 6.2 or newer, or Valkey, or one that sentinels watch.
 * Each operation is one script or command, so one round trip; a node has two
 * subscriptions, however many names it is interested in.
 *
 * @since 0.1.0
 */
public final class RedisClusterBus implements ClusterBus {

	/*
	 * Which nodes are interested in a name is beside the name, and outlives connections.
	 * It may be lost all the same: others remove a node whose lease has ended, and a
	 * server that takes over may not have been told. So whenever messages can be had
	 * anew, and when a beat finds that the lease had ended, all names are joined again,
	 * and the listener is told afterwards: what is sent from then on arrives, and what
	 * was sent before may not have.
	 *
	 * With each beat a probe goes the way of all messages. If some do not arrive, while
	 * commands are answered, the connection for messages is not what it seems; if no
	 * command is answered for a lease, none of them is. Then all are opened anew.
	 *
	 * Attacked by RedisClusterBusTests, RedisClusterBusHostileTests and
	 * RedisClusterFailoverHostileTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(RedisClusterBus.class.getName());

	private static final Duration CHECK = Duration.ofMillis(200);

	/** How long a name is known that nobody joins again. */
	private static final Duration INTEREST = Duration.ofDays(1);

	/** How often a name is joined again within that time. */
	private static final int REFRESHED = 3;

	private final String node = KeyNames.newNode();

	private final BusNames names;

	private final Duration lease;

	private final Duration beat;

	private final Duration interest;

	private final ScheduledThreadPoolExecutor timer;

	private final RedisConnections connections;

	private final CommandSender commands;

	private final NodeLease nodes = new NodeLease();

	private final SubscriptionProbe probe = new SubscriptionProbe();

	private final JoinedNames joined = new JoinedNames(this::tellJoined, this::tellLeft);

	private final BusCommands asking;

	private final SessionRecords records;

	/** Whether names may have to be joined again. */
	private final AtomicBoolean doubtful = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	/** Held while the listener is called. */
	private final Object turn = new Object();

	private volatile @Nullable BusListener listener;

	private RedisClusterBus(Builder builder, Duration interest) {
		this.names = new BusNames(builder.keyPrefix);
		this.lease = builder.lease;
		this.beat = builder.beat;
		this.interest = interest;
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sluice-redis-bus");
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setRemoveOnCancelPolicy(true);
		this.connections = new RedisConnections(Connector.of(builder.client), builder.timeout,
				new String[] { this.names.nodeChannels() + this.node, this.names.allChannel() }, this::received,
				this::subscribed);
		this.commands = new CommandSender(this.connections, builder.timeout, this.timer);
		this.asking = new BusCommands(this.node, this.commands, this.closed::get);
		this.records = new SessionRecords(this.names, this.node, this.asking);
	}

	/**
	 * Starts to build a bus.
	 * @param client knows the server; never closed here
	 * @return a builder
	 */
	public static Builder builder(RedisClient client) {
		return new Builder(client);
	}

	@Override
	public String node() {
		return this.node;
	}

	@Override
	public Set<String> nodes() {
		return this.nodes.alive();
	}

	@Override
	public void start(BusListener listener) {
		this.listener = listener;
		this.connections.open();
		this.timer.scheduleWithFixedDelay(this.connections::watch, CHECK.toMillis(), CHECK.toMillis(),
				TimeUnit.MILLISECONDS);
		this.timer.scheduleWithFixedDelay(this::beat, this.beat.toMillis(), this.beat.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	private void received(String channel, String message) {
		tell((told) -> BusMessages.take(message, told, this.probe));
	}

	/** Calls the listener; messages and answers come on threads of their own. */
	private void tell(Consumer<BusListener> call) {
		synchronized (this.turn) {
			BusListener told = this.listener;
			if (told != null && !this.closed.get()) {
				try {
					call.accept(told);
				}
				catch (RuntimeException ex) {
					LOGGER.log(System.Logger.Level.WARNING, "What other nodes have sent could not be taken", ex);
				}
			}
		}
	}

	/** Messages can be had anew, and may have been missed before. */
	private void subscribed() {
		this.probe.reset();
		this.doubtful.set(true);
		beat();
	}

	private void beat() {
		if (this.closed.get()) {
			return;
		}
		if (this.connections.isConnected() && (this.probe.isDeaf() || this.probe.isUnanswered())) {
			LOGGER.log(System.Logger.Level.WARNING, "Nothing arrives from Redis; the connections are opened anew");
			this.probe.reset();
			this.connections.drop();
			return;
		}
		long askedAt = System.nanoTime();
		long number = this.probe.next();
		beat(this.lease, number).thenAccept((reply) -> {
			this.probe.answered(number);
			this.nodes.heard(reply.subList(1, reply.size()), askedAt);
			if (Long.valueOf(0).equals(reply.get(0))) {
				this.doubtful.set(true);
			}
			joinAgain();
		});
	}

	/** Returns what the script answers: whether this node was known, and who lives. */
	private CompletableFuture<List<Object>> beat(Duration lease, long number) {
		return this.commands.inTime(this.commands.ask(Script.BUS_BEAT, keys(this.names.nodes()), this.node,
				Long.toString(lease.toMillis()), this.names.nodeChannels() + this.node, BusMessages.probe(number)));
	}

	/** What could not be joined is tried again with the next beat. */
	private void joinAgain() {
		if (this.doubtful.getAndSet(false)) {
			this.joined.joinAll().whenComplete((nothing, failure) -> {
				if (failure != null) {
					this.doubtful.set(true);
				}
				tell(BusListener::interrupted);
			});
		}
		else {
			this.joined.refresh(Math.max(1, this.interest.dividedBy(REFRESHED).dividedBy(this.beat)));
		}
	}

	@Override
	public CompletableFuture<@Nullable Void> send(String node, String frame) {
		return this.asking
			.sent(frame.length(),
					() -> this.commands
						.send((server) -> server.publish(this.names.nodeChannels() + node, BusMessages.frame(frame))))
			.thenApply((heard) -> null);
	}

	@Override
	public CompletableFuture<Set<String>> broadcast(String frame) {
		return this.asking
			.asked(frame.length(), Script.BUS_BROADCAST, keys(this.names.nodes()), this.names.allChannel(),
					BusMessages.frame(frame))
			.thenApply(BusReplies::nodes);
	}

	@Override
	public CompletableFuture<@Nullable Position> join(String name) {
		this.joined.add(name);
		return tellJoined(name).thenApply(BusReplies::position);
	}

	private CompletableFuture<String> tellJoined(String name) {
		return this.asking.run(name.length(), Script.BUS_JOIN, ScriptOutputType.VALUE,
				keys(this.names.interest(name), this.names.top(name), this.names.present(name)), this.node,
				Long.toString(this.interest.toMillis()));
	}

	@Override
	public CompletableFuture<Boolean> occupy(String name, int places, int most) {
		return this.asking.asked(name.length(), Script.BUS_OCCUPY,
				keys(this.names.interest(name), this.names.top(name), this.names.present(name), this.names.nodes()),
				this.node, Long.toString(this.interest.toMillis()), Integer.toString(places), Integer.toString(most))
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
		return tellLeft(name).thenApply((removed) -> null);
	}

	private CompletableFuture<Long> tellLeft(String name) {
		return this.asking.sent(name.length(),
				() -> this.commands.send((server) -> server.hdel(this.names.interest(name), this.node)));
	}

	@Override
	public CompletableFuture<Set<String>> route(String name, String frame) {
		return this.asking
			.asked(frame.length(), Script.BUS_ROUTE, keys(this.names.interest(name), this.names.nodes()),
					this.names.nodeChannels(), BusMessages.frame(frame))
			.thenApply(BusReplies::nodes);
	}

	@Override
	public CompletableFuture<Published> publish(Publication publication) {
		return published(Script.BUS_PUBLISH, publication).thenApply(BusReplies::published);
	}

	@Override
	public CompletableFuture<@Nullable Published> enter(String member, Publication arrival) {
		return published(Script.BUS_ENTER, arrival, this.node, member).thenApply(BusReplies::publishedIfAny);
	}

	@Override
	public CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure) {
		return published(Script.BUS_EXIT, departure, node, member, this.node).thenApply(BusReplies::publishedIfAny);
	}

	private CompletableFuture<List<Object>> published(Script script, Publication publication, String... more) {
		String name = publication.name();
		String[] arguments = { publication.messageId(), Integer.toString(publication.limits().size()),
				Long.toString(publication.limits().time().toMillis()), this.names.nodeChannels(),
				BusMessages.head(name), publication.repeated() ? "1" : "0", publication.payload(),
				Long.toString(this.interest.toMillis()) };
		return this.asking.asked(publication.payload().length(), script,
				keys(this.names.history(name), this.names.top(name), this.names.interest(name), this.names.nodes(),
						this.names.present(name)),
				Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new));
	}

	@Override
	public CompletableFuture<Map<String, Set<String>>> present(String name) {
		return this.asking
			.sent(name.length(), () -> this.commands.send((server) -> server.hgetall(this.names.present(name))))
			.thenApply(BusReplies::present);
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
		return this.asking
			.asked(name.length(), Script.BUS_READ, keys(this.names.history(name), this.names.top(name)),
					(known != null) ? known.toString() : "-")
			.thenApply(BusReplies::history);
	}

	@Override
	public CompletableFuture<Boolean> keep(SessionRecord record, Duration time) {
		return this.records.keep(record, time);
	}

	@Override
	public CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim, Duration time) {
		return this.records.claim(claim, time);
	}

	@Override
	public CompletableFuture<@Nullable Void> forget(String key, long incarnation) {
		return this.records.forget(key, incarnation);
	}

	private static String[] keys(String... keys) {
		return keys;
	}

	@Override
	public BusState state() {
		if (this.commands.isUnavailable() || this.probe.isUnanswered()) {
			return BusState.UNAVAILABLE;
		}
		return this.probe.isSilent() ? BusState.SILENT : BusState.UP;
	}

	/** Leaves, if Redis can be told, and closes the connections. */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			beat(Duration.ZERO, this.probe.next());
			this.commands.awaitAnswers();
			this.connections.close();
			this.timer.shutdownNow();
		}
	}

	/** Builder for {@link RedisClusterBus}. */
	public static final class Builder {

		private final RedisClient client;

		private String keyPrefix = "sluice:";

		private Duration timeout = Duration.ofSeconds(2);

		private Duration lease = Duration.ofSeconds(10);

		private Duration beat = Duration.ofSeconds(3);

		private Builder(RedisClient client) {
			this.client = client;
		}

		/**
		 * Sets the prefix of the names of all keys and channels.
		 * @param keyPrefix the prefix, {@code sluice:} unless set
		 * @return this builder
		 * @throws IllegalArgumentException if it contains a brace, as those mark the slot
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = KeyNames.checkPrefix(keyPrefix);
			return this;
		}

		/**
		 * Sets how long an answer may take.
		 * @param timeout the time, two seconds unless set
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Sets how long this node is believed to live when nothing is heard of it.
		 * @param lease the time, ten seconds unless set
		 * @return this builder
		 */
		public Builder lease(Duration lease) {
			this.lease = lease;
			return this;
		}

		/**
		 * Sets how often this node tells that it lives.
		 * @param beat the time between, less than the lease; three seconds unless set
		 * @return this builder
		 */
		public Builder beat(Duration beat) {
			this.beat = beat;
			return this;
		}

		/**
		 * Builds the bus, which opens no connection before it is started.
		 * @return the bus
		 * @throws IllegalArgumentException if the times do not fit together
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
