package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.Script;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.internal.failover.NodeCounts;
import dev.sluice.throttle.internal.failover.ServerThrottle;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.ScriptOutputType;

/** Limit in Redis of any kind, with its definition, counts and keys. */
public abstract class RedisThrottle implements ServerThrottle {

	/*
	 * Redis has the definition; this is the last copy received. A change is published to
	 * all nodes. If the message is lost, a node gets the definition with its next
	 * renewal. Until the limit is "announced", Redis has not accepted the definition of
	 * this node, so the node's definition applies, and the next command opens the limit
	 * even if it was removed. Once it is announced, no "open" command may be sent, as
	 * that would undo a removal. So the command is sent, and the limit becomes announced,
	 * under a lock; see Announcement. If Redis then has a limit of another kind by that
	 * name, this one was removed and the message was lost.
	 *
	 * Attacked by RedisKeysTests and AnnouncementTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(RedisThrottle.class.getName());

	private static final Duration LONGEST_TIMED_WAIT = Duration.ofDays(10_000);

	private static final Duration EXPIRY = Duration.ofDays(7);

	private static final int SCAN_SHARE = 100;

	private final RedisNode node;

	private final String resource;

	private final NodeCounts counts = new NodeCounts();

	private final SharedCounts sharedCounts;

	private final DefinitionReader reader;

	private final Announcement announcement = new Announcement();

	private volatile Definition definition;

	private volatile boolean removed;

	private volatile KeyScan lastScan = new KeyScan(new NodeCounts.Sums(0, 0), List.of(), System.nanoTime());

	protected RedisThrottle(RedisNode node, String resource, Definition definition) {
		this.node = node;
		this.resource = resource;
		this.definition = definition;
		this.reader = new DefinitionReader(node.names().limit(resource));
		this.sharedCounts = new SharedCounts(node, resource, EXPIRY, this.counts);
	}

	protected final RedisNode node() {
		return this.node;
	}

	@Override
	public final String resource() {
		return this.resource;
	}

	@Override
	public final NodeCounts counts() {
		return this.counts;
	}

	/** Returns the last definition that this node has received. */
	protected final Definition definition() {
		return this.definition;
	}

	@Override
	public final boolean isUnavailable() {
		return this.node.commands().isUnavailable();
	}

	@Override
	public final Limit limit() {
		return this.definition.limit();
	}

	@Override
	public final LimitOptions options() {
		return this.definition.options();
	}

	/** Runs an operation on a key. */
	protected abstract CompletableFuture<List<Object>> ask(String operation, String key, String... arguments);

	/** Returns the first element of a reply. */
	public static int code(List<Object> reply) {
		return ((Long) reply.get(0)).intValue();
	}

	@Override
	public final void requireDefined() {
		if (this.removed) {
			throw new IllegalStateException("Throttle '" + this.resource + "' was removed");
		}
	}

	@Override
	public final void requireMayBlock() {
		CommandSender.requireMayBlock();
	}

	/** Makes a call that may be granted permits, unless the store is closed. */
	protected final Decision whileOpen(AcquireRequest request, Function<AcquireRequest, Decision> call) {
		return this.node.commands().gate().call(() -> call.apply(request), () -> unavailable(request.key()));
	}

	/** Makes a call that may wait for permits, unless the store is closed. */
	protected final CompletableFuture<Permit> whileOpenAsync(AcquireRequest request,
			Function<AcquireRequest, CompletableFuture<Permit>> call) {
		return this.node.commands()
			.gate()
			.call(() -> call.apply(request),
					() -> CompletableFuture.failedFuture(unavailable(request.key()).throttled()));
	}

	/**
	 * Schedules the rejection of a waiter at the end of its maximum wait.
	 * @return whether the wait is limited
	 */
	protected final boolean endInTime(RedisWaiter waiter, Duration maxWait) {
		boolean timed = maxWait.compareTo(LONGEST_TIMED_WAIT) <= 0;
		if (timed) {
			waiter.endBy(this.node.timer()
				.schedule(() -> waiter.reject(this.counts, null, Decision.Reason.LIMIT), maxWait.toNanos(),
						TimeUnit.NANOSECONDS));
		}
		return timed;
	}

	/**
	 * Defines the limit in Redis, or leaves that for later if Redis cannot be reached.
	 * @throws IllegalArgumentException if Redis has it as another kind
	 */
	public final void announce(Limit limit, LimitOptions options) {
		this.definition = new Definition(1, limit, options);
		try {
			redefine("open", limit, options);
		}
		catch (StoreUnavailableException ex) {
			this.announcement.failed();
		}
	}

