package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import dev.sluice.jdbc.database.Database;
import dev.sluice.jdbc.database.Names;
import dev.sluice.jdbc.database.StoreUnavailableException;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.store.StoredThrottle;
import org.jspecify.annotations.Nullable;

/** Limit in the database. */
public final class JdbcThrottle implements StoredThrottle {

	/*
	 * The definition is the database's own: this is a copy of what was last read. A
	 * statement tells the epoch of that; a key that has seen a later one changes nothing,
	 * and the definition is read again. A call is put to the database unless that is
	 * unavailable, and is decided by the policy if it was or has failed the call; what it
	 * may have been granted all the same is given back. What is granted here is of other
	 * types than what the database grants, so everything goes back to where it came from.
	 *
	 * Attacked by JdbcContractTests.
	 */

	private static final int GRANTED = 0;

	private static final int LINE = 2;

	private static final int WAITING = 3;

	private static final int OLD = 9;

	private static final int ATTEMPTS = 3;

	private static final AtomicLong NUMBERS = new AtomicLong();

	private final Node node;

	private final Database database;

	private final String resource;

	private final String name;

	private final Counts counts = new Counts();

	/** What is being given back to keys, which calls from here come after. */
	private final Map<String, CompletableFuture<?>> givenBack = new ConcurrentHashMap<>();

	private final RateCalls rateCalls = new RateCalls(this::take);

	private final Failover failover;

	private final Held held;

	private final WaitingCalls waiting;

	private volatile Definition definition;

	private volatile boolean removed;

	private volatile boolean announced;

	public JdbcThrottle(Node node, String resource, Definition definition) {
		Terms.check(resource, definition.limit());
		this.node = node;
		this.database = node.database();
		this.resource = resource;
		this.name = Names.escape(resource);
		this.definition = definition;
		this.failover = new Failover(this, node);
		this.held = new Held(node, this::exit);
		this.waiting = new WaitingCalls(this, node);
	}

	String resource() {
		return this.resource;
	}

	Counts counts() {
		return this.counts;
	}

	public Held held() {
		return this.held;
	}

	public WaitingCalls waiting() {
		return this.waiting;
	}

	Failover failover() {
		return this.failover;
	}

	public FailurePolicy policy() {
		return this.failover.policy();
	}

