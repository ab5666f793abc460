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
	 * Redis knows who holds and who waits. Here are the holds that must be renewed there,
	 * and the futures of those who wait. "keep" does both: it renews, and learns what has
	 * become of the places in line, should a message have been lost. It is called three
	 * times a lease, when a lease ends in Redis while a call waits here, and soon after
	 * it has failed, later each time. One is under way at a time, and none is sent while
	 * Redis is unavailable.
	 *
	 * A hold whose lease has ended by this node's clock, counted from before Redis was
	 * asked, is given up. A message of a grant may have been on its way for long, so its
	 * lease counts from when the token says it was granted: a token is the server's time,
	 * and "heard" is what that was before one on this node's clock. A grant that is not
	 * fresh by that is confirmed, and renewed, by "keep" before anybody has it. While an
	 * answer is outstanding the alarm is for those whose lease ends meanwhile.
	 *
	 * A waiter is here from before Redis can know it until its call has ended. It may be
	 * told of its grant more than once: by the message, by "keep", and by the answer to a
	 * call that the client has sent anew. Of a grant that has been handed over nothing is
	 * done again, and one that finds no waiter, or one that has ended, is given back.
	 *
	 * Attacked by RedisConcurrencyTests and RedisGrantTests.
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

	/** How many attempts to keep have failed since the last one that has not. */
	private int failures;

	private @Nullable ServerTime heard;

	/**
	 * Time of the server at a moment of this node.
	 *
	 * @param askedAt when this node asked, by its clock
	 * @param micros what the server answered, by its own
	 */
	private record ServerTime(long askedAt, long micros) {
	}

	/**
	 * Prepares a key with nothing to do.
	 * @param requests of the limit
	 * @param counts of the limit
	 * @param among the active keys, which it leaves when it is idle
	 * @param key the key
	 */
	ConcurrencyKey(ConcurrencyRequests requests, NodeCounts counts, ActiveKeys<ConcurrencyKey> among, String key) {
		this.requests = requests;
		this.counts = counts;
		this.among = among;
		this.key = key;
	}

	/** Notes an entry of an owner, and renews it from now on. */
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

	/** Lets a call go; gives back what it may have been granted by a late message. */
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

	/** Returns after how many nanoseconds what has a lease is renewed. */
	private long beat() {
		return this.requests.lease().toNanos() / 3;
	}

	/** Keeps after so many microseconds, or in time for the leases. */
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

	/** Renews what is held here, and asks for those in line. */
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
			.whenComplete((reply, failure) -> {
				if (reply != null) {
					kept(reply, renewed, waiting, askedAt);
				}
				giveUpOverdue();
				boolean again;
				synchronized (this) {
					this.failures = (reply != null) ? 0 : this.failures + 1;
					this.keeping = false;
					cancelAlarm();
					again = this.keepAgain;
					this.keepAgain = false;
				}
				if (again) {
					keep();
				}
				keepAfter((reply != null) ? (long) reply.get(0) : Math.min(untilRetry(), untilOverdue()));
				this.among.discardIfIdle(this.key, this);
			});
	}

	/** Returns after how many microseconds a failed attempt to keep is repeated. */
	private synchronized long untilRetry() {
		return TimeUnit.MILLISECONDS.toMicros(RETRY_MILLIS << Math.min(Math.max(0, this.failures - 1), 10));
	}

	/** Has holds given up in time, should the answer be late. */
	private synchronized void watchWhileKeeping() {
		if (this.keeping && !this.holds.isEmpty()) {
			this.alarm = this.requests.node().timer().schedule(() -> {
				giveUpOverdue();
				watchWhileKeeping();
			}, untilOverdue(), TimeUnit.MICROSECONDS);
		}
	}

	/** Notes what time it was at the server, after this node had asked. */
	synchronized void heard(long askedAt, long micros) {
		if (this.heard == null || askedAt - this.heard.askedAt > 0) {
			this.heard = new ServerTime(askedAt, micros);
		}
	}

	/**
	 * Returns a time by this node's clock at which nothing was granted to a waiter yet.
	 */
	private long beforeGrant(RedisWaiter waiter, long token) {
		if (this.heard == null) {
			return waiter.since();
		}
		long now = System.nanoTime();
		long age = now - this.heard.askedAt - TimeUnit.MICROSECONDS.toNanos(token - this.heard.micros);
		return now - Math.max(0, Math.min(age, now - waiter.since()));
	}

	private void kept(List<Object> reply, List<Holding> renewed, List<RedisWaiter> waiting, long askedAt) {
		heard(askedAt, (long) reply.get(1));
		for (int i = 0; i < renewed.size(); i++) {
			if ((long) reply.get(2 + i) == 1) {
				renewed.get(i).renewed(askedAt);
			}
			else {
				giveUp(renewed.get(i));
			}
		}
		for (int i = 0; i < waiting.size(); i++) {
			long token = (long) reply.get(2 + renewed.size() + i);
			if (token > 0) {
				grant(waiting.get(i).member(), token, askedAt);
			}
			else if (token == 0) {
				waiting.get(i).reject(this.counts, null, Decision.Reason.STORE);
			}
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

	/** Returns in how many microseconds a hold will be overdue; a second at most. */
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
	 * Hands over a grant of which a message tells, after it is confirmed if the message
	 * is late; or gives it back if its call has ended.
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

	/** Hands over a grant, or gives it back if its call has ended. */
	void answered(String member, long token, long askedAt) {
		if (!grant(member, token, askedAt)) {
			this.requests.exit(this.key, ownerOf(member), entryOf(member));
		}
	}

	/**
	 * Hands over a grant, unless that was done.
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

	/** Returns the name of the call that stands in a place in line. */
	private static String entryOf(String member) {
		String[] parts = member.split("\\.", 3);
		return parts[0] + '-' + parts[1];
	}

	private static String ownerOf(String member) {
		return member.split("\\.", 4)[3];
	}

}
