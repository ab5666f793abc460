package dev.sluice.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.throttle.Decision;
import org.jspecify.annotations.Nullable;

/** One key of a semaphore or mutex, as far as this node has to do with it. */
final class HeldKey {

	/*
	 * Redis knows who holds and who waits. Here are the holds that must be renewed there,
	 * and the futures of those who wait. "keep" does both: it renews, and learns what has
	 * become of the places in line, should a message have been lost. It is called three
	 * times a lease, and when a lease ends in Redis while somebody waits here. One is
	 * under way at a time.
	 *
	 * A hold whose lease has ended by this node's clock, counted from before Redis was
	 * asked, or from when its message came, is given up.
	 *
	 * A waiter is here from before Redis can know it until its call has ended. A grant
	 * that finds no waiter, or one that has ended, is given back.
	 *
	 * Attacked by RedisHeldTests.
	 */

	private final RedisHeld throttle;

	private final String key;

	private final Map<Long, Hold> holds = new LinkedHashMap<>();

	private final Map<String, Waiter> waiters = new LinkedHashMap<>();

	/** Grants that were found without a message. */
	private final Set<String> found = new HashSet<>();

	private @Nullable ScheduledFuture<?> alarm;

	private boolean keeping;

	HeldKey(RedisHeld throttle, String key) {
		this.throttle = throttle;
		this.key = key;
	}

	/** Notes an entry of an owner, and renews it from now on. */
	synchronized HeldGrant enter(String owner, long token, long askedAt) {
		Hold hold = this.holds.computeIfAbsent(token, (absent) -> new Hold(this, owner, absent));
		hold.enter(askedAt);
		keepAfter(-1);
		return new HeldGrant(hold);
	}

	void exit(Hold hold) {
		synchronized (this) {
			if (hold.leave()) {
				this.holds.remove(hold.token(), hold);
			}
		}
		this.throttle.exit(this.key, hold.owner(), hold.token());
		this.throttle.forgetIfIdle(this.key, this);
	}

	synchronized void add(Waiter waiter) {
		this.waiters.put(waiter.member, waiter);
	}

	void remove(Waiter waiter) {
		synchronized (this) {
			this.waiters.remove(waiter.member);
		}
		this.throttle.forgetIfIdle(this.key, this);
	}

	/** Returns whether there is nothing to do here; nothing can come then. */
	synchronized boolean isIdle() {
		boolean idle = this.holds.isEmpty() && this.waiters.isEmpty();
		if (idle && this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
		return idle;
	}

	synchronized List<Waiter> waiters() {
		return List.copyOf(this.waiters.values());
	}

	/** Keeps after so many microseconds, or in time for the leases. */
	synchronized void keepAfter(long wait) {
		if (this.keeping || isIdle()) {
			return;
		}
		long beat = this.throttle.lease().toNanos() / 3;
		long nanos = (wait >= 0) ? Math.min(beat, TimeUnit.MICROSECONDS.toNanos(wait)) : beat;
		if (this.alarm != null) {
			if (this.alarm.getDelay(TimeUnit.NANOSECONDS) <= nanos) {
				return;
			}
			this.alarm.cancel(false);
		}
		this.alarm = this.throttle.node.timer().schedule(this::keep, nanos, TimeUnit.NANOSECONDS);
	}

	private void keep() {
		List<Hold> renewed;
		List<Waiter> waiting;
		synchronized (this) {
			this.alarm = null;
			if (this.keeping || isIdle()) {
				return;
			}
			this.keeping = true;
			renewed = List.copyOf(this.holds.values());
			waiting = List.copyOf(this.waiters.values());
		}
		List<String> arguments = new ArrayList<>();
		arguments.add(Integer.toString(renewed.size()));
		renewed.forEach((hold) -> {
			arguments.add(hold.owner());
			arguments.add(Long.toString(hold.token()));
		});
		waiting.forEach((waiter) -> arguments.add(waiter.member));
		long askedAt = System.nanoTime();
		this.throttle.node.link()
			.inTime(this.throttle.ask("keep", this.key, arguments.toArray(new String[0])))
			.whenComplete((reply, failure) -> {
				if (reply != null) {
					kept(reply, renewed, waiting, askedAt);
				}
				giveUpOverdue();
				synchronized (this) {
					this.keeping = false;
				}
				keepAfter((reply != null) ? (long) reply.get(0) : untilOverdue());
				this.throttle.forgetIfIdle(this.key, this);
			});
	}

	private void kept(List<Object> reply, List<Hold> renewed, List<Waiter> waiting, long askedAt) {
		for (int i = 0; i < renewed.size(); i++) {
			if ((long) reply.get(1 + i) == 1) {
				renewed.get(i).renewed(askedAt);
			}
			else {
				giveUp(renewed.get(i));
			}
		}
		for (int i = 0; i < waiting.size(); i++) {
			long token = (long) reply.get(1 + renewed.size() + i);
			if (token > 0) {
				find(waiting.get(i).member, token, askedAt);
			}
			else if (token == 0) {
				this.throttle.fail(waiting.get(i), this.key, Decision.Reason.STORE);
			}
		}
	}

	/** Hands over a grant that was found before the message came, which still may. */
	private void find(String member, long token, long askedAt) {
		synchronized (this) {
			if (this.waiters.containsKey(member)) {
				this.found.add(member);
			}
		}
		grant(member, token, askedAt);
	}

	private void giveUpOverdue() {
		List<Hold> all;
		synchronized (this) {
			all = List.copyOf(this.holds.values());
		}
		long overdue = System.nanoTime() - this.throttle.lease().toNanos();
		for (Hold hold : all) {
			if (hold.renewedAt() - overdue <= 0) {
				giveUp(hold);
			}
		}
	}

	/** Returns in how many microseconds a hold will be overdue; a second at most. */
	private synchronized long untilOverdue() {
		long now = System.nanoTime() - this.throttle.lease().toNanos();
		long wait = TimeUnit.SECONDS.toNanos(1);
		for (Hold hold : this.holds.values()) {
			wait = Math.min(wait, Math.max(0, hold.renewedAt() - now));
		}
		return TimeUnit.NANOSECONDS.toMicros(wait);
	}

	private void giveUp(Hold hold) {
		boolean held;
		synchronized (this) {
			held = this.holds.remove(hold.token(), hold);
		}
		if (held) {
			hold.lose();
		}
	}

	/**
	 * Hands over a grant of which a message tells, or gives it back if its call has
	 * ended.
	 */
	void told(String member, long token) {
		synchronized (this) {
			if (this.found.remove(member)) {
				return;
			}
		}
		if (!grant(member, token, System.nanoTime())) {
			this.throttle.exit(this.key, RedisHeld.ownerOf(member), token);
		}
	}

	/** Hands over a grant, unless that was done or its call has ended. */
	private boolean grant(String member, long token, long askedAt) {
		Waiter waiter;
		HeldGrant grant;
		synchronized (this) {
			waiter = this.waiters.remove(member);
			if (waiter == null) {
				return false;
			}
			grant = enter(RedisHeld.ownerOf(member), token, askedAt);
		}
		if (waiter.complete(grant)) {
			this.throttle.counts.admitted(waiter.permits);
		}
		else {
			grant.close();
		}
		return true;
	}

}
