package dev.sluice.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.sluice.jdbc.database.Database;
import dev.sluice.jdbc.database.Names;
import dev.sluice.jdbc.database.Notifications;
import dev.sluice.jdbc.database.Schema;
import dev.sluice.jdbc.database.StoreUnavailableException;
import dev.sluice.jdbc.throttle.Definition;
import dev.sluice.jdbc.throttle.FailoverCounters;
import dev.sluice.jdbc.throttle.JdbcThrottle;
import dev.sluice.jdbc.throttle.Node;
import dev.sluice.jdbc.throttle.StoredDefinition;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import org.jspecify.annotations.Nullable;

/**
 * Limits that many nodes share, in PostgreSQL 13 or newer. A decision is one statement in
 * autocommit, by the clock of the server, which calls of a node for one key share while
 * one is under way. Nothing is asked of the clocks of the nodes. All statements run on
 * threads of the store, eight at most, each with a connection of the given
 * {@link DataSource} for no longer than the statement; waiting for permits takes none.
 * <p>
 * While the database cannot be asked, or does not answer within the time-out, calls go by
 * the {@link FailurePolicy} of their limit. When half of ten statements have failed it
 * counts as unavailable, and calls go by the policy at once until a probe is answered;
 * five are sent a second.
 * <p>
 * A permit of a mutex or semaphore has a lease, which is renewed for as long as its node
 * lives; {@link dev.sluice.throttle.Permit#onLost} tells should it end. Dynamic windows,
 * and sliding logs of more than 1,000 permits, are rejected when they are defined.
 * {@link LimitOptions#maxKeys}, {@link LimitOptions#atMaxKeys} and
 * {@link LimitOptions#batch} do not matter here.
 *
 * @since 0.1.0
 */
public final class JdbcThrottleStore implements ThrottleStore, AutoCloseable {

	/*
	 * One timer thread, which never blocks: it puts statements to the threads of the
	 * database. Grants to calls in line are rows that are read until this node has
	 * confirmed them, so none is lost with an answer.
	 */

	private static final System.Logger LOGGER = System.getLogger(JdbcThrottleStore.class.getName());

	private static final long POLL = 100;

	private static final long NOTIFICATION = 10;

	private static final int SWEEP = 60_000;

	private final Map<String, JdbcThrottle> throttles = new ConcurrentHashMap<>();

	private final ReentrantLock opening = new ReentrantLock();

	private final ScheduledThreadPoolExecutor timer;

	private final FailoverCounters decided = new FailoverCounters();

	private final Database database;

	private final Node node;

	private final @Nullable Notifications notifications;

	private final AtomicBoolean polling = new AtomicBoolean();

	private final AtomicBoolean pollAgain = new AtomicBoolean();

	private final AtomicBoolean notifying = new AtomicBoolean();

	private final AtomicBoolean probing = new AtomicBoolean();

	private volatile Set<String> confirmed = Set.of();

	private JdbcThrottleStore(Builder builder, String prefix) {
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sluice-jdbc-timer");
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.database = new Database(builder.source, builder.timeout, prefix);
		this.node = new Node(Names.newNode(), this.database, this.timer, builder.lease, builder.failurePolicy,
				this.decided, builder.durability != Durability.FULL,
				builder.durability != null && builder.durability != Durability.FULL, new AtomicInteger(1), this::freed,
				this::poll);
		this.notifications = builder.listen ? new Notifications(builder.source, this::poll) : null;
	}

	/**
	 * Starts building a store.
	 * @param source where connections to PostgreSQL are, best a pool of at least four;
	 * never closed here
	 * @return a builder
	 */
	public static Builder builder(DataSource source) {
		return new Builder(Objects.requireNonNull(source, "'source' must not be null"));
	}

	private void start() {
		beat();
		long beat = Math.max(1, this.node.lease().toMillis() / 3);
		repeat(this::beat, Math.min(beat, 10_000));
		repeat(this::check, 2 * POLL);
		repeat(this::serve, POLL);
		repeat(this::readAll, 5 * POLL);
		repeat(this::flush, 10 * POLL);
		repeat(() -> this.database.run("SELECT %ssluice_sweep()", (row) -> true), SWEEP);
		if (this.notifications != null) {
			this.notifications.start();
		}
	}

