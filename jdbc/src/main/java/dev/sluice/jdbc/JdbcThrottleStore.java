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
 * Store of limits in PostgreSQL, 13 or newer. All nodes that use one schema share their
 * limits, whose bounds hold over all of them. Each decision is one statement, and the
 * clock is the server's.
 * <p>
 * A call for a permit of a rate or a concurrency limit that is not decided in
 * {@code timeout}, or comes while the database is unavailable, is decided by the
 * {@link FailurePolicy}. Permits of mutexes and semaphores are leases, which the store
 * renews. What a statement granted whose answer was lost stays used, if it is of a rate,
 * and is given back otherwise.
 * <p>
 * The state of a key is rewritten with each decision. So a sliding log may have at most
 * 1,000 permits, and a window at most 1,000 buckets that could be used.
 *
 * @since 0.1.0
 */
public final class JdbcThrottleStore implements ThrottleStore, AutoCloseable {

	/*
	 * One timer thread, which never blocks: it asks the database, whose threads go on
	 * with what comes back.
	 */

	private static final System.Logger LOGGER = System.getLogger(JdbcThrottleStore.class.getName());

	private static final Duration CHECK = Duration.ofMillis(200);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration FLUSH = Duration.ofSeconds(1);

	private static final Duration RENEWAL = Duration.ofMillis(50);

	private static final Duration SWEEP = Duration.ofSeconds(2);

	/** So many statements, of 50 pages each: more than comes with 1,000 keys a second. */
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

	/** Where the next sweep begins. */
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
	 * Starts building a store.
	 * @param dataSource a pool of connections, of which the store uses at most
	 * {@link Builder#poolSize(int) as many as it may} at once; never closed here
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

	/** Removes what is over, page by page, with a part of the table at each call. */
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
	 * Looks at the store as this node sees it.
	 * @return its state
	 */
	public StoreSnapshot snapshot() {
		long[] statistics = this.database.statistics();
		return new StoreSnapshot(this.database.isUnavailable(), this.nodes, FailoverThrottle.closed(this.throttles),
				statistics[0], Duration.ofNanos(statistics[1]), statistics[2], this.decided.admitted(),
				this.decided.rejected());
	}

	/**
	 * Fails all that wait, gives back what this node holds, and ends the threads. Blocks
	 * for no longer than a few statements may take.
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
		abandon();
		this.throttles.values().forEach(FailoverThrottle::failAll);
	}

	/** Ends the threads, and leaves what is held to its lease. */
	void abandon() {
		this.timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		this.notifications.close();
		this.database.close();
		this.timer.shutdown();
	}

	/**
	 * Builder of stores; not safe for use by several threads.
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
		 * Sets the schema that has the tables and functions.
		 * @param schema its name; empty, as by default, for the first one of the search
		 * path that has them
		 * @return this builder
		 */
		public Builder schema(String schema) {
			this.schema = Objects.requireNonNull(schema, "'schema' must not be null");
			return this;
		}

		/**
		 * Sets what a crash of the server may forget of rates.
		 * @param durability {@link Durability#RELAXED} by default
		 * @return this builder
		 */
		public Builder durability(Durability durability) {
			this.durability = Objects.requireNonNull(durability, "'durability' must not be null");
			return this;
		}

		/**
		 * Sets for how long a call waits for a connection and an answer.
		 * @param timeout the time, 500 milliseconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if {@code timeout} is not positive
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = Arguments.positive("timeout", timeout);
			return this;
		}

		/**
		 * Sets for how long a permit of a mutex or semaphore is held when nothing is
		 * heard of its node, and a node keeps its places in line.
		 * @param lease the time, 30 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if {@code lease} is not positive
		 */
		public Builder lease(Duration lease) {
			this.lease = Arguments.positive("lease", lease);
			return this;
		}

		/**
		 * Sets what happens to calls of limits without a policy of their own while the
		 * database is unavailable.
		 * @param failurePolicy {@link FailurePolicy#CLOSED} by default
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Objects.requireNonNull(failurePolicy, "'failurePolicy' must not be null");
			return this;
		}

		/**
		 * Sets whether the store creates the tables and functions that are missing or
		 * old.
		 * @param initializeSchema {@code false} by default: a migration does it
		 * @return this builder
		 */
		public Builder initializeSchema(boolean initializeSchema) {
			this.initializeSchema = initializeSchema;
			return this;
		}

		/**
		 * Sets whether the store keeps a connection that hears at once of what other
		 * nodes have granted. Otherwise a node with calls that wait looks ten times a
		 * second; so it has to be behind a pool that gives connections to transactions,
		 * such as PgBouncer.
		 * @param listen {@code true} by default
		 * @return this builder
		 */
		public Builder listen(boolean listen) {
			this.listen = listen;
			return this;
		}

		/**
		 * Sets how many connections the store uses at most at once, with the one that
		 * listens.
		 * @param poolSize the number, 4 by default
		 * @return this builder
		 */
		public Builder poolSize(int poolSize) {
			this.poolSize = poolSize;
			return this;
		}

		/**
		 * Builds the store, and connects. If the database cannot be used for now, it is
		 * tried again later.
		 * @return the store
		 * @throws JdbcSchemaException if the tables and functions are missing or old, or
		 * of another durability
		 * @throws JdbcAccessException if the database rejects the role, or is none in
		 * which limits can be kept
		 * @throws IllegalArgumentException if no connection is left beside the one that
		 * listens
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
