package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.internal.failover.NodeCounts;
import dev.sluice.throttle.internal.failover.RatePermit;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Limit in the database. One statement decides on each call.
 */
public final class JdbcThrottle implements JdbcLimit {

	/*
	 * The database decides by the definition that it stores. "definition" is the copy
	 * that this node received last. While "announced" is false, this node has not yet
	 * defined the limit in the database, and the definition set on this node applies.
	 *
	 * Attacked by JdbcContractTests and JdbcFaultTests.
	 */

	private final JdbcNode node;

	private final String resource;

	private final LimitStatements statements;

	private final NodeCounts counts = new NodeCounts();

	private final TakeGroups groups;

	private final WaitingCalls calls;

	private final Inspection inspection;

	private volatile VersionedLimit definition;

	private volatile boolean announced;

	private volatile boolean removed;

	private JdbcThrottle(JdbcNode node, String resource, VersionedLimit definition) {
		this.node = node;
		this.resource = resource;
		this.definition = definition;
		this.statements = new LimitStatements(node.database(), resource);
		this.groups = new TakeGroups(this.statements, () -> this.definition, node.isRelaxed());
		this.inspection = new Inspection(this.statements, this.counts);
		this.calls = new WaitingCalls(node, this);
	}

	/**
	 * Opens a limit. If the database is unavailable, the limit is defined there later.
	 * @param node this node
	 * @param resource the name of the limit
	 * @param limit the limit to open
	 * @param options the options of the limit
	 * @return the limit
	 * @throws IllegalArgumentException if the database stores a limit of another kind
	 * under this name, or if the state of a key would be too large
	 */
	public static JdbcThrottle open(JdbcNode node, String resource, Limit limit, LimitOptions options) {
		VersionedLimit.requireSupported(limit, options);
		JdbcThrottle throttle = new JdbcThrottle(node, resource, new VersionedLimit(0, limit, options));
		if (!node.database().isUnavailable()) {
			throttle.announce();
		}
		return throttle;
	}

	/**
	 * Finds a limit that the database stores.
	 * @param node this node
	 * @param resource the name of the limit
	 * @return the limit, or empty if the database stores none with this name
	 * @throws StoreUnavailableException if the database is unavailable
	 */
	public static Optional<JdbcThrottle> find(JdbcNode node, String resource) {
		Database database = node.database();
		return database
			.await(database.rows(resource, (row) -> VersionedLimit.parse(row.getLong(2), row.getString(3)),
					"sluice_find(?)", Text.encode(resource)))
			.stream()
			.findFirst()
			.map((definition) -> {
				JdbcThrottle throttle = new JdbcThrottle(node, resource, definition);
				throttle.announced = true;
				return throttle;
			});
	}

	@Override
	public String resource() {
		return this.resource;
	}

	@Override
	public LimitStatements statements() {
		return this.statements;
	}

	@Override
	public NodeCounts counts() {
		return this.counts;
	}

	@Override
	public Duration lease() {
		return this.definition.lease(this.node.lease());
	}

	@Override
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

	@Override
	public void requireDefined() {
		if (this.removed) {
			throw new IllegalStateException("Throttle '" + this.resource + "' was removed");
		}
	}