	/** Marks the definition as the one in Redis. */
	public final void announced() {
		this.announcement.accepted();
	}

	/**
	 * Replaces the definition in Redis; blocks. The command names the version to replace,
	 * so a command that arrives late changes nothing.
	 * @return the limit that was replaced
	 */
	private Limit redefine(String operation, Limit limit, LimitOptions options) {
		String terms = Definition.terms(limit, options);
		while (true) {
			String before = this.node.commands().await(define("read", 0, limit, options));
			Limit replaced = before.equals(Definition.REMOVED) ? limit : this.reader.read(before).limit();
			Runnable move = prepareToMove(replaced, limit);
			String after = this.node.commands().await(define(operation, version(before), limit, options));
			if (after.equals(Definition.REMOVED) || after.endsWith(' ' + terms)
					|| replaced.isHeld() != limit.isHeld()) {
				adopt(after);
				move.run();
				return replaced;
			}
		}
	}

	private long version(String definition) {
		return definition.equals(Definition.REMOVED) ? 0 : this.reader.read(definition).version();
	}

	/**
	 * Prepares the move of keys if a new limit stores them elsewhere in Redis.
	 * @return the action that moves them once the limit is defined; blocks
	 */
	protected Runnable prepareToMove(Limit before, Limit limit) {
		return () -> {
		};
	}

	private CompletableFuture<String> define(String operation, long replaces, Limit limit, LimitOptions options) {
		String[] keys = { this.node.names().limit(this.resource) };
		return this.node.commands()
			.run(Script.DEFINE, ScriptOutputType.VALUE, keys, operation, this.node.names().limitsChannel(),
					KeyNames.escape(this.resource), Definition.terms(limit, options), Long.toString(EXPIRY.toMillis()),
					Long.toString(replaces));
	}

	/**
	 * Reads the definition from Redis, and renews the expiry of both the definition and
	 * the counts.
	 */
	public final void renew() {
		if (!this.removed) {
			this.sharedCounts.renew();
			announceAgain();
		}
	}

	/** Adds the counts of this node to Redis, unless the limit was removed. */
	public final void flushCounts() {
		if (!this.removed) {
			this.sharedCounts.flush();
		}
	}

	private void announceAgain() {
		CompletableFuture<String> renewed = this.announcement.ifAccepted(() -> define("renew", 0, limit(), options()));
		if (renewed != null) {
			renewed.thenAccept(this::adopt);
			return;
		}
		define("read", 0, limit(), options()).thenAccept((before) -> {
			CompletableFuture<String> opened = this.announcement
				.unlessChanging((accepted) -> define(accepted ? "renew" : "open", version(before), limit(), options()));
			if (opened != null) {
				opened.thenAccept(this::adopt);
			}
		});
	}

	private void adopt(String text) {
		if (text.equals(Definition.REMOVED)) {
			markRemoved();
			return;
		}
		Definition before = this.definition;
		Definition now = this.reader.read(text);
		if (now.limit().isHeld() != before.limit().isHeld()) {
			if (this.announcement.isAccepted()) {
				markRemoved();
				return;
			}
			throw new IllegalArgumentException("Throttle '" + this.resource + "' is a " + now.limit().type()
					+ " in Redis, and cannot be a " + before.limit().type() + "; remove it there first");
		}
		announced();
		this.definition = now;
		if (!now.isSameAs(before)) {
			reevaluate(before.limit());
		}
	}

	private void markRemoved() {
		this.removed = true;
		failAll();
	}

	/** Returns the waiting calls of this node. */
	public abstract List<RedisWaiter> waiters();

	/** Evaluates the waiting calls of this node by the changed limit. */
	protected abstract void reevaluate(Limit before);

	@Override
	public final boolean change(Limit limit, LimitOptions options) {
		if (this.removed) {
			return false;
		}
		this.announcement.changing();
		try {
			Limit before = redefine("change", limit, options);
			if (!this.removed && !limit.equals(before)) {
				this.node.commands().scan(states(), (states) -> this.node.commands().await(changeAll(states)));
			}
		}
		catch (StoreUnavailableException ex) {
			if (!this.definition.isSameAs(new Definition(0, limit, options))) {
				throw ex;
			}
		}
		finally {
			this.announcement.changed();
		}
		return !this.removed;
	}

	/** Converts states to the current limit. */
	private CompletableFuture<Void> changeAll(List<String> states) {
		return CompletableFuture.allOf(states.stream()
			.map((state) -> ask("change", this.node.names().keyOf(this.resource, state)))
			.toArray(CompletableFuture<?>[]::new));
	}

