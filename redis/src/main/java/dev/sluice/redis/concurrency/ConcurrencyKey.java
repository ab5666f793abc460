package dev.sluice.redis.concurrency;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.throttle.ActiveKeys;
import dev.sluice.redis.throttle.RedisWaiter;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.internal.failover.NodeCounts;
import org.jspecify.annotations.Nullable;

/** Holdings and waiters of one key of a semaphore or mutex at this node. */
final class ConcurrencyKey implements ActiveKeys.State {

	/*
	 * Redis has the owners and the waiting line. This class has the holdings that need
	 * renewal and the futures of the waiting calls. "keep" renews the holdings and reads
	 * the state of the waiters, in case a message was lost. It runs three times a lease,
	 * when a lease expires in Redis while a call waits here, and after a failure, with a
	 * growing delay. One is in flight at a time, and none is sent while Redis is
	 * unavailable.
	 *
	 * A holding is lost when its lease has expired by this node's clock, counted from
	 * before the command was sent. The message of a grant may be delayed, so its lease
	 * counts from the time of the grant. The token is that time by the server's clock,
	 * and "serverTime" maps the server's clock to this node's. A grant that is not recent
	 * is confirmed and renewed by "keep" before the caller gets it. While a reply is
	 * outstanding, the alarm is for holdings that expire before it arrives.
	 *
	 * A waiter is added before its command is sent, and removed when its call has ended.
	 * It may be notified of its grant more than once: by the message, by "keep", and by
	 * the reply to a command that the client has repeated. A repeated notification of a
	 * completed grant has no effect. A grant without a waiter, or whose waiter has ended,
	 * is released.
	 *
	 * A member of the line without a waiter or a holding belongs to no call: its release
	 * expired while Redis was unavailable, or a fail-over has lost its removal. When it
	 * is the first, it is removed. "keep" of a call behind it notifies its node.
	 *
	 * Attacked by RedisConcurrencyTests, RedisGrantTests, RedisUnknownPlaceTests and
	 * DiscardedKeyTests.
	 */

	private static final long RETRY_MILLIS = 200;

	private final ConcurrencyRequests requests;

	private final NodeCounts counts;

	private final ActiveKeys<ConcurrencyKey> among;

	private final String key;

	private final Map<Long, Holding> holds = new LinkedHashMap<>();

	private final Map<String, RedisWaiter> waiters = new LinkedHashMap<>();

	private @Nullable ScheduledFuture<?> alarm;

	private boolean keeping;

	private boolean keepAgain;

	/** Number of "keep" commands that have failed since the last success. */
	private int failures;

	private @Nullable ServerTime serverTime;

	/**
	 * Time of the server at a time of this node.
	 *
	 * @param askedAt the time when this node sent the command, by its clock
	 * @param micros the time in the reply, by the server's clock
	 */
	private record ServerTime(long askedAt, long micros) {
	}

	/**
	 * Creates an idle key.
	 * @param requests the requests of the limit
	 * @param counts the counts of the limit
	 * @param among the active keys; this key is removed from them when it is idle
	 * @param key the key
	 */
	ConcurrencyKey(ConcurrencyRequests requests, NodeCounts counts, ActiveKeys<ConcurrencyKey> among, String key) {
		this.requests = requests;
		this.counts = counts;
		this.among = among;
		this.key = key;
	}

	/** Adds an entry of an owner, and renews it from now on. */
	synchronized ConcurrencyPermit enter(String owner, String entry, long token, long askedAt) {
		Holding hold = this.holds.computeIfAbsent(token, (absent) -> new Holding(owner, absent, this::exit));
		hold.enter(entry, askedAt);
		keepAfter(TimeUnit.NANOSECONDS.toMicros(Math.max(0, askedAt + beat() - System.nanoTime())));
		return new ConcurrencyPermit(hold, entry);
	}

	private void exit(Holding hold, String entry) {
		synchronized (this) {
			if (hold.leave(entry)) {
				this.holds.remove(hold.token(), hold);
			}
		}
		this.requests.exit(this.key, hold.owner(), entry);
		this.among.discardIfIdle(this.key, this);
	}

	synchronized void add(RedisWaiter waiter) {
		this.waiters.put(waiter.member(), waiter);
	}