	String terms() {
		return this.node.terms(this.definition);
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

	private void requireDefined() {
		if (this.removed) {
			throw new IllegalStateException("Throttle '" + this.resource + "' was removed");
		}
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		BlockingThreads.requireMayBlock();
		if (this.database.isUnavailable()) {
			return this.failover.decide(request);
		}
		CompletableFuture<Decision> asked = ask(request);
		try {
			return this.database.await(asked);
		}
		catch (StoreUnavailableException ex) {
			if (ex.getCause() != null && ex.getCause().getCause() instanceof IllegalArgumentException wrong) {
				throw wrong;
			}
			undoIfGranted(asked, request);
			return this.failover.decide(request);
		}
	}

	private void undoIfGranted(CompletableFuture<Decision> asked, AcquireRequest request) {
		asked.thenAccept((decision) -> {
			if (decision.admitted()) {
				refund(request, decision.permit());
			}
			else {
				this.counts.rejected.decrement();
			}
		});
	}

	/** Asks the database, which may answer late. */
	private CompletableFuture<Decision> ask(AcquireRequest request) {
		if (limit().isHeld()) {
			String id = newId();
			long askedAt = System.nanoTime();
			return enter(request, id, -1).handle((reply, failure) -> {
				if (failure != null) {
					exit(request.key(), id);
					throw new CompletionException(failure);
				}
				return decision(request, id, reply, askedAt);
			});
		}
		return this.rateCalls.take(request.key(), request.permits()).thenApply((taken) -> {
			if (taken.isGranted()) {
				this.counts.admitted.add(request.permits());
				return Decision.admitted(new RatePermit(taken.at()));
			}
			return rejected(request, taken.code(), taken.delay());
		});
	}

	String newId() {
		return this.node.name() + '-' + NUMBERS.incrementAndGet();
	}

	private Decision rejected(AcquireRequest request, int code, @Nullable Long wait) {
		this.counts.rejected(request.key());
		Duration retryAfter = (wait != null) ? Duration.ofNanos(Math.max(1, wait)) : null;
		return Decision.rejected((code == LINE) ? Decision.Reason.LINE : Decision.Reason.LIMIT, this.resource,
				request.key(), retryAfter);
	}

	Decision decision(AcquireRequest request, String id, Entered reply, long askedAt) {
		return switch (reply.code()) {
			case GRANTED -> Decision.admitted(granted(request, id, reply.value(), reply.at(), askedAt));
			case 1, LINE -> rejected(request, reply.code(), limit().isHeld() ? null : reply.value());
			default -> throw new IllegalArgumentException("'permits' must be at most " + reply.value() + ", "
					+ ((reply.code() == 4) ? "what the same owner holds of '"
							: "for which the same owner already waits at '")
					+ this.resource + "' already: " + request.permits());
		};
	}

	/** Makes the permit of a call that the database has granted it. */
	Permit granted(AcquireRequest request, String id, long token, long at, long askedAt) {
		this.counts.admitted.add(request.permits());
		return limit().isHeld()
				? this.held.enter(id, request.key(), token, this.node.lease(this.definition).toNanos(), askedAt)
				: new RatePermit(at);
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		if (permit instanceof LocalPermit local) {
			local.share().refund(request, local.granted());
		}
		else if (permit instanceof RatePermit rate) {
			this.counts.admitted.add(-request.permits());
			beforeCalls(request.key(),
					this.database.run("SELECT %ssluice_refund(?, ?, ?::bigint[], ?, ?)", (row) -> true, this.name,
							Names.escape(request.key()), terms(), (long) request.permits(), rate.at()));
		}
		else {
			permit.close();
		}
	}

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		if (this.database.isUnavailable()) {
			return this.failover.acquire(request);
		}
		if (!request.maxWait().isZero()) {
			return this.waiting.enter(request);
		}
		CompletableFuture<Decision> asked = ask(request);
		CompletableFuture<Permit> acquired = new CompletableFuture<>();
		this.database.inTime(asked).whenComplete((decision, failure) -> {
			if (failure != null) {
				if (WaitingCalls.cause(failure) instanceof IllegalArgumentException wrong) {
					acquired.completeExceptionally(wrong);
					return;
				}
				undoIfGranted(asked, request);
			}
			Decision made = (failure != null) ? this.failover.decide(request) : decision;
			if (!made.admitted()) {
				acquired.completeExceptionally(made.throttled());
			}
			else if (!acquired.complete(made.permit())) {
				refund(request, made.permit());
			}
		});
		return acquired;
	}

	// Statements

	/**
	 * Answer to a call.
	 *
	 * @param code what became of it
	 * @param value the token, the wait, or the most permits
	 * @param at when
	 */
	record Entered(int code, long value, long at) {
	}

	CompletableFuture<Entered> enter(AcquireRequest request, String id, long most) {
		String owner = (request.owner() != null) ? Names.escape(request.owner()) : id;
		return afterGivenBack(request.key(), () -> upToDate(ATTEMPTS, Entered::code, () -> this.database
			.run("SELECT * FROM %ssluice_enter(?, ?, ?::bigint[], ?, ?, ?, ?, ?)",
					(row) -> new Entered(row.getInt(1), row.getLong(2), row.getLong(3)), this.name,
					Names.escape(request.key()), terms(), this.node.name(), id, owner, (long) request.permits(), most)
			.thenApply((rows) -> rows.get(0))));
	}

