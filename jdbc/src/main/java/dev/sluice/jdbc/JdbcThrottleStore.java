package dev.sluice.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

import dev.sluice.internal.Arguments;
import dev.sluice.jdbc.connection.AvailabilityLog;
import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Notifications;
import dev.sluice.jdbc.connection.Preparation;
import dev.sluice.jdbc.connection.SqlStates;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.jdbc.connection.UnusableDatabaseException;
import dev.sluice.jdbc.throttle.JdbcNode;
import dev.sluice.jdbc.throttle.JdbcThrottle;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.failover.AvailabilityProbe;
import dev.sluice.throttle.internal.failover.Confirmation;
import dev.sluice.throttle.internal.failover.FailoverCounters;
import dev.sluice.throttle.internal.failover.FailoverThrottle;
import dev.sluice.throttle.internal.failover.StoreTimer;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import dev.sluice.throttle.store.StoreSnapshot;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;

/**
 * Store of limits in PostgreSQL 13 or newer. All nodes that use one schema share their
 * limits, and each bound holds over all nodes. Each decision is one statement and uses
 * the clock of the server.
 * <p>
 * The {@link FailurePolicy} decides a call for a permit of a rate or a concurrency limit
 * if the database does not decide it within {@code timeout}, or if the database is
 * unavailable. Permits of mutexes and semaphores are leases, which the store renews. If
 * the answer to a statement is lost, permits of a rate that the statement granted stay
 * used, and other permits are released.
 * <p>
 * Each decision rewrites the state of its key. A sliding log is therefore limited to
 * 1,000 permits, and a window to 1,000 usable buckets.
 *
 * @since 0.1.0
 */
public final class JdbcThrottleStore implements ThrottleStore, AutoCloseable {

	/*
	 * The store has one timer thread, which never blocks. The timer requests statements,
	 * and the threads of the database process their results. "throttles" changes under
	 * "opening". "page" is written by the sweep, without order: sweeps that overlap read
	 * pages twice. Attacked by JdbcFaultTests and JdbcStartTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(JdbcThrottleStore.class.getName());

	private static final Duration CHECK = Duration.ofMillis(200);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration FLUSH = Duration.ofSeconds(1);

	private static final Duration RENEWAL = Duration.ofMillis(50);

	private static final Duration SWEEP = Duration.ofSeconds(2);

	/**
	 * Number of statements per sweep. Each statement reads 50 pages; together they read
	 * more pages than 1,000 new keys a second fill.
	 */
	private static final int SWEEP_STEPS = 40;

	private final Map<String, FailoverThrottle<JdbcThrottle>> throttles = new ConcurrentHashMap<>();

	private final ReentrantLock opening = new ReentrantLock();

	private final AtomicBoolean closing = new AtomicBoolean();

	private final StoreTimer timer = new StoreTimer("sluice-jdbc-timer");

	private final Builder builder;

	private final FailoverCounters decided = new FailoverCounters();

	private final Database database;

	private final Notifications notifications;

	private final JdbcNode node;

	private final AvailabilityProbe probe;

	private final Preparation preparation;

	private final AvailabilityLog log = new AvailabilityLog();

	private volatile int nodes = 1;

	/** Page at which the next sweep begins. */
	private volatile long page;

	private JdbcThrottleStore(Builder builder) {
		this.builder = builder;
		this.database = new Database(builder.dataSource, builder.schema, builder.timeout,
				builder.listen ? builder.poolSize - 1 : builder.poolSize, this.timer);
		this.notifications = new Notifications(builder.dataSource, this.database, this.timer);
		this.node = new JdbcNode(this.database, this.timer, this.notifications, builder.lease,
				builder.durability != Durability.FULL);
		this.preparation = new Preparation(this.database, builder.schema, builder.initializeSchema,
				builder.durability != Durability.UNLOGGED);
		this.probe = new AvailabilityProbe(this.database::isUnavailable, this::probe, this::whileUnavailable,
				this::whenBack);
	}

	/**
	 * Creates a builder of a store.
	 * @param dataSource the pool of connections, which the store never closes; the store
	 * uses at most {@link Builder#poolSize(int) this number} of them at once
	 * @return a builder
	 */
	public static Builder builder(DataSource dataSource) {
		return new Builder(dataSource);
	}

