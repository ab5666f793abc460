package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.StoreUnavailableException;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.store.StoredThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Limit in the database, which decides on each call by one statement.
 */
public final class JdbcThrottle implements StoredThrottle {

	/*
	 * The definition is the database's, which decides by its own: this is a copy of what
	 * was last heard. While it is not "announced", the database has not heard of it from
	 * here, and what this node was told holds.
	 *
	 * Attacked by JdbcContractTests and JdbcFaultTests.
	 */

	/** When to retry what the database has not decided. */
	public static final Duration RETRY = Duration.ofSeconds(1);

	private final JdbcNode node;

	private final String resource;

	private final byte[] resourceBytes;

	private final ThrottleCounts counts = new ThrottleCounts();

	private final TakeGroups groups = new TakeGroups(this);

	private final WaitingCalls calls;

	private final Inspection inspection = new Inspection(this);

	private volatile Definition definition;

	private volatile boolean announced;

	private volatile boolean removed;

	private JdbcThrottle(JdbcNode node, String resource, Definition definition) {
		this.node = node;
		this.resource = resource;
		this.resourceBytes = Text.encode(resource);
		this.definition = definition;
		this.calls = new WaitingCalls(node, this);
	}

	/**
	 * Opens a limit; if the database cannot be asked, that is done later.
	 * @param node this node
	 * @param resource its name
	 * @param limit what it grants
	 * @param options the options beside it
	 * @return the limit
	 * @throws IllegalArgumentException if the database has the name as another kind, or
	 * would have too much to keep
	 */
	public static JdbcThrottle open(JdbcNode node, String resource, Limit limit, LimitOptions options) {
		Definition.requireSmall(limit);
		JdbcThrottle throttle = new JdbcThrottle(node, resource, new Definition(0, limit, options));
		if (!node.database().isUnavailable()) {
			throttle.announce();
		}
		return throttle;
	}

	/**
	 * Finds a limit that the database has.
	 * @param node this node
	 * @param resource its name
	 * @return the limit, if there is one, and the database can be asked
	 */
	public static Optional<JdbcThrottle> find(JdbcNode node, String resource) {
		Database database = node.database();
		return database
			.await(database.rows(resource, (row) -> Definition.parse(row.getLong(2), row.getString(3)),
					"sluice_find(?)", Text.encode(resource)))
			.stream()
			.findFirst()
			.map((definition) -> {
				JdbcThrottle throttle = new JdbcThrottle(node, resource, definition);
				throttle.announced = true;
				return throttle;
			});
	}

	JdbcNode node() {
		return this.node;
	}

	/**
	 * Returns the name.
	 * @return the resource
	 */
	public String resource() {
		return this.resource;
	}

	byte[] resourceBytes() {
		return this.resourceBytes;
	}

	/**
	 * Returns what this node has decided.
	 * @return the counts
	 */
	public ThrottleCounts counts() {
		return this.counts;
	}

	Definition definition() {
		return this.definition;
	}

	Duration lease() {
		return this.definition.lease(this.node.lease());
	}

	/**
	 * Returns whether calls are not to be put to the database now.
	 * @return whether it cannot be asked
	 */
	public boolean isUnavailable() {
		return this.node.database().isUnavailable();
	}

	@Override
	public Limit limit() {
		return this.definition.limit();
	}

	@Override
	public LimitOptions options() {
		return this.definition.options();
	}

	@Override
	public boolean isRemoved() {
		return this.removed;
	}

	/** Requires that the limit was not removed, as far as this node knows. */
	public void requireDefined() {
		if (this.removed) {
			throw new IllegalStateException("Throttle '" + this.resource + "' was removed");
		}
	}

	/** Asks a function of which the first two parameters are this limit and a key. */
	<T> CompletableFuture<T> ask(String key, Database.RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return this.node.database().row(List.of(this.resource, key), reader, function, prepended(key, arguments));
	}