	private CompletableFuture<RateCalls.Taken> take(String key, int permits, int calls) {
		return afterGivenBack(key,
				() -> upToDate(ATTEMPTS, RateCalls.Taken::code,
						() -> this.database
							.run("SELECT * FROM %ssluice_take(?, ?, ?::bigint[], ?, ?)",
									(row) -> new RateCalls.Taken(row.getInt(1), row.getInt(2), row.getLong(3),
											row.getLong(4)),
									this.name, Names.escape(key), terms(), (long) permits, calls)
							.thenApply((rows) -> rows.get(0))));
	}

	/** Has calls to a key wait for what is given back to it from here. */
	private void beforeCalls(String key, CompletableFuture<?> returning) {
		CompletableFuture<?> done = this.givenBack.merge(key, returning.handle((result, failure) -> true),
				(known, more) -> CompletableFuture.allOf(known, more));
		done.whenComplete((result, failure) -> this.givenBack.remove(key, done));
	}

	private <T> CompletableFuture<T> afterGivenBack(String key, Supplier<CompletableFuture<T>> statement) {
		CompletableFuture<?> known = this.givenBack.get(key);
		return (known != null) ? known.thenCompose((done) -> statement.get()) : statement.get();
	}

	/** Reads the definition again where a key has seen a later one. */
	private <T> CompletableFuture<T> upToDate(int attempts, ToIntFunction<T> code,
			Supplier<CompletableFuture<T>> statement) {
		return statement.get().thenCompose((reply) -> {
			if (code.applyAsInt(reply) != OLD) {
				return CompletableFuture.completedFuture(reply);
			}
			if (attempts == 0) {
				return CompletableFuture.failedFuture(new IllegalStateException("The limit changes all the time"));
			}
			return read().thenCompose((read) -> upToDate(attempts - 1, code, statement));
		});
	}

	private CompletableFuture<Void> read() {
		return this.database
			.run("SELECT epoch, version, terms, removed FROM %ssluice_limit WHERE resource = ?", StoredDefinition::read,
					this.name)
			.thenAccept((rows) -> rows.forEach(this::adopt));
	}

	/** Grants to those in line; returns how long the first will wait at least. */
	CompletableFuture<Long> serve(String key) {
		return this.database
			.run("SELECT * FROM %ssluice_serve(?, ?, ?::bigint[])", (row) -> row.getLong(3), this.name,
					Names.escape(key), terms())
			.thenApply((rows) -> rows.get(0));
	}

	/**
	 * Gives back what a call was granted, or takes it out of line; until that is done.
	 */
	void exit(String key, String id) {
		exit(key, id, System.nanoTime() + this.node.lease(this.definition).toNanos());
	}

	private void exit(String key, String id, long until) {
		CompletableFuture<List<Integer>> exited = this.database.run("SELECT * FROM %ssluice_exit(?, ?, ?::bigint[], ?)",
				(row) -> row.getInt(2), this.name, Names.escape(key), terms(), id);
		beforeCalls(key, exited);
		exited.whenComplete((rows, failure) -> {
			if (failure == null) {
				freed(rows.get(0));
			}
			else if (System.nanoTime() - until < 0 && !this.node.timer().isShutdown()) {
				this.node.timer().schedule(() -> exit(key, id, until), 500, TimeUnit.MILLISECONDS);
			}
		});
	}

	private void freed(int inLine) {
		if (inLine > 0) {
			this.node.whenFreed().run();
		}
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		StoredThrottle here = this.failover.lastShare();
		boolean released = here != null && here.limit().isHeld() && here.release(key, owner);
		if (!limit().isHeld() || (released && this.database.isUnavailable())) {
			return released;
		}
		record Released(boolean found, int inLine) {
		}
		Released there = this.database.await(this.database.run("SELECT * FROM %ssluice_release(?, ?, ?::bigint[], ?)",
				(row) -> new Released(row.getBoolean(1), row.getInt(2)), this.name, Names.escape(key), terms(),
				Names.escape(owner)))
			.get(0);
		freed(there.inLine());
		return there.found() || released;
	}

