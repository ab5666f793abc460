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

/** Limit in Redis of any kind: its definition, counts and keys. */
public abstract class RedisThrottle implements ServerThrottle {

	/*
	 * The definition is Redis' own: this is a copy of what was last heard. Whoever
	 * changes it tells all nodes, and should the message be lost, they hear of it when
	 * next they renew it. While it is not "announced", Redis has not heard of it from
	 * here, and what this node was told holds: it opens the limit, though it was removed.
	 * Once it is announced no such command may still be sent, as that would undo a
	 * removal; so it is sent, and the limit becomes announced, under a lock. If Redis has
	 * another kind of limit by that name then, this one was removed, and nobody heard it.
	 *
	 * Attacked by RedisKeysTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(RedisThrottle.class.getName());

	private static final Duration LONGEST_TIMED_WAIT = Duration.ofDays(10_000);

	private static final Duration EXPIRY = Duration.ofDays(7);

	private static final int SURVEY_SHARE = 100;

	private final RedisNode node;

	private final String resource;

	private final NodeCounts counts = new NodeCounts();

	private final SharedCounts sharedCounts;

	private final Object announcing = new Object();

	private volatile Definition definition;

	private volatile boolean announced;

	private volatile boolean removed;

	private volatile Survey lastSurvey = new Survey(new NodeCounts.Sums(0, 0), List.of(), System.nanoTime());

	protected RedisThrottle(RedisNode node, String resource, Definition definition) {
		this.node = node;
		this.resource = resource;
		this.definition = definition;
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

	/** Returns the definition that this node has last heard. */
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