	@Override
	public final void remove() {
		requireDefined();
		requireNotHeld();
		adopt(this.node.commands().await(define("remove", 0, limit(), options())));
		CommandSender commands = this.node.commands();
		allPatterns()
			.forEach((pattern) -> commands.scan(pattern, (keys) -> commands.unlink(keys.toArray(new String[0]))));
		commands.unlink(this.node.names().counts(this.resource));
	}

	/** Returns prefetched permits. */
	public void releasePrefetched() {
		// without prefetch by default
	}

	/** Refreshes all waiting calls of this node, as messages may be lost. */
	public abstract void refreshWaiters();

	/** Throws if any permit is held on any node. */
	protected abstract void requireNotHeld();

	/** Returns whether old handles throw; a new definition needs a new throttle. */
	@Override
	public final boolean isRemoved() {
		return this.removed;
	}

	/** Returns the pattern of the names of all states. */
	protected String states() {
		return this.node.names().states(this.resource);
	}

	/** Returns patterns that match the names of all entries of all keys. */
	protected List<String> allPatterns() {
		return List.of(this.node.names().all(this.resource));
	}

	/** Reads the state of one key. */
	protected abstract CompletableFuture<KeyView> describe(String key);

	@Override
	public final KeyState state(String key) {
		try {
			return this.node.commands().await(describe(key)).state();
		}
		catch (StoreUnavailableException ex) {
			int limit = limit().maxUsed();
			return new KeyState(key, limit, 0, limit, this.counts.rejectedOf(key), 0, null, Duration.ZERO,
					Optional.empty());
		}
	}

	/**
	 * Reads the state of all keys. To find them, Redis scans the names of all of its
	 * keys. If no key is to be listed, as for meters, an older result is used, so that
	 * Redis spends at most a hundredth of its time on scans. While Redis is unavailable,
	 * the last result is used.
	 */
	@Override
	public final ThrottleSnapshot snapshot(int top) {
		Definition definition = this.definition;
		KeyScan scan = scan(top > 0);
		List<KeyView> views = scan.views();
		long waiting = views.stream().mapToLong((view) -> view.state().waiting()).sum();
		List<KeyState> hottest = views.stream()
			.map(KeyView::state)
			.sorted(Comparator.comparingInt(KeyState::used).reversed())
			.limit(top)
			.toList();
		List<Holder> holders = views.stream()
			.flatMap((view) -> view.holders().stream())
			.sorted(Comparator.comparing(Holder::since))
			.toList();
		long held = holders.stream().mapToLong(Holder::permits).sum();
		return new ThrottleSnapshot(this.resource, definition.limit(), definition.options(), definition.version(),
				scan.total().admitted(), scan.total().rejected(), waiting, views.size(), held, hottest,
				holders.stream().limit(top).toList());
	}

	private KeyScan scan(boolean afresh) {
		KeyScan last = this.lastScan;
		try {
			NodeCounts.Sums total = this.node.commands().await(this.sharedCounts.total());
			KeyScan now = (afresh || System.nanoTime() - last.until() >= 0) ? scan() : last;
			this.lastScan = new KeyScan(total, now.views(), now.until());
		}
		catch (StoreUnavailableException ex) {
			LOGGER.log(System.Logger.Level.DEBUG, "Redis is unavailable; the last snapshot is used", ex);
		}
		return this.lastScan;
	}

	private KeyScan scan() {
		long start = System.nanoTime();
		CommandSender commands = this.node.commands();
		List<KeyView> views = new ArrayList<>();
		commands.scan(states(), (states) -> {
			List<CompletableFuture<KeyView>> asked = states.stream()
				.map((state) -> describe(this.node.names().keyOf(this.resource, state)))
				.toList();
			asked.forEach((each) -> views.add(commands.await(each)));
		});
		long end = System.nanoTime();
		return new KeyScan(new NodeCounts.Sums(0, 0), List.copyOf(views), end + SCAN_SHARE * (end - start));
	}

	/**
	 * Counts and states of all keys at one moment.
	 *
	 * @param total the numbers of calls that all nodes have admitted and rejected
	 * @param views the state of each key
	 * @param until the time until which it is recent enough
	 */
	private record KeyScan(NodeCounts.Sums total, List<KeyView> views, long until) {
	}

	/**
	 * State of a key at one moment.
	 *
	 * @param state the state
	 * @param holders the holders of its permits
	 */
	public record KeyView(KeyState state, List<Holder> holders) {
	}

}