	@Override
	public boolean forget(String key) {
		StoredThrottle here = this.failover.lastShare();
		boolean forgotten = here != null && here.forget(key);
		if (limit().isHeld() || (forgotten && this.database.isUnavailable())) {
			return forgotten;
		}
		boolean there = this.database
			.await(this.database.run("SELECT %ssluice_forget(?, ?, ?::bigint[])", (row) -> row.getBoolean(1), this.name,
					Names.escape(key), terms()))
			.get(0);
		freed(1);
		return there || forgotten;
	}

	@Override
	public KeyState state(String key) {
		if (this.database.isUnavailable() && policy() == FailurePolicy.LOCAL) {
			return this.failover.share().state(key);
		}
		if (this.database.isUnavailable() && policy() == FailurePolicy.OPEN) {
			int most = limit().maxPermits();
			return new KeyState(key, most, 0, most, 0, 0, Duration.ZERO, Duration.ZERO, Optional.empty());
		}
		return look(key).stream()
			.findFirst()
			.orElseGet(() -> new KeyState(key, limit().maxPermits(), 0, limit().maxPermits(),
					this.counts.rejectedOf(key), 0, Duration.ZERO, Duration.ZERO, Optional.empty()));
	}

	private List<KeyState> look(@Nullable String key) {
		int most = limit().maxPermits();
		CompletableFuture<List<KeyState>> asked = this.database.run("SELECT * FROM %ssluice_look(?, ?, ?::bigint[])",
				(row) -> {
					String name = Names.unescape(row.getString(1));
					int used = row.getInt(2);
					long wait = row.getLong(4);
					return new KeyState(name, most, used, Math.max(0, most - used), this.counts.rejectedOf(name),
							row.getInt(3), (wait < 0) ? null : Duration.ofNanos(wait), Duration.ofNanos(row.getLong(5)),
							Optional.empty());
				}, this.name, (key != null) ? Names.escape(key) : null, terms());
		Map<String, Integer> inLine = new ConcurrentHashMap<>();
		List<KeyState> states = this.database.await(asked);
		states.forEach((state) -> inLine.put(state.key(), state.waiting()));
		if (!limit().isHeld() || states.isEmpty()) {
			return states;
		}
		List<Holder> holders = holders(inLine);
		return states.stream()
			.map((state) -> new KeyState(state.key(), state.limit(), state.used(), state.remaining(), state.rejected(),
					state.waiting(), state.retryAfter(), state.resetAfter(),
					holders.stream().filter((holder) -> holder.key().equals(state.key())).findFirst()))
			.toList();
	}

	/** Returns the holders of permits, oldest first. */
	private List<Holder> holders(Map<String, Integer> inLine) {
		return this.database.await(this.database.run("SELECT key, owner, max(permits), min(since) FROM %ssluice_hold "
				+ "WHERE resource = ? AND until > %ssluice_now() GROUP BY key, owner ORDER BY 4", (row) -> {
					String key = Names.unescape(row.getString(1));
					return new Holder(key, Names.unescape(row.getString(2)), row.getInt(3),
							Instant.EPOCH.plus(row.getLong(4), ChronoUnit.NANOS),
							Objects.requireNonNullElse(inLine.get(key), 0));
				}, this.name));
	}

	@Override
	public ThrottleSnapshot snapshot(int top) {
		long[] total = this.database.await(flush());
		List<KeyState> keys = look(null);
		Map<String, Integer> inLine = new ConcurrentHashMap<>();
		keys.forEach((state) -> inLine.put(state.key(), state.waiting()));
		List<Holder> holders = limit().isHeld() ? holders(inLine) : List.of();
		List<KeyState> hottest = keys.stream()
			.sorted(Comparator.comparingInt(KeyState::used).reversed())
			.limit(top)
			.toList();
		return new ThrottleSnapshot(this.resource, limit(), options(), total[2], total[0], total[1],
				keys.stream().mapToInt(KeyState::waiting).sum(), keys.size(),
				holders.stream().mapToInt(Holder::permits).sum(), hottest, holders.stream().limit(top).toList());
	}

