package dev.sluice.redis.rate;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.throttle.ActiveKeys;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.redis.throttle.RedisWaiter;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.failover.RatePermit;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/** Rate limit in Redis. */
public final class RedisRateThrottle extends RedisThrottle {

	/*
	 * A prefetch that has ended accepts no call: the caller removes it and creates the
	 * next one. A line is changed while its key in "lines" is locked, so it is not
	 * discarded during a change. "members" gives each waiter of this node a name of its
	 * own. Attacked by RedisFaultTests, RedisLineTests and PermitPrefetchTests.
	 */

	private static final int ADMITTED = 0;

	private static final int LIMIT = 1;

	private static final int WAITING = 3;

	private final RateRequests requests;

	private final ActiveKeys<RateLine> lines;

	private final Map<String, PermitPrefetch> prefetches = new ConcurrentHashMap<>();

	private final AtomicLong members = new AtomicLong();

	public RedisRateThrottle(RedisNode node, String resource, Definition definition) {
		super(node, resource, definition);
		this.requests = new RateRequests(node, resource, this::definition);
		this.lines = new ActiveKeys<>((lines, key) -> new RateLine(this.requests, counts(), key));
	}

	@Override
	protected CompletableFuture<List<Object>> ask(String operation, String key, String... arguments) {
		return this.requests.ask(operation, key, arguments);
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		CommandSender.requireMayBlock();
		List<Object> prefetched = takePrefetched(request);
		if (prefetched != null) {
			return decision(request, prefetched);
		}
		return whileOpen(request, this::askAndWait);
	}

	private Decision askAndWait(AcquireRequest request) {
		CompletableFuture<List<Object>> asked = take(request);
		try {
			return decision(request, node().commands().await(asked));
		}
		catch (StoreUnavailableException ex) {
			undoIfTaken(asked, request);
			return unavailable(request.key());
		}
	}

	/** Takes prefetched permits, or returns {@code null}. */
	private @Nullable List<Object> takePrefetched(AcquireRequest request) {
		PermitPrefetch prefetch = this.prefetches.get(request.key());
		return (prefetch != null) ? prefetch.takePrefetched(request.permits()) : null;
	}

	/** Takes permits in Redis, for this call alone or together with others. */
	private CompletableFuture<List<Object>> take(AcquireRequest request) {
		while (true) {
			PermitPrefetch prefetch = this.prefetches.computeIfAbsent(request.key(),
					(key) -> new PermitPrefetch(this.requests, key, this.prefetches));
			CompletableFuture<List<Object>> taken = prefetch.take(request.permits());
			if (taken != null) {
				return taken;
			}
			this.prefetches.remove(request.key(), prefetch);
		}
	}

	/** Returns the prefetched permits of a key. */
	private void releasePrefetched(String key) {
		PermitPrefetch prefetch = this.prefetches.get(key);
		if (prefetch != null) {
			prefetch.releasePrefetched();
		}
	}

	@Override
	public void releasePrefetched() {
		this.prefetches.values().forEach(PermitPrefetch::releasePrefetched);
	}

	private Decision decision(AcquireRequest request, List<Object> reply) {
		long value = (long) reply.get(1);
		int code = code(reply);
		if (code == ADMITTED) {
			counts().admitted(request.permits());
			return Decision.admitted(new RatePermit(value));
		}
		counts().rejected(request.key());
		return Decision.rejected((code == LIMIT) ? Decision.Reason.LIMIT : Decision.Reason.LINE, resource(),
				request.key(), micros(value));
	}

	private static Duration micros(long micros) {
		return Duration.of(micros, ChronoUnit.MICROS);
	}

	/** Returns a grant that came too late for its caller. */
	private void undoIfTaken(CompletableFuture<List<Object>> asked, AcquireRequest request) {
		asked.thenAccept((reply) -> {
			if (code(reply) == ADMITTED) {
				this.requests.returnPermits(request.key(), request.permits(), (long) reply.get(1));
			}
		});
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		counts().admitted(-request.permits());
		this.requests.returnPermits(request.key(), request.permits(), ((RatePermit) permit).takenAt());
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		List<Object> prefetched = takePrefetched(request);
		if (prefetched != null) {
			return CompletableFuture.completedFuture(decision(request, prefetched).permit());
		}
		if (request.maxWait().isZero()) {
			return whileOpenAsync(request, this::acquireAtOnce);
		}
		return whileOpenAsync(request, (this.requests.batch() > 1) ? this::acquireAheadOrInLine : this::acquireInLine);
	}

	private CompletableFuture<Permit> acquireAtOnce(AcquireRequest request) {
		CompletableFuture<List<Object>> asked = take(request);
		CompletableFuture<Permit> acquired = new CompletableFuture<>();
		node().commands()
			.whenAnswered(asked, acquired,
					(reply, failure) -> answer(acquired, request, decided(request, asked, reply)));
		return acquired;
	}

	private Decision decided(AcquireRequest request, CompletableFuture<List<Object>> asked,
			@Nullable List<Object> reply) {
		if (reply == null) {
			undoIfTaken(asked, request);
			return unavailable(request.key());
		}
		return decision(request, reply);
	}