	private void start() {
		try {
			this.preparation.start(this.builder.dataSource, this.node.name());
		}
		catch (SQLException ex) {
			String problem = SqlStates.permanentProblem(ex);
			if (problem != null) {
				abandon();
				boolean schema = ex instanceof UnusableDatabaseException unusable && unusable.isSchema();
				throw schema ? new JdbcSchemaException(problem) : new JdbcAccessException(problem, ex);
			}
			this.database.unavailable(ex);
		}
		this.node.holdings().renew();
		if (this.builder.listen) {
			this.node.listen();
		}
		this.timer.repeat(this::check, CHECK);
		this.timer.repeat(this.node.lines()::pickInTime, POLL);
		this.timer.repeat(this::whileAvailable, FLUSH);
		this.timer.repeat(this.node.holdings()::renewInTime, RENEWAL);
		this.timer.repeat(() -> sweep(SWEEP_STEPS), SWEEP);
	}

	private void check() {
		this.log.check(this.database.failure());
		this.probe.check();
		if (!this.database.isUnavailable()) {
			this.node.releases().retry();
		}
	}

	private CompletableFuture<?> probe() {
		return this.database.probe((connection) -> {
			this.preparation.run(connection, this.node.name());
			return true;
		});
	}

	private void whileUnavailable() {
		this.throttles.values().forEach(FailoverThrottle::whileUnavailable);
	}

	private void whenBack() {
		this.node.holdings().renew();
		this.node.releases().retryAll();
		this.node.lines().pickInTime();
		whileAvailable();
		this.throttles.values().forEach(FailoverThrottle::whenBack);
	}

	private void whileAvailable() {
		if (this.database.isUnavailable()) {
			return;
		}
		this.throttles.values().forEach((throttle) -> {
			throttle.stored().announceAgain();
			throttle.stored().flushCounts();
		});
		this.node.lines().checkPlaces();
		this.database.row("nodes", (row) -> row.getInt(1), "sluice_nodes()")
			.thenAccept((number) -> this.nodes = Math.max(1, number));
		if (this.throttles.isEmpty()) {
			return;
		}
		Map<String, FailoverThrottle<JdbcThrottle>> asked = Map.copyOf(this.throttles);
		record Found(String resource, long version, String terms) {
		}
		this.database
			.rows("definitions", (row) -> new Found(Text.decode(row.getBytes(1)), row.getLong(2), row.getString(3)),
					"sluice_find(?)", (Object) null)
			.thenAccept((rows) -> {
				Map<String, Found> found = new ConcurrentHashMap<>();
				rows.forEach((row) -> found.put(row.resource(), row));
				asked.forEach((resource, throttle) -> {
					Found there = found.get(resource);
					throttle.stored()
						.heard((there != null) ? there.version() : 0, (there != null) ? there.terms() : "");
				});
			});
	}

	/** Removes expired rows; each call reads one range of pages. */
	private void sweep(int steps) {
		if (steps > 0 && !this.database.isUnavailable()) {
			this.database.row("sweep", (row) -> row.getLong(1), "sluice_sweep(?)", this.page).thenAccept((next) -> {
				this.page = next;
				sweep((next == 0) ? 0 : steps - 1);
			});
		}
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		this.opening.lock();
		try {
			FailoverThrottle<JdbcThrottle> throttle = throttle(JdbcThrottle.open(this.node, resource, limit, options));
			this.throttles.put(resource, throttle);
			return Optional.of(throttle);
		}
		finally {
			this.opening.unlock();
		}
	}

	@Override
	public Optional<StoredThrottle> find(String resource) {
		this.opening.lock();
		try {
			FailoverThrottle<JdbcThrottle> known = this.throttles.get(resource);
			if (known != null && !known.isRemoved()) {
				return Optional.of(known);
			}
			Optional<JdbcThrottle> found = JdbcThrottle.find(this.node, resource);
			found.ifPresent((throttle) -> this.throttles.put(resource, throttle(throttle)));
			return found.map((throttle) -> this.throttles.get(resource));
		}
		catch (StoreUnavailableException ex) {
			LOGGER.log(System.Logger.Level.DEBUG, "PostgreSQL cannot be asked for a limit", ex);
			return Optional.empty();
		}
		finally {
			this.opening.unlock();
		}
	}

	private FailoverThrottle<JdbcThrottle> throttle(JdbcThrottle stored) {
		return new FailoverThrottle<>(stored, this.builder.failurePolicy, () -> this.nodes, Confirmation.NONE,
				this.decided);
	}

	/**
	 * Returns the state of the store as observed by this node.
	 * @return the snapshot
	 */
	public StoreSnapshot snapshot() {
		long[] statistics = this.database.statistics();
		return new StoreSnapshot(this.database.isUnavailable(), this.nodes, FailoverThrottle.closed(this.throttles),
				statistics[0], Duration.ofNanos(statistics[1]), statistics[2], this.decided.admitted(),
				this.decided.rejected());
	}