	/** Adds what was counted here; returns what all nodes have, and the version. */
	public CompletableFuture<long[]> flush() {
		long admitted = this.counts.admitted.sumThenReset();
		long rejected = this.counts.rejected.sumThenReset();
		return this.database
			.run("UPDATE %ssluice_limit SET admitted = admitted + ?, rejected = rejected + ? WHERE resource = ? "
					+ "RETURNING admitted, rejected, version",
					(row) -> new long[] { row.getLong(1), row.getLong(2), row.getLong(3) }, admitted, rejected,
					this.name)
			.whenComplete((rows, failure) -> {
				if (failure != null) {
					this.counts.admitted.add(admitted);
					this.counts.rejected.add(rejected);
				}
			})
			.thenApply((rows) -> rows.isEmpty() ? new long[3] : rows.get(0));
	}

	public boolean isToFlush() {
		return this.announced && (this.counts.admitted.sum() != 0 || this.counts.rejected.sum() != 0);
	}

	// Definition

	/**
	 * Defines the limit in the database, or leaves that for later if that cannot be
	 * asked.
	 * @throws IllegalArgumentException if the database has it as another kind
	 */
	public void announce(Limit limit, LimitOptions options) {
		Terms.check(this.resource, limit);
		this.definition = new Definition(this.definition.epoch(), this.definition.version(), limit, options);
		try {
			define("open", limit, options);
		}
		catch (StoreUnavailableException ex) {
			this.announced = false;
		}
	}

	/** Defines the limit if that was left for later. */
	public void announceAgain() {
		if (!this.announced && !this.removed) {
			Definition mine = this.definition;
			defined("open", mine.limit(), mine.options()).thenAccept((rows) -> rows.forEach(this::adopt));
		}
	}

	private CompletableFuture<List<StoredDefinition>> defined(String operation, Limit limit, LimitOptions options) {
		return this.database.run("SELECT epoch, version, terms, removed FROM %ssluice_define(?, ?, ?)",
				StoredDefinition::read, this.name, Definition.terms(limit, options), operation);
	}

	private boolean define(String operation, Limit limit, LimitOptions options) {
		List<StoredDefinition> rows = this.database.await(defined(operation, limit, options));
		if (rows.isEmpty() || rows.get(0).removed()) {
			this.removed = true;
			return false;
		}
		if (!rows.get(0).terms().startsWith(limit.isHeld() ? "held " : "rate ")) {
			throw new IllegalArgumentException("Throttle '" + this.resource + "' is "
					+ (limit.isHeld() ? "a rate" : "held") + " in the database, and cannot become " + limit);
		}
		adopt(rows.get(0));
		this.waiting.serveAll();
		freed(1);
		return true;
	}

	@Override
	public boolean change(Limit limit, LimitOptions options) {
		Terms.check(this.resource, limit);
		return define("change", limit, options);
	}

	/** Takes over what the database has. */
	public void adopt(StoredDefinition stored) {
		if (stored.removed()) {
			if (this.announced) {
				this.removed = true;
				this.waiting.failAbove(0, Decision.Reason.LIMIT);
			}
			return;
		}
		Definition read = stored.parse();
		if (read.epoch() >= this.definition.epoch() && read.limit().isHeld() == limit().isHeld()) {
			this.definition = read;
			this.announced = true;
			this.waiting.failAbove(read.limit().maxPermits(), Decision.Reason.LIMIT);
		}
	}

	@Override
	public void remove() {
		long held = this.database
			.await(this.database.run("SELECT %ssluice_remove(?)", (row) -> row.getLong(1), this.name))
			.get(0);
		if (held > 0) {
			throw new IllegalStateException("Throttle '" + this.resource
					+ "' cannot be removed while its permits are held (at present: " + held + ")");
		}
		this.removed = true;
		this.waiting.failAbove(0, Decision.Reason.LIMIT);
	}

}