	private void repeat(Runnable task, long millis) {
		this.timer.scheduleWithFixedDelay(() -> {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				LOGGER.log(System.Logger.Level.WARNING, "Limits in the database could not be looked after", ex);
			}
		}, millis, millis, TimeUnit.MILLISECONDS);
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		this.opening.lock();
		try {
			JdbcThrottle throttle = this.throttles.get(resource);
			if (throttle == null || throttle.isRemoved() || throttle.limit().isHeld() != limit.isHeld()) {
				throttle = new JdbcThrottle(this.node, resource, new Definition(0, 1, limit, options));
			}
			throttle.announce(limit, options);
			this.throttles.put(resource, throttle);
			return Optional.of(throttle);
		}
		finally {
			this.opening.unlock();
		}
	}

	@Override
	public Optional<StoredThrottle> find(String resource) {
		try {
			return this.database
				.await(this.database.run(
						"SELECT epoch, version, terms, removed FROM %ssluice_limit WHERE resource = ? AND NOT removed",
						StoredDefinition::read, Names.escape(resource)))
				.stream()
				.findFirst()
				.map((stored) -> known(resource, stored));
		}
		catch (StoreUnavailableException ex) {
			LOGGER.log(System.Logger.Level.DEBUG, "The database cannot be asked for a limit", ex);
			return Optional.empty();
		}
	}

	private StoredThrottle known(String resource, StoredDefinition stored) {
		this.opening.lock();
		try {
			JdbcThrottle known = this.throttles.get(resource);
			if (known == null || known.isRemoved()) {
				known = new JdbcThrottle(this.node, resource, stored.parse());
				known.adopt(stored);
				this.throttles.put(resource, known);
			}
			return known;
		}
		finally {
			this.opening.unlock();
		}
	}

	// What goes on beside the calls

	private void beat() {
		long askedAt = System.nanoTime();
		this.database
			.run("SELECT %ssluice_beat(?, ?)", (row) -> row.getInt(1), this.node.name(), this.node.lease().toNanos())
			.thenAccept((nodes) -> this.node.nodes().set(Math.max(1, nodes.get(0))));
		this.throttles.values().forEach((throttle) -> {
			throttle.announceAgain();
			renew(throttle, askedAt);
		});
	}

	private void renew(JdbcThrottle throttle, long askedAt) {
		Set<String> held = throttle.held().ids();
		if (!held.isEmpty()) {
			this.database
				.run("UPDATE %ssluice_hold SET until = %ssluice_now() + lease WHERE id = ANY(?::text[]) "
						+ "AND until > %ssluice_now() RETURNING id", (row) -> row.getString(1), array(held))
				.thenAccept((renewed) -> throttle.held().renewed(held, new HashSet<>(renewed), askedAt));
		}
	}

	private static String array(Set<String> ids) {
		return '{' + String.join(",", ids) + '}';
	}

	/** Asks whether the database is there again, if it was not. */
	private void check() {
		this.throttles.values().forEach((throttle) -> throttle.held().loseOver());
		if (!this.database.isUnavailable() || this.database.isClosed()) {
			return;
		}
		this.throttles.values()
			.stream()
			.filter((throttle) -> throttle.policy() != FailurePolicy.CLOSED)
			.forEach((throttle) -> throttle.waiting().failOverAll());
		if (this.probing.compareAndSet(false, true)) {
			this.database.inTime(this.database.run("SELECT 1", (row) -> true)).whenComplete((rows, failure) -> {
				this.probing.set(false);
				if (failure == null) {
					this.database.available();
					beat();
				}
			});
		}
	}

	private void serve() {
		if (isAnyoneWaiting()) {
			this.throttles.values().forEach((throttle) -> throttle.waiting().serveAll());
			poll();
		}
	}

	private boolean isAnyoneWaiting() {
		return this.throttles.values().stream().anyMatch((throttle) -> !throttle.waiting().isEmpty());
	}

	/** Told that the line of a key may have moved: here, and at other nodes. */
	private void freed() {
		poll();
		if (this.notifications != null && this.notifying.compareAndSet(false, true) && !this.timer.isShutdown()) {
			this.timer.schedule(() -> {
				this.notifying.set(false);
				this.database.run("SELECT pg_notify('sluice', '')", (row) -> true);
			}, NOTIFICATION, TimeUnit.MILLISECONDS);
		}
	}

	/** Reads what calls in line were granted, one statement at a time. */
	private void poll() {
		this.pollAgain.set(true);
		if (isAnyoneWaiting() && this.polling.compareAndSet(false, true)) {
			this.pollAgain.set(false);
			Set<String> read = this.confirmed;
			this.database.run("WITH gone AS (DELETE FROM %ssluice_grant WHERE id = ANY(?::text[])) "
					+ "SELECT id, token, at FROM %ssluice_grant WHERE node = ? AND id <> ALL(?::text[]) ORDER BY at",
					(row) -> new Grant(row.getString(1), row.getLong(2), row.getLong(3)), array(read), this.node.name(),
					array(read))
				.whenComplete((grants, failure) -> {
					if (failure == null) {
						Set<String> delivered = new HashSet<>();
						grants.forEach((grant) -> {
							deliver(grant);
							delivered.add(grant.id());
						});
						this.confirmed = delivered;
					}
					this.polling.set(false);
					if (this.pollAgain.get() && failure == null) {
						poll();
					}
				});
		}
	}

	/**
	 * Permit for a call in line.
	 *
	 * @param id of the call
	 * @param token of the grant
	 * @param at when
	 */
	private record Grant(String id, long token, long at) {
	}

	private void deliver(Grant grant) {
		for (JdbcThrottle throttle : this.throttles.values()) {
			if (throttle.waiting().granted(grant.id(), grant.token(), grant.at())) {
				return;
			}
		}
	}

	private void readAll() {
		if (!this.throttles.isEmpty() && !this.database.isUnavailable()) {
			this.database
				.run("SELECT epoch, version, terms, removed, resource FROM %ssluice_limit",
						(row) -> Map.entry(row.getString(5), StoredDefinition.read(row)))
				.thenAccept((rows) -> rows.forEach((row) -> {
					JdbcThrottle known = this.throttles.get(Names.unescape(row.getKey()));
					if (known != null) {
						known.adopt(row.getValue());
					}
				}));
		}
	}

	private void flush() {
		this.throttles.values().stream().filter(JdbcThrottle::isToFlush).forEach(JdbcThrottle::flush);
	}

	/**
	 * Looks at the store from this node, without asking the database.
	 * @return what is known here
	 */
	public JdbcStoreSnapshot snapshot() {
		List<String> closed = this.throttles.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().policy() == FailurePolicy.CLOSED)
			.map(Map.Entry::getKey)
			.sorted(Comparator.naturalOrder())
			.toList();
		return new JdbcStoreSnapshot(this.database.isUnavailable(), this.node.nodes().get(), closed,
				this.database.answered(), this.database.answerTime(), this.database.failures(), this.decided.admitted(),
				this.decided.rejected());
	}

	/**
	 * Lets no call ask the database any more, rejects those in line here, and waits for
	 * the statements under way, for no longer than the time-out. The limits live on for
	 * the other nodes. What is held here still is free when its lease has ended, of which
	 * nobody is told. Calls that come meanwhile go by the failure policy of their limit.
	 */
	@Override
	public void close() {
		if (this.database.isClosed()) {
			return;
		}
		this.database.refuse();
		this.timer.shutdown();
		if (this.notifications != null) {
			this.notifications.close();
		}
		this.throttles.values().forEach((throttle) -> throttle.waiting().failAbove(0, Decision.Reason.STORE));
		flush();
		this.database.run("DELETE FROM %ssluice_node WHERE name = ?", (row) -> true, this.node.name());
		this.database.close();
	}

	/**
	 * Builder of stores; not safe for use by several threads.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private static final Pattern SCHEMA = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");

		private final DataSource source;

		private @Nullable String schema;

		private @Nullable Durability durability;

		private Duration timeout = Duration.ofSeconds(1);

		private Duration lease = Duration.ofSeconds(30);

		private FailurePolicy failurePolicy = FailurePolicy.CLOSED;

		private boolean listen;

		private boolean initializeSchema;

		private Builder(DataSource source) {
			this.source = source;
		}

		/**
		 * Sets the schema that has the tables and functions. Applications with different
		 * schemas do not meet.
		 * @param schema the name, up to 63 letters, digits, {@code _} and {@code $}; by
		 * default they are found by the search path of the connection
		 * @return this builder
		 * @throws IllegalArgumentException if it is something else
		 */
		public Builder schema(String schema) {
			if (!SCHEMA.matcher(schema).matches()) {
				throw new IllegalArgumentException("'schema' must be up to 63 letters, digits, '_' and '$': " + schema);
			}
			this.schema = schema;
			return this;
		}

		/**
		 * Sets what a crash of the server may forget.
		 * @param durability the choice; {@link Durability#RELAXED} for rates and
		 * {@link Durability#FULL} for held permits by default
		 * @return this builder
		 */
		public Builder durability(Durability durability) {
			this.durability = Objects.requireNonNull(durability, "'durability' must not be null");
			return this;
		}

		/**
		 * Sets how long the database may take to answer, a connection included. One that
		 * is slower counts as one that is unavailable.
		 * @param timeout the time, 1 second by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = positive("timeout", timeout);
			return this;
		}

		/**
		 * Sets what happens to calls while the database is unavailable, where the options
		 * of their limit do not say.
		 * @param failurePolicy the policy, {@link FailurePolicy#CLOSED} by default
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Objects.requireNonNull(failurePolicy, "'failurePolicy' must not be null");
			return this;
		}

		/**
		 * Sets for how long a node counts as alive of which nothing is heard. Nodes are
		 * heard of three times as often. After that, what was held there is free, and
		 * those who waited there leave the line.
		 * @param lease the time, 30 seconds by default
		 * @return this builder
		 * @throws IllegalArgumentException if it is not positive
		 */
		public Builder lease(Duration lease) {
			this.lease = positive("lease", lease);
			return this;
		}

		/**
		 * Sets how many permits of a rate a node may acquire at once. In PostgreSQL none
		 * are taken ahead of calls, which is exact.
		 * @param batch the most, which can only be 1
		 * @return this builder
		 * @throws IllegalArgumentException if it is not 1
		 */
		public Builder batch(int batch) {
			if (batch != 1) {
				throw new IllegalArgumentException("'batch' must be 1 in PostgreSQL: " + batch);
			}
			return this;
		}

		/**
		 * Sets whether a node is told of grants by other nodes at once, and not by asking
		 * ten times a second alone. That takes a connection of its own for as long as the
		 * store is open, which PgBouncer must not share out by transactions.
		 * @param listen whether to listen, {@code false} by default
		 * @return this builder
		 */
		public Builder listen(boolean listen) {
			this.listen = listen;
			return this;
		}

		/**
		 * Sets whether the tables and functions are created when the store is built, by
		 * the script {@code dev/sluice/jdbc/schema-postgresql.sql}.
		 * @param initializeSchema whether to create them, {@code false} by default
		 * @return this builder
		 */
		public Builder initializeSchema(boolean initializeSchema) {
			this.initializeSchema = initializeSchema;
			return this;
		}

		private static Duration positive(String name, Duration time) {
			if (time.isNegative() || time.isZero()) {
				throw new IllegalArgumentException("'" + name + "' must be greater than 0: " + time);
			}
			return time;
		}

		/**
		 * Builds the store. If the database cannot be reached and nothing is to be
		 * created there, that is logged, and tried again until it can.
		 * @return the store
		 * @throws JdbcSchemaException if tables and functions are missing or of another
		 * version, or cannot be created
		 */
		public JdbcThrottleStore build() {
			Schema tables = new Schema(this.source, this.schema);
			if (this.initializeSchema) {
				create(tables);
			}
			check(tables);
			JdbcThrottleStore store = new JdbcThrottleStore(this, tables.prefix());
			store.start();
			return store;
		}

		private void create(Schema tables) {
			try {
				tables.create(Schema.read(JdbcThrottleStore.class, "schema-postgresql.sql"),
						this.durability == Durability.UNLOGGED);
			}
			catch (SQLException ex) {
				throw new JdbcSchemaException("The tables and functions of Sluice cannot be created; run "
						+ "dev/sluice/jdbc/schema-postgresql.sql as a user who may, and set 'initializeSchema' to false",
						ex);
			}
		}

		private static void check(Schema tables) {
			int version;
			try {
				version = tables.version();
			}
			catch (SQLException ex) {
				if (ex.getSQLState() != null && ex.getSQLState().startsWith("42")) {
					throw new JdbcSchemaException("The tables and functions of Sluice are missing; run "
							+ "dev/sluice/jdbc/schema-postgresql.sql, or set 'initializeSchema' to true", ex);
				}
				LOGGER.log(System.Logger.Level.WARNING, "The database of limits cannot be reached", ex);
				return;
			}
			if (version < Schema.VERSION) {
				throw new JdbcSchemaException("The functions of Sluice are of version " + version + ", not "
						+ Schema.VERSION + "; run dev/sluice/jdbc/schema-postgresql.sql again");
			}
		}

	}

}