	/**
	 * Enters the waiting line only if there are too few prefetched permits. These are
	 * returned then, as later calls would use them ahead of the waiters.
	 */
	private CompletableFuture<Permit> acquireAheadOrInLine(AcquireRequest request) {
		long start = System.nanoTime();
		CompletableFuture<List<Object>> asked = take(request);
		CompletableFuture<Permit> acquired = new CompletableFuture<>();
		node().commands().whenAnswered(asked, acquired, (reply, failure) -> {
			Duration left = request.maxWait().minusNanos(System.nanoTime() - start);
			if (reply != null && code(reply) != ADMITTED && left.compareTo(micros((long) reply.get(1))) >= 0) {
				releasePrefetched(request.key());
				follow(acquired, request, whileOpenAsync(request.maxWait(left), this::acquireInLine));
			}
			else {
				answer(acquired, request, decided(request, asked, reply));
			}
		});
		return acquired;
	}

	private void follow(CompletableFuture<Permit> acquired, AcquireRequest request, CompletableFuture<Permit> inLine) {
		inLine.whenComplete((permit, failure) -> {
			if (permit == null) {
				acquired.completeExceptionally(failure);
			}
			else if (!acquired.complete(permit)) {
				refund(request, permit);
			}
		});
		acquired.whenComplete((permit, failure) -> inLine.cancel(false));
	}

	private CompletableFuture<Permit> acquireInLine(AcquireRequest request) {
		String key = request.key();
		String member = node().name() + '.' + this.members.incrementAndGet() + '.' + request.permits();
		RedisWaiter waiter = new RedisWaiter(request, member);
		RateLine line = this.lines.update(key, (joined) -> joined.add(waiter));
		boolean timed = endInTime(waiter, request.maxWait());
		CompletableFuture<List<Object>> asked = this.requests.call("enter", key, request.permits(),
				() -> List.of(member), member, timed ? RedisNode.micros(request.maxWait()) : "-1",
				Integer.toString(options().maxWaiting()), node().leaseMicros());
		waiter.leaveBy((permit, failure) -> {
			line.remove(waiter);
			this.lines.discardIfIdle(key, line);
			if (permit == null) {
				this.requests.leave(key, member);
			}
		});
		node().commands().whenAnswered(asked, waiter, (reply, failure) -> {
			if (failure != null) {
				undoIfTaken(asked, request);
				waiter.completeExceptionally(unavailable(key).throttled());
			}
			else if (code(reply) == WAITING) {
				waiter.standing((long) reply.get(2));
				line.checkAfter((long) reply.get(1));
			}
			else {
				answer(waiter, request, decision(request, reply));
			}
		});
		return waiter;
	}

	/** Checks the waiters of a key after a notification. */
	public void check(String key) {
		RateLine line = this.lines.get(key);
		if (line != null && !line.isIdle()) {
			line.check();
		}
		else {
			removeIfUnknown(key);
		}
	}

	/** Removes the first in line if it belongs to no call of this node. */
	private void removeIfUnknown(String key) {
		ask("mine", key).thenAccept((reply) -> {
			String first = (String) reply.get(1);
			RateLine line = this.lines.get(key);
			if (!first.isEmpty() && (line == null || !line.has(first))) {
				this.requests.leave(key, first);
			}
		});
	}

	@Override
	public List<RedisWaiter> waiters() {
		return this.lines.values().stream().flatMap((line) -> line.waiters().stream()).toList();
	}

	@Override
	public void failAll() {
		this.lines.values().forEach((line) -> line.failAbove(0));
	}

	/** Checks all waiters after a change of the entries that keys share. */
	public void checkAll() {
		this.lines.values().forEach(RateLine::check);
	}

	@Override
	public void refreshWaiters() {
		this.lines.values().forEach(RateLine::reenterAndCheck);
	}

	@Override
	public void leaveLine() {
		this.lines.values().forEach(RateLine::leave);
	}

	@Override
	protected void reevaluate(Limit before) {
		releasePrefetched();
		int most = limit().maxPermits();
		boolean moved = isShared(before) != isShared(limit());
		this.lines.values().forEach((line) -> {
			if (moved) {
				line.stand();
			}
			line.failAbove(most);
		});
	}

	private static boolean isShared(Limit limit) {
		return LimitType.of(limit) == LimitType.DYNAMIC_WINDOW;
	}

	@Override
	protected Runnable prepareToMove(Limit before, Limit limit) {
		if (isShared(before) == isShared(limit)) {
			return super.prepareToMove(before, limit);
		}
		Relocation relocation = new Relocation(this.requests, isShared(before));
		relocation.prepare();
		return relocation::run;
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		return false;
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		return CompletableFuture.completedFuture(false);
	}

	@Override
	public boolean forget(String key) {
		releasePrefetched(key);
		return (long) node().commands().await(this.requests.giveBack("forget", key)).get(0) == 1;
	}

	@Override
	protected void requireNotHeld() {
	}

	@Override
	protected String states() {
		return isShared(limit()) ? node().names().sharingStates(resource()) : super.states();
	}

	@Override
	protected List<String> allPatterns() {
		KeyNames names = node().names();
		return List.of(names.all(resource()), names.everythingShared(resource()));
	}

	@Override
	protected CompletableFuture<KeyView> describe(String key) {
		return ask("look", key).thenApply((reply) -> {
			int limit = ((Long) reply.get(4)).intValue();
			int used = ((Long) reply.get(0)).intValue();
			int waiting = ((Long) reply.get(2)).intValue();
			KeyState state = new KeyState(key, limit, used, Math.max(0, limit - used), counts().rejectedOf(key),
					waiting, micros((long) reply.get(3)), micros((long) reply.get(1)), Optional.empty());
			return new KeyView(state, List.of());
		});
	}

}