	/** Returns the first of what an operation answered. */
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
	 * Has a wait end by a rejection when its time is over.
	 * @return whether it ends by that at all
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
			this.announced = false;
		}
	}

	/** Told that the definition it was created with is that of Redis. */
	public final void announced() {
		synchronized (this.announcing) {
			this.announced = true;
		}
	}

	/**
	 * Has Redis define the limit anew, in place of what it has now; blocks. A definition
	 * that Redis gets too late is in nobody's place, so it changes nothing.
	 * @return the limit that was replaced
	 */
	private Limit redefine(String operation, Limit limit, LimitOptions options) {
		String terms = Definition.terms(limit, options);
		while (true) {
			String before = this.node.commands().await(define("read", 0, limit, options));
			Limit replaced = before.equals(Definition.REMOVED) ? limit : Definition.parse(before).limit();
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

	private static long version(String definition) {
		return definition.equals(Definition.REMOVED) ? 0 : Definition.parse(definition).version();
	}

	/**
	 * Prepares for a limit whose keys have another place in Redis.
	 * @return what moves them as soon as it is defined; blocks
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

	/** Asks Redis for the definition, and keeps that and the counts alive there. */
	public final void renew() {
		if (!this.removed) {
			this.sharedCounts.renew();
			announceAgain().thenAccept(this::adopt);
		}
	}

	/** Adds to the counts in Redis, unless those were removed with the limit. */
	public final void flushCounts() {
		if (!this.removed) {
			this.sharedCounts.flush();
		}
	}

	private CompletableFuture<String> announceAgain() {
		synchronized (this.announcing) {
			if (this.announced) {
				return define("renew", 0, limit(), options());
			}
		}
		return define("read", 0, limit(), options()).thenCompose((before) -> {
			synchronized (this.announcing) {
				return define(this.announced ? "renew" : "open", version(before), limit(), options());
			}
		});
	}

	private void adopt(String text) {
		if (text.equals(Definition.REMOVED)) {
			beRemoved();
			return;
		}
		Definition before = this.definition;
		Definition now = Definition.parse(text);
		if (now.limit().isHeld() != before.limit().isHeld()) {
			if (this.announced) {
				beRemoved();
				return;
			}
			throw new IllegalArgumentException("Throttle '" + this.resource + "' is a " + now.limit().type()
					+ " in Redis, and cannot be a " + before.limit().type() + "; remove it there first");
		}
		announced();
		this.definition = now;
		if (!now.isSameAs(before)) {
			judgeAgain(before.limit());
		}
	}

	private void beRemoved() {
		this.removed = true;
		failAll();
	}

	/** Returns all calls in line here. */
	public abstract List<RedisWaiter> waiters();

	/** Judges all calls in line here by changed terms. */
	protected abstract void judgeAgain(Limit before);

	@Override
	public final boolean change(Limit limit, LimitOptions options) {
		if (this.removed) {
			return false;
		}
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
		return !this.removed;
	}

	/** Gives states the form that the limit asks for. */
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
		everything()
			.forEach((pattern) -> commands.scan(pattern, (keys) -> commands.unlink(keys.toArray(new String[0]))));
		commands.unlink(this.node.names().counts(this.resource));
	}

	/** Gives back what was taken for calls to come. */
	public void giveBackAll() {
		// most take nothing ahead
	}

	/** Asks for what has become of all in line here, as messages may be lost. */
	public abstract void askAfterAll();

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

	/** Returns patterns of the names of all there is of keys. */
	protected List<String> everything() {
		return List.of(this.node.names().all(this.resource));
	}

	/** Looks at one key. */
	protected abstract CompletableFuture<Look> describe(String key);

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
	 * Looks at all keys. To find them, Redis goes through the names of all keys that it
	 * has; so if none are to be listed, as for meters, what was seen a while ago does,
	 * such that Redis spends no more than a hundredth of its time on that. While Redis is
	 * unavailable, so does whatever was seen last.
	 */
	@Override
	public final ThrottleSnapshot snapshot(int top) {
		Definition definition = this.definition;
		Survey survey = survey(top > 0);
		List<Look> looks = survey.looks();
		long waiting = looks.stream().mapToLong((look) -> look.state().waiting()).sum();
		List<KeyState> hottest = looks.stream()
			.map(Look::state)
			.sorted(Comparator.comparingInt(KeyState::used).reversed())
			.limit(top)
			.toList();
		List<Holder> holders = looks.stream()
			.flatMap((look) -> look.holders().stream())
			.sorted(Comparator.comparing(Holder::since))
			.toList();
		long held = holders.stream().mapToLong(Holder::permits).sum();
		return new ThrottleSnapshot(this.resource, definition.limit(), definition.options(), definition.version(),
				survey.total().admitted(), survey.total().rejected(), waiting, looks.size(), held, hottest,
				holders.stream().limit(top).toList());
	}

	private Survey survey(boolean afresh) {
		Survey last = this.lastSurvey;
		try {
			NodeCounts.Sums total = this.node.commands().await(this.sharedCounts.total());
			Survey now = (afresh || System.nanoTime() - last.until() >= 0) ? survey() : last;
			this.lastSurvey = new Survey(total, now.looks(), now.until());
		}
		catch (StoreUnavailableException ex) {
			LOGGER.log(System.Logger.Level.DEBUG, "Redis cannot be asked", ex);
		}
		return this.lastSurvey;
	}

	private Survey survey() {
		long start = System.nanoTime();
		CommandSender commands = this.node.commands();
		List<Look> looks = new ArrayList<>();
		commands.scan(states(), (states) -> {
			List<CompletableFuture<Look>> asked = states.stream()
				.map((state) -> describe(this.node.names().keyOf(this.resource, state)))
				.toList();
			asked.forEach((each) -> looks.add(commands.await(each)));
		});
		long end = System.nanoTime();
		return new Survey(new NodeCounts.Sums(0, 0), List.copyOf(looks), end + SURVEY_SHARE * (end - start));
	}

	/**
	 * Counts and states of all keys at one moment.
	 *
	 * @param total what all nodes have admitted and rejected
	 * @param looks what there was to see of each key
	 * @param until until when that is recent enough
	 */
	private record Survey(NodeCounts.Sums total, List<Look> looks, long until) {
	}

	/**
	 * State of a key at one moment.
	 *
	 * @param state its numbers
	 * @param holders who holds permits of it
	 */
	public record Look(KeyState state, List<Holder> holders) {
	}

}
