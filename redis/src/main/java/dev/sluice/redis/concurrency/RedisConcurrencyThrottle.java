package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/** Semaphore or mutex in Redis. */
public final class RedisConcurrencyThrottle extends RedisThrottle {

	/*
	 * A key is changed while it is locked in "keys". "numbers" gives each call of this
	 * node an entry of its own, by which a grant is undone if its reply comes too late or
	 * is lost. Attacked by RedisFaultTests and RedisConcurrencyTests.
	 */

	private static final int GRANTED = 0;

	private static final int LIMIT = 1;

	private static final int LINE = 2;

	private static final int WAITING = 3;

	private static final int HOLDS_LESS = 4;

	private final ConcurrencyRequests requests;

	private final ActiveKeys<ConcurrencyKey> keys;

	private final AtomicLong numbers = new AtomicLong();

	public RedisConcurrencyThrottle(RedisNode node, String resource, Definition definition) {
		super(node, resource, definition);
		this.requests = new ConcurrencyRequests(node, resource, this::definition);
		this.keys = new ActiveKeys<>((keys, key) -> new ConcurrencyKey(this.requests, counts(), keys, key));
	}

	@Override
	protected CompletableFuture<List<Object>> ask(String operation, String key, String... arguments) {
		return this.requests.ask(operation, key, arguments);
	}

	private static long value(List<Object> reply) {
		return (long) reply.get(1);
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		CommandSender.requireMayBlock();
		return whileOpen(request, this::askAndWait);
	}

	private Decision askAndWait(AcquireRequest request) {
		String entry = entry();
		long askedAt = System.nanoTime();
		CompletableFuture<List<Object>> asked = take(request, entry);
		try {
			return decision(request, entry, node().commands().await(asked), askedAt);
		}
		catch (StoreUnavailableException ex) {
			undoIfTaken(asked, request, entry);
			return unavailable(request.key());
		}
	}

	/** Returns a name for a call, by which Redis finds its grant. */
	private String entry() {
		return node().name() + '-' + this.numbers.incrementAndGet();
	}

	/** Returns the owner in Redis; a call without an owner is its own. */
	private static String owner(AcquireRequest request, String entry) {
		String owner = request.owner();
		return (owner != null) ? KeyNames.escape(owner) : entry;
	}

	private CompletableFuture<List<Object>> take(AcquireRequest request, String entry) {
		return ask("take", request.key(), owner(request, entry), Integer.toString(request.permits()), entry);
	}

	private Decision decision(AcquireRequest request, String entry, List<Object> reply, long askedAt) {
		int code = code(reply);
		if (code == GRANTED && System.nanoTime() - askedAt >= this.requests.lease().toNanos()) {
			this.requests.exit(request.key(), owner(request, entry), entry);
			return unavailable(request.key());
		}
		if (code == GRANTED) {
			counts().admitted(request.permits());
			return Decision.admitted(enter(request.key(), owner(request, entry), entry, value(reply), askedAt));
		}
		if (code == LIMIT || code == LINE) {
			counts().rejected(request.key());
			return Decision.rejected((code == LIMIT) ? Decision.Reason.LIMIT : Decision.Reason.LINE, resource(),
					request.key(), null);
		}
		throw new IllegalArgumentException("'permits' must be at most " + value(reply) + ", "
				+ ((code == HOLDS_LESS) ? "which the same owner holds of '"
						: "for which the same owner already waits at '")
				+ resource() + "' already: " + request.permits());
	}

	private ConcurrencyPermit enter(String key, String owner, String entry, long token, long askedAt) {
		ConcurrencyPermit[] permit = new ConcurrencyPermit[1];
		this.keys.update(key, (held) -> permit[0] = held.enter(owner, entry, token, askedAt));
		return permit[0];
	}

	/** Releases a grant that came too late for its caller. */
	private void undoIfTaken(CompletableFuture<List<Object>> asked, AcquireRequest request, String entry) {
		String owner = owner(request, entry);
		asked.whenComplete((reply, failure) -> {
			if (failure != null) {
				this.requests.undoIfRun(failure, "exit", request.key(), owner, entry);
			}
			else if (code(reply) == GRANTED) {
				this.requests.exit(request.key(), owner, entry);
			}
		});
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		permit.close();
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		return whileOpenAsync(request, request.maxWait().isZero() ? this::acquireAtOnce : this::acquireInLine);
	}

	private CompletableFuture<Permit> acquireAtOnce(AcquireRequest request) {
		String entry = entry();
		long askedAt = System.nanoTime();
		CompletableFuture<List<Object>> asked = take(request, entry);
		CompletableFuture<Permit> acquired = new CompletableFuture<>();
		node().commands().whenAnswered(asked, acquired, (reply, failure) -> {
			if (failure != null) {
				undoIfTaken(asked, request, entry);
				acquired.completeExceptionally(unavailable(request.key()).throttled());
			}
			else {
				answer(acquired, request, decision(request, entry, reply, askedAt));
			}
		});
		return acquired;
	}