	@Override
	public void requireMayBlock() {
		Database.requireMayBlock();
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		requireMayBlock();
		try {
			return decide(request).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof StoreUnavailableException) {
				return unavailable(request.key());
			}
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private CompletableFuture<Decision> decide(AcquireRequest request) {
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

	@Override
	public Decision rejected(AcquireRequest request, Decision.Reason reason, long wait) {
		this.counts.rejected(request.key());
		return Decision.rejected(reason, this.resource, request.key(),
				(wait < 0) ? null : Duration.ofNanos(wait * 1000));
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		if (permit instanceof RatePermit spent) {
			this.counts.admitted(-request.permits());
			this.statements
				.ask(request.key(), Replies::wake, "sluice_refund(?, ?, ?, ?)", (long) request.permits(),
						spent.takenAt())
				.thenAccept(this.node::wake);
		}
		else {
			permit.close();
		}
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		if (!request.maxWait().isZero()) {
			return this.calls.acquire(request);
		}
		CompletableFuture<Permit> call = new CompletableFuture<>();
		decide(request).whenComplete((decision, failure) -> {
			if (failure != null) {
				call.completeExceptionally(reason(request, failure));
			}
			else {
				answer(call, request, decision);
			}
		});
		return call;
	}

	@Override
	public void leaveLine() {
		this.calls.leaveLine();
	}

	@Override
	public void failAll() {
		this.calls.failAll();
	}

	// The definition

	@Override
	public void hear(long version) {
		if (version == 0) {
			beRemoved();
		}
		else if (version != this.definition.version()) {
			this.node.database()
				.rows(this, (row) -> VersionedLimit.parse(row.getLong(2), row.getString(3)), "sluice_find(?)",
						this.statements.resourceBytes())
				.thenAccept((found) -> found.forEach(this::adopt));
		}
	}

	/**
	 * Receives the definition that the database stores.
	 * @param version the version of the definition; 0 if the database stores none
	 * @param terms the terms of the definition
	 */
	public void heard(long version, String terms) {
		if (version == 0) {
			if (this.announced) {
				beRemoved();
			}
		}
		else if (this.announced && version > this.definition.version()) {
			adopt(VersionedLimit.parse(version, terms));
		}
	}

	private void adopt(VersionedLimit now) {
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
	 * Defines the limit in the database if this node has not done so yet; blocks.
	 * @throws IllegalArgumentException if the database stores a limit of another kind
	 * under this name
	 */
	public void announce() {
		if (this.announced) {
			return;
		}
		try {
			announced(this.node.database().await(define("open", this.definition)));
		}
		catch (StoreUnavailableException ex) {
			// the next check defines the limit
		}
	}

	/** Defines the limit in the database if this node has not done so yet. */
	public void announceAgain() {
		if (!this.announced) {
			define("open", this.definition).thenAccept(this::announced);
		}
	}

	private void announced(VersionedLimit there) {
		if (there.limit().isHeld() != limit().isHeld()) {
			this.removed = true;
			throw new IllegalArgumentException("Throttle '" + this.resource + "' is a " + there.limit().type()
					+ " in the database, and cannot be a " + limit().type() + "; remove it there first");
		}
		this.definition = there;
		this.announced = true;
		serveAll();
	}

	private CompletableFuture<VersionedLimit> define(String operation, VersionedLimit wanted) {
		return this.node.database().row(List.of(this.resource, ""), (row) -> {
			long version = row.getLong(1);
			return (version == 0) ? new VersionedLimit(0, wanted.limit(), wanted.options())
					: VersionedLimit.parse(version, row.getString(2));
		}, "sluice_define(?, ?, ?, ?, ?)", operation, this.statements.resourceBytes(), wanted.terms(), wanted.kind(),
				wanted.numbers(this.node.lease()));
	}

	@Override
	public boolean change(Limit limit, LimitOptions options) {
		if (this.removed) {
			return false;
		}
		VersionedLimit.requireSupported(limit, options);
		VersionedLimit wanted = new VersionedLimit(0, limit, options);
		if (this.isUnavailable() && wanted.terms().equals(this.definition.terms())) {
			return true;
		}
		// read first: a check may adopt the change, and a check serves no waiting call
		long known = this.definition.version();
		VersionedLimit there = this.node.database().await(define("change", wanted));
		if (there.version() == 0) {
			beRemoved();
			return false;
		}
		boolean changed = there.version() > known;
		adopt(there);
		if (changed) {
			serveAll();
		}
		return !this.removed;
	}

	private void serveAll() {
		this.node.database()
			.rows(List.of(this.resource, ""), (row) -> Text.decode(row.getBytes(1)), "sluice_waiting(?)",
					this.statements.resourceBytes())
			.thenAccept((keys) -> keys.forEach(this.calls::serve));
	}

	@Override
	public void remove() {
		requireDefined();
		Database database = this.node.database();
		boolean done = database.await(database.row(List.of(this.resource, ""), (row) -> row.getBoolean(1),
				"sluice_remove(?)", this.statements.resourceBytes()));
		if (!done) {
			throw new IllegalStateException("Permits of '" + this.resource + "' are held");
		}
		beRemoved();
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		Replies.Done answer = this.node.database().await(this.statements.release(key, owner, () -> 0));
		this.node.wake(answer.wake());
		return answer.done();
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		return this.node.releases().release(this, key, owner, this.node.nextEntry());
	}

	@Override
	public boolean forget(String key) {
		Replies.Done answer = this.node.database()
			.await(this.statements.ask(key, Replies.Done::read, "sluice_forget(?, ?)"));
		this.node.wake(answer.wake());
		return answer.done();
	}

	@Override
	public KeyState state(String key) {
		return this.inspection.state(key, limit());
	}

	@Override
	public ThrottleSnapshot snapshot(int top) {
		return this.inspection.snapshot(top, this.definition);
	}

	/** Adds the counts of this node to the counts in the database. */
	public void flushCounts() {
		if (!this.removed && !this.counts.isEmpty()) {
			this.inspection.total();
		}
	}

}