	/**
	 * Fails all waiting calls, releases the permits of this node, and stops the threads.
	 * Blocks for at most the time of a few statements.
	 */
	@Override
	public void close() {
		if (!this.closing.compareAndSet(false, true)) {
			return;
		}
		this.throttles.values().forEach((throttle) -> {
			throttle.stored().flushCounts();
			throttle.failAll();
		});
		this.node.holdings().leaveAll();
		this.node.releases().awaitSent();
		this.node.holdings().end();
		abandon();
		this.throttles.values().forEach(FailoverThrottle::failAll);
	}

	/** Stops the threads without releasing permits; their leases expire. */
	void abandon() {
		this.timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		this.notifications.close();
		this.database.close();
		this.timer.shutdown();
	}

	/**
	 * Builder of stores. This class is not thread-safe.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final DataSource dataSource;

		private String schema = "";

		private Durability durability = Durability.RELAXED;

		private Duration timeout = Duration.ofMillis(500);

		private Duration lease = Duration.ofSeconds(30);

		private FailurePolicy failurePolicy = FailurePolicy.CLOSED;

		private boolean initializeSchema;

		private boolean listen = true;

		private int poolSize = 4;

		private Builder(DataSource dataSource) {
			this.dataSource = Objects.requireNonNull(dataSource, "'dataSource' must not be null");
		}

		/**
		 * Sets the schema that contains the tables and functions.
		 * @param schema the name of the schema; if empty, as by default, the first schema
		 * of the search path that contains them
		 * @return this builder
		 */
		public Builder schema(String schema) {
			this.schema = Objects.requireNonNull(schema, "'schema' must not be null");
			return this;
		}

		/**
		 * Sets the durability of rate limits across a crash of the server.
		 * @param durability {@link Durability#RELAXED} by default
		 * @return this builder
		 */
		public Builder durability(Durability durability) {
			this.durability = Objects.requireNonNull(durability, "'durability' must not be null");
			return this;
		}

		/**
		 * Sets the maximum time for which a call waits for a connection and an answer.
		 * @param timeout the time, 500 milliseconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if {@code timeout} is not positive
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = Arguments.positive("timeout", timeout);
			return this;
		}

		/**
		 * Sets the time after which the permits of mutexes and semaphores and the places
		 * in line of a node expire unless the node renews them.
		 * @param lease the time, 30 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if {@code lease} is not positive
		 */
		public Builder lease(Duration lease) {
			this.lease = Arguments.positive("lease", lease);
			return this;
		}

		/**
		 * Sets the policy that applies while the database is unavailable to calls of
		 * limits without a policy of their own.
		 * @param failurePolicy {@link FailurePolicy#CLOSED} by default
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Objects.requireNonNull(failurePolicy, "'failurePolicy' must not be null");
			return this;
		}

		/**
		 * Sets whether the store creates tables and functions that are missing or old.
		 * @param initializeSchema {@code false} by default: a migration creates them
		 * @return this builder
		 */
		public Builder initializeSchema(boolean initializeSchema) {
			this.initializeSchema = initializeSchema;
			return this;
		}

		/**
		 * Sets whether the store keeps a connection that listens for grants by other
		 * nodes. Otherwise, a node with waiting calls polls ten times a second. Disable
		 * listening if a pool such as PgBouncer assigns connections to transactions.
		 * @param listen {@code true} by default
		 * @return this builder
		 */
		public Builder listen(boolean listen) {
			this.listen = listen;
			return this;
		}

		/**
		 * Sets the maximum number of connections that the store uses at once, including
		 * the connection that listens.
		 * @param poolSize the number, 4 by default
		 * @return this builder
		 */
		public Builder poolSize(int poolSize) {
			this.poolSize = poolSize;
			return this;
		}

		/**
		 * Builds the store and connects to the database. If the database is temporarily
		 * unavailable, the store retries later.
		 * @return the store
		 * @throws JdbcSchemaException if the tables and functions are missing or old, or
		 * have another durability
		 * @throws JdbcAccessException if the database rejects the role, or does not
		 * support limits
		 * @throws IllegalArgumentException if the pool has no connection in addition to
		 * the one that listens
		 */
		public JdbcThrottleStore build() {
			if (this.poolSize < (this.listen ? 2 : 1)) {
				throw new IllegalArgumentException("'poolSize' must be at least "
						+ (this.listen ? "2, as one connection listens: " : "1: ") + this.poolSize);
			}
			JdbcThrottleStore store = new JdbcThrottleStore(this);
			store.start();
			return store;
		}

	}

}