	private CompletableFuture<Permit> acquireInLine(AcquireRequest request) {
		String entry = entry();
		String member = entry.replace('-', '.') + '.' + request.permits() + '.' + owner(request, entry);
		RedisWaiter waiter = new RedisWaiter(request, member);
		ConcurrencyKey held = this.keys.update(request.key(), (key) -> key.add(waiter));
		endInTime(waiter, request.maxWait());
		String named = (request.owner() != null) ? "1" : "0";
		long askedAt = System.nanoTime();
		CompletableFuture<List<Object>> asked = ask("enter", request.key(), member, named);
		waiter.leaveBy((permit, failure) -> {
			held.remove(waiter);
			if (permit == null) {
				this.requests.leave(request.key(), member);
			}
		});
		node().commands().whenAnswered(asked, waiter, (reply, failure) -> {
			if (failure != null) {
				asked.exceptionally((lost) -> {
					this.requests.undoIfRun(lost, "leave", request.key(), member);
					return List.of();
				});
				waiter.completeExceptionally(unavailable(request.key()).throttled());
			}
			else if (code(reply) == WAITING) {
				held.recordTime(askedAt, (long) reply.get(2));
				held.keepAfter(value(reply));
			}
			else if (code(reply) == GRANTED && System.nanoTime() - askedAt < this.requests.lease().toNanos()) {
				held.answered(member, value(reply), askedAt);
			}
			else {
				answer(waiter, request, decision(request, entry, reply, askedAt));
			}
		});
		return waiter;
	}

	/** Completes a waiter by its grant. */
	public void granted(String key, String member, long token) {
		ConcurrencyKey held = this.keys.update(key, (known) -> {
		});
		held.notified(member, token);
		this.keys.discardIfIdle(key, held);
	}

	/** Removes the first in line if it belongs to no call of this node. */
	public void check(String key) {
		ask("mine", key).thenAccept((reply) -> {
			ConcurrencyKey held = this.keys.update(key, (known) -> {
			});
			held.removeIfUnknown((String) reply.get(1));
			this.keys.discardIfIdle(key, held);
		});
	}

	@Override
	public List<RedisWaiter> waiters() {
		return this.keys.values().stream().flatMap((held) -> held.waiters().stream()).toList();
	}

	@Override
	public void failAll() {
		failAbove(0);
	}

	@Override
	public void refreshWaiters() {
		this.keys.values().forEach(ConcurrencyKey::keep);
	}

	@Override
	public void leaveLine() {
		waiters().forEach((waiter) -> waiter.reject(counts(), null, Decision.Reason.STORE));
	}

	@Override
	protected void reevaluate(Limit before) {
		failAbove(limit().maxPermits());
	}

	private void failAbove(int permits) {
		waiters().stream()
			.filter((waiter) -> waiter.permits() > permits)
			.forEach((waiter) -> waiter.reject(counts(), null, Decision.Reason.LIMIT));
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		return (long) node().commands().await(ask("free", key, KeyNames.escape(owner), "0")).get(0) == 1;
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		return this.requests.free(key, KeyNames.escape(owner));
	}

	@Override
	public boolean forget(String key) {
		return false;
	}

	@Override
	protected void requireNotHeld() {
		long[] held = new long[1];
		node().commands()
			.scan(states(),
					(states) -> states.forEach((state) -> held[0] += node().commands()
						.await(describe(node().names().keyOf(resource(), state)))
						.state()
						.used()));
		if (held[0] > 0) {
			throw new IllegalStateException("Throttle '" + resource()
					+ "' cannot be removed while its permits are held (at present: " + held[0] + ")");
		}
	}

	@Override
	protected CompletableFuture<KeyView> describe(String key) {
		return ask("look", key).thenApply((reply) -> {
			int limit = limit().limit();
			int held = ((Long) reply.get(0)).intValue();
			int waiting = ((Long) reply.get(1)).intValue();
			List<Holder> holders = new ArrayList<>();
			for (int i = 2; i < reply.size(); i += 3) {
				Instant since = Instant.EPOCH.plus((long) reply.get(i + 2), ChronoUnit.MICROS);
				String owner = KeyNames.unescape((String) reply.get(i));
				holders.add(new Holder(key, owner, ((Long) reply.get(i + 1)).intValue(), since, waiting));
			}
			KeyState state = new KeyState(key, limit, held, Math.max(0, limit - held), counts().rejectedOf(key),
					waiting, (waiting == 0 && held < limit) ? Duration.ZERO : null, Duration.ZERO,
					holders.stream().findFirst());
			return new KeyView(state, holders);
		});
	}

}