	/** Removes a waiter, and releases a grant that a late message may have brought. */
	void remove(RedisWaiter waiter) {
		boolean unconfirmed;
		synchronized (this) {
			unconfirmed = this.waiters.remove(waiter.member()) != null && waiter.isUnconfirmed();
		}
		if (unconfirmed) {
			this.requests.exit(this.key, ownerOf(waiter.member()), entryOf(waiter.member()));
		}
		this.among.discardIfIdle(this.key, this);
	}

	@Override
	public synchronized boolean isIdle() {
		boolean idle = this.holds.isEmpty() && this.waiters.isEmpty();
		if (idle) {
			cancelAlarm();
		}
		return idle;
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	synchronized List<RedisWaiter> waiters() {
		return List.copyOf(this.waiters.values());
	}

	/** Returns the interval of renewals in nanoseconds. */
	private long beat() {
		return this.requests.lease().toNanos() / 3;
	}

	/**
	 * Schedules "keep" after a wait in microseconds, or earlier if a renewal is due.
	 */
	synchronized void keepAfter(long wait) {
		if (this.keeping || isIdle()) {
			return;
		}
		long nanos = (wait >= 0) ? Math.min(beat(), TimeUnit.MICROSECONDS.toNanos(wait)) : beat();
		if (this.alarm != null) {
			if (this.alarm.getDelay(TimeUnit.NANOSECONDS) <= nanos) {
				return;
			}
			cancelAlarm();
		}
		this.alarm = this.requests.node().timer().schedule(this::keep, nanos, TimeUnit.NANOSECONDS);
	}

	/** Renews the holdings of this node, and reads the state of its waiters. */
	void keep() {
		giveUpOverdue();
		List<Holding> renewed;
		List<RedisWaiter> waiting;
		synchronized (this) {
			if (this.keeping) {
				this.keepAgain = true;
				return;
			}
			cancelAlarm();
			if (isIdle()) {
				return;
			}
			if (this.requests.node().commands().isUnavailable()) {
				keepAfter(Math.min(untilRetry(), untilOverdue()));
				return;
			}
			this.keeping = true;
			watchWhileKeeping();
			renewed = List.copyOf(this.holds.values());
			waiting = List.copyOf(this.waiters.values());
		}
		List<String> arguments = new ArrayList<>();
		arguments.add(Integer.toString(renewed.size()));
		renewed.forEach((hold) -> {
			arguments.add(hold.owner());
			arguments.add(Long.toString(hold.token()));
		});
		waiting.forEach((waiter) -> arguments.add(waiter.member()));
		long askedAt = System.nanoTime();
		this.requests.node()
			.commands()
			.inTime(this.requests.ask("keep", this.key, arguments.toArray(new String[0])))
			.thenApply((reply) -> kept(reply, renewed, waiting, askedAt))
			.whenComplete((wait, failure) -> {
				giveUpOverdue();
				boolean again;
				synchronized (this) {
					this.failures = (wait != null) ? 0 : this.failures + 1;
					this.keeping = false;
					cancelAlarm();
					again = this.keepAgain;
					this.keepAgain = false;
				}
				if (again) {
					keep();
				}
				keepAfter((wait != null) ? wait : Math.min(untilRetry(), untilOverdue()));
				this.among.discardIfIdle(this.key, this);
			});
	}

	/** Returns the delay in microseconds before a failed "keep" is repeated. */
	private synchronized long untilRetry() {
		return TimeUnit.MILLISECONDS.toMicros(RETRY_MILLIS << Math.min(Math.max(0, this.failures - 1), 10));
	}

	/** Gives up expired holdings in time while a reply is outstanding. */
	private synchronized void watchWhileKeeping() {
		if (this.keeping && !this.holds.isEmpty()) {
			this.alarm = this.requests.node().timer().schedule(() -> {
				giveUpOverdue();
				watchWhileKeeping();
			}, untilOverdue(), TimeUnit.MICROSECONDS);
		}
	}

	/** Records the server's time in the reply to a command of this node. */
	synchronized void recordTime(long askedAt, long micros) {
		if (this.serverTime == null || askedAt - this.serverTime.askedAt > 0) {
			this.serverTime = new ServerTime(askedAt, micros);
		}
	}

	/**
	 * Returns a time by this node's clock that precedes the grant of a waiter.
	 */
	private long beforeGrant(RedisWaiter waiter, long token) {
		if (this.serverTime == null) {
			return waiter.since();
		}
		long now = System.nanoTime();
		long age = now - this.serverTime.askedAt - TimeUnit.MICROSECONDS.toNanos(token - this.serverTime.micros);
		return now - Math.max(0, Math.min(age, now - waiter.since()));
	}

	/** Returns the time until the next renewal, in microseconds. */
	private long kept(List<Object> reply, List<Holding> renewed, List<RedisWaiter> waiting, long askedAt) {
		recordTime(askedAt, (long) reply.get(1));
		removeIfUnknown((String) reply.get(2));
		for (int i = 0; i < renewed.size(); i++) {
			if ((long) reply.get(3 + i) == 1) {
				renewed.get(i).renewed(askedAt);
			}
			else {
				giveUp(renewed.get(i));
			}
		}
		for (int i = 0; i < waiting.size(); i++) {
			long token = (long) reply.get(3 + renewed.size() + i);
			if (token > 0) {
				grant(waiting.get(i).member(), token, askedAt);
			}
			else if (token == 0) {
				waiting.get(i).reject(this.counts, null, Decision.Reason.STORE);
			}
		}
		return (long) reply.get(0);
	}

	/**
	 * Removes the first in line if it belongs to no call of this node. If this key was
	 * discarded in the meantime, the first may belong to a call of a later one.
	 */
	void removeIfUnknown(String first) {
		if (first.isEmpty() || this.among.get(this.key) != this) {
			return;
		}
		boolean known;
		synchronized (this) {
			known = this.waiters.containsKey(first)
					|| this.holds.values().stream().anyMatch((hold) -> hold.has(entryOf(first)));
		}
		if (!known) {
			this.requests.leave(this.key, first);
		}
	}

	private void giveUpOverdue() {
		List<Holding> all;
		synchronized (this) {
			all = List.copyOf(this.holds.values());
		}
		long overdue = System.nanoTime() - this.requests.lease().toNanos();
		for (Holding hold : all) {
			if (hold.renewedAt() - overdue <= 0) {
				giveUp(hold);
			}
		}
	}

	/** Returns the time in microseconds until a lease expires; a second at most. */
	private synchronized long untilOverdue() {
		long now = System.nanoTime() - this.requests.lease().toNanos();
		long wait = TimeUnit.SECONDS.toNanos(1);
		for (Holding hold : this.holds.values()) {
			wait = Math.min(wait, Math.max(0, hold.renewedAt() - now));
		}
		return TimeUnit.NANOSECONDS.toMicros(wait) + 1;
	}

	private void giveUp(Holding hold) {
		boolean held;
		synchronized (this) {
			held = this.holds.remove(hold.token(), hold);
		}
		if (held) {
			hold.lose();
		}
	}

	/**
	 * Completes a waiter by the grant in a message. A late grant is confirmed first, and
	 * a grant whose call has ended is released.
	 */
	void notified(String member, long token) {
		long grantedAt = 0;
		boolean late = false;
		synchronized (this) {
			RedisWaiter waiter = this.waiters.get(member);
			if (waiter != null) {
				grantedAt = beforeGrant(waiter, token);
				late = System.nanoTime() - grantedAt >= beat();
				waiter.unconfirmed(late);
			}
		}
		if (late) {
			keep();
		}
		else {
			answered(member, token, grantedAt);
		}
	}

	/** Completes a waiter by its grant, or releases the grant if its call has ended. */
	void answered(String member, long token, long askedAt) {
		if (!grant(member, token, askedAt)) {
			this.requests.exit(this.key, ownerOf(member), entryOf(member));
		}
	}

	/**
	 * Completes a waiter by its grant, unless that is done.
	 * @return {@code false} if its call has ended
	 */
	private boolean grant(String member, long token, long askedAt) {
		RedisWaiter waiter;
		ConcurrencyPermit grant;
		synchronized (this) {
			waiter = this.waiters.remove(member);
			if (waiter == null) {
				Holding hold = this.holds.get(token);
				return hold != null && hold.has(entryOf(member));
			}
			grant = enter(ownerOf(member), entryOf(member), token, askedAt);
		}
		if (waiter.complete(grant)) {
			this.counts.admitted(waiter.permits());
		}
		else {
			grant.close();
		}
		return true;
	}

	/** Returns the entry of a member of the waiting line. */
	private static String entryOf(String member) {
		String[] parts = member.split("\\.", 3);
		return parts[0] + '-' + parts[1];
	}

	private static String ownerOf(String member) {
		return member.split("\\.", 4)[3];
	}

}