	private @Nullable Object[] prepended(String key, @Nullable Object... arguments) {
		@Nullable Object[] all = new @Nullable Object[arguments.length + 2];
		all[0] = this.resourceBytes;
		all[1] = Text.encode(key);
		System.arraycopy(arguments, 0, all, 2, arguments.length);
		return all;
	}

	/**
	 * Gives back what an entry has or waits for, at once if it is known to have
	 * something.
	 */
	CompletableFuture<List<String>> leave(String key, long entry, boolean held) {
		Object lane = List.of(this.resource, key);
		@Nullable Object[] arguments = prepended(key, this.node.name(), entry);
		Database database = this.node.database();
		String function = "sluice_leave(?, ?, ?, ?)";
		return held ? database.urgentRow(lane, Replies::wake, function, arguments)
				: database.row(lane, Replies::wake, function, arguments);
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		Database.requireMayBlock();
		try {
			return decide(request).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof StoreUnavailableException) {
				return Decision.rejected(Decision.Reason.STORE, this.resource, request.key(), RETRY);
			}
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	CompletableFuture<Decision> decide(AcquireRequest request) {
		if (!limit().isHeld()) {
			return this.groups.take(request)
				.thenApply((answer) -> decided(request, answer.version(), answer.reason(), answer.delay(),
						new RatePermit(answer.seen())));
		}
		long entry = this.node.nextEntry();
		long since = System.nanoTime();
		return this.calls.enter(request, entry, 0).thenApply((answer) -> {
			Permit permit = this.calls.held(request, answer, entry, since);
			return decided(request, answer.version(), answer.reason(), -1, permit);
		});
	}

	private Decision decided(AcquireRequest request, long version, int reason, long wait, Permit permit) {
		hear(version);
		if (version == 0) {
			throw new IllegalStateException("Throttle '" + this.resource + "' was removed");
		}
		if (reason == 0) {
			this.counts.admitted(request.permits());
			return Decision.admitted(permit);
		}
		return rejected(request, (reason == 1) ? Decision.Reason.LIMIT : Decision.Reason.LINE, wait);
	}

	Decision rejected(AcquireRequest request, Decision.Reason reason, long wait) {
		this.counts.rejected(request.key());
		return Decision.rejected(reason, this.resource, request.key(),
				(wait < 0) ? null : Duration.ofNanos(wait * 1000));
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		if (permit instanceof RatePermit spent) {
			this.counts.admitted(-request.permits());
			ask(request.key(), Replies::wake, "sluice_refund(?, ?, ?, ?)", (long) request.permits(), spent.at())
				.thenAccept(this.node::wake);
		}
		else {
			permit.close();
		}
	}

	void exit(HeldPermit permit) {
		this.node.holdings().remove(permit);
		this.node.holdings().leave(this, permit.key(), permit.entry(), true);
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		return this.calls.acquire(request);
	}

	WaitingCalls calls() {
		return this.calls;
	}

	void serve(String key) {
		ask(key, Replies::wake, "sluice_serve(?, ?)").thenAccept(this.node::wake);
	}

	/** Fails all that wait, such that they are decided without the database. */
	public void leaveLine() {
		this.node.lines().of(this).forEach((waiter) -> waiter.completeExceptionally(this.calls.unavailable(waiter)));
	}

	/** Fails all that wait, as the limit or the store ends. */
	public void failAll() {
		this.node.lines().of(this).forEach((waiter) -> this.calls.reject(waiter, Decision.Reason.LIMIT, -1));
	}

	// The definition

	void hear(long version) {
		if (version == 0) {
			beRemoved();
		}
		else if (version != this.definition.version()) {
			this.node.database()
				.rows(this, (row) -> Definition.parse(row.getLong(2), row.getString(3)), "sluice_find(?)",
						this.resourceBytes)
				.thenAccept((found) -> found.forEach(this::adopt));
		}
	}

	/**
	 * Hears of a definition.
	 * @param version its version; 0 if there is none
	 * @param terms its terms
	 */
	public void heard(long version, String terms) {
		if (version == 0) {
			if (this.announced) {
				beRemoved();
			}
		}
		else if (this.announced && version > this.definition.version()) {
			adopt(Definition.parse(version, terms));
		}
	}

	private void adopt(Definition now) {
		if (now.limit().isHeld() != limit().isHeld()) {
			beRemoved();
		}
		else if (now.version() > this.definition.version()) {
			this.definition = now;
		}
	}

	private void beRemoved() {
		this.removed = true;
		failAll();
	}

	/**
	 * Defines the limit in the database if it has not heard of it; blocks.
	 * @throws IllegalArgumentException if it has the name as another kind
	 */
	public void announce() {
		if (this.announced) {
			return;
		}
		try {
			announced(this.node.database().await(define("open", this.definition)));
		}
		catch (StoreUnavailableException ex) {
			// later, with the next check
		}
	}

	/** Defines the limit in the database if it has not heard of it. */
	public void announceAgain() {
		if (!this.announced) {
			define("open", this.definition).thenAccept(this::announced);
		}
	}

	private void announced(Definition there) {
		if (there.limit().isHeld() != limit().isHeld()) {
			this.removed = true;
			throw new IllegalArgumentException("Throttle '" + this.resource + "' is a " + there.limit().type()
					+ " in the database, and cannot be a " + limit().type() + "; remove it there first");
		}
		this.definition = there;
		this.announced = true;
		serveAll();
	}

	private CompletableFuture<Definition> define(String operation, Definition wanted) {
		return this.node.database().row(List.of(this.resource, ""), (row) -> {
			long version = row.getLong(1);
			return (version == 0) ? new Definition(0, wanted.limit(), wanted.options())
					: Definition.parse(version, row.getString(2));
		}, "sluice_define(?, ?, ?, ?, ?)", operation, this.resourceBytes, wanted.terms(), wanted.kind(),
				wanted.numbers(this.node.lease()));
	}

	@Override
	public boolean change(Limit limit, LimitOptions options) {
		if (this.removed) {
			return false;
		}
		Definition.requireSmall(limit);
		Definition wanted = new Definition(0, limit, options);
		if (this.isUnavailable() && wanted.terms().equals(this.definition.terms())) {
			return true;
		}
		Definition there = this.node.database().await(define("change", wanted));
		if (there.version() == 0) {
			beRemoved();
			return false;
		}
		boolean changed = there.version() > this.definition.version();
		adopt(there);
		if (changed) {
			serveAll();
		}
		return !this.removed;
	}

	private void serveAll() {
		this.node.database()
			.rows(List.of(this.resource, ""), (row) -> Text.decode(row.getBytes(1)), "sluice_waiting(?)",
					this.resourceBytes)
			.thenAccept((keys) -> keys.forEach(this::serve));
	}

	@Override
	public void remove() {
		requireDefined();
		Database database = this.node.database();
		boolean done = database.await(database.row(List.of(this.resource, ""), (row) -> row.getBoolean(1),
				"sluice_remove(?)", this.resourceBytes));
		if (!done) {
			throw new IllegalStateException("Permits of '" + this.resource + "' are held");
		}
		beRemoved();
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		Replies.Done answer = this.node.database()
			.await(ask(key, Replies.Done::read, "sluice_exit(?, ?, ?, ?, ?)", Text.encode(owner), null, 0L));
		this.node.wake(answer.wake());
		return answer.done();
	}

	@Override
	public boolean forget(String key) {
		Replies.Done answer = this.node.database().await(ask(key, Replies.Done::read, "sluice_forget(?, ?)"));
		this.node.wake(answer.wake());
		return answer.done();
	}

	@Override
	public KeyState state(String key) {
		return this.inspection.state(key);
	}

	@Override
	public ThrottleSnapshot snapshot(int top) {
		return this.inspection.snapshot(top);
	}

	/** Tells the database what this node has counted. */
	public void flushCounts() {
		if (!this.removed && !this.counts.isEmpty()) {
			this.inspection.total();
		}
	}

}
