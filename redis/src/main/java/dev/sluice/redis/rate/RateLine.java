package dev.sluice.redis.rate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.throttle.ActiveKeys;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.redis.throttle.RedisWaiter;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.failover.NodeCounts;
import dev.sluice.throttle.internal.failover.RatePermit;
import org.jspecify.annotations.Nullable;

/** Calls of this node that wait for one key of a rate limit. */
final class RateLine implements ActiveKeys.State {

	/*
	 * Redis has the line; this class has the futures. "check" requests that Redis serve
	 * the waiters of this node that are first and can be served. A timer calls it at the
	 * time in the last reply, if a waiter of this node is first, and often enough to
	 * renew the lease of this node. A message calls it when a waiter of this node has
	 * become first. Only a check postpones the next one; a later waiter may bring it
	 * forward. One check is in flight at a time, and a check that is requested in the
	 * meantime follows it. Served waiters are completed even if the reply is late.
	 *
	 * If the user of Redis may not publish, the notification of the next node is retried.
	 *
	 * A failed check is retried with a growing delay, as a waiter of this node may be
	 * first, and no other node can serve it. No check is sent while Redis is unavailable.
	 * A late reply still determines the time of the next check.
	 *
	 * A waiter is added before its command is sent, and removed when its call has ended.
	 * A grant without a waiter, or whose waiter has ended, is returned.
	 *
	 * Redis may lose members, with all its data or because the lease of this node had
	 * expired, and the reply that a waiter was served may be lost. So after a time
	 * without other events, the waiters that Redis has confirmed enter the line again, at
	 * its end. This does not happen while a reply is outstanding, as it may serve them.
	 * The command is sent under the lock, so that a later command can remove a waiter. If
	 * it cannot be sent or fails, members may be "missing", and it is repeated soon.
	 *
	 * A member without a waiter belongs to no call: it was in Redis when its release
	 * expired, or a fail-over lost its removal. When it is the first, it is removed. If
	 * no call of this node waits, this node is notified that it is the first.
	 *
	 * Attacked by RedisLineTests, RedisLineRecoveryTests, RedisUnknownPlaceTests,
	 * DiscardedLineTests, RedisFaultTests and RedisLineHostileTests.
	 */

	/** Delay before the first retry of a failed check, in nanoseconds. */
	private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(200);

	/** Wait in a reply if another node is first and could not be notified. */
	private static final long UNNOTIFIED = -2;

	private final RateRequests requests;

	private final NodeCounts counts;

	private final String key;

	private final Map<String, RedisWaiter> waiters = new LinkedHashMap<>();

	/** Time of the next check, at the latest when the first waiter can be served. */
	private @Nullable ScheduledFuture<?> alarm;

	private boolean checking;

	private boolean recheck;

	private boolean missing;

	/** Number of checks that have failed since the last success. */
	private int failures;

	/** The last reply with served waiters. */
	private CompletableFuture<?> served = CompletableFuture.completedFuture(null);

	RateLine(RateRequests requests, NodeCounts counts, String key) {
		this.requests = requests;
		this.counts = counts;
		this.key = key;
	}

	synchronized void add(RedisWaiter waiter) {
		this.waiters.put(waiter.member(), waiter);
	}

	synchronized void remove(RedisWaiter waiter) {
		this.waiters.remove(waiter.member());
	}

	@Override
	public synchronized boolean isIdle() {
		boolean idle = this.waiters.isEmpty();
		if (idle) {
			cancelAlarm();
		}
		return idle;
	}

	/** Returns whether a call waits as a member of the line. */
	synchronized boolean has(String member) {
		return this.waiters.containsKey(member);
	}

	synchronized List<RedisWaiter> waiters() {
		return List.copyOf(this.waiters.values());
	}

	/** Sends a check now, or after the reply to the one in flight. */
	void check() {
		synchronized (this) {
			if (this.waiters.isEmpty()) {
				return;
			}
			if (this.checking) {
				this.recheck = true;
				return;
			}
			cancelAlarm();
			if (this.requests.node().commands().isUnavailable()) {
				checkAfter(TimeUnit.NANOSECONDS.toMicros(RETRY));
				return;
			}
			this.checking = true;
		}
		CompletableFuture<Long> answer = this.requests
			.call("serve", this.key, 0, this::undone, this.requests.node().leaseMicros())
			.thenApply(this::served);
		synchronized (this) {
			this.served = answer;
		}
		this.requests.node().commands().inTime(answer).whenComplete((wait, failure) -> checked(wait));
		answer.thenAccept(this::checkAfter);
	}

	/** Completes the served waiters; returns the time until the next check. */
	private long served(List<Object> reply) {
		long takenAt = (long) reply.get(1);
		for (Object member : reply.subList(3, reply.size())) {
			RedisWaiter waiter;
			synchronized (this) {
				waiter = this.waiters.get((String) member);
			}
			Permit permit = new RatePermit(takenAt);
			if (waiter == null) {
				this.requests.returnPermits(this.key, permitsOf((String) member), takenAt);
			}
			else if (waiter.complete(permit)) {
				this.counts.admitted(waiter.permits());
			}
			else {
				this.requests.returnPermits(this.key, waiter.permits(), takenAt);
			}
		}
		removeIfUnknown((String) reply.get(2));
		long wait = (long) reply.get(0);
		if (wait == UNNOTIFIED) {
			this.requests.notifyFirst(this.key);
		}
		return wait;
	}

	/**
	 * Removes the first in line if it belongs to no call of this node. A line without
	 * waiters may have been discarded, and the first may wait in a later one.
	 */
	private void removeIfUnknown(String first) {
		boolean idle;
		boolean known;
		synchronized (this) {
			idle = this.waiters.isEmpty();
			known = first.isEmpty() || this.waiters.containsKey(first);
		}
		if (!known && idle) {
			this.requests.notifyFirst(this.key);
		}
		else if (!known) {
			this.requests.leave(this.key, first);
		}
	}

	/** Returns the number of permits in a member of the line. */
	private static int permitsOf(String member) {
		return Integer.parseInt(member.substring(member.lastIndexOf('.') + 1));
	}

	private void checked(@Nullable Long wait) {
		boolean again;
		synchronized (this) {
			this.checking = false;
			again = this.recheck;
			this.recheck = false;
			this.failures = (wait != null) ? 0 : this.failures + 1;
			if (!again && !this.waiters.isEmpty()) {
				checkAfter((wait != null) ? wait : untilRetry());
			}
		}
		if (again) {
			check();
		}
	}

	/** Returns the delay in microseconds before a failed check is retried. */
	private long untilRetry() {
		return TimeUnit.NANOSECONDS.toMicros(RETRY << Math.min(this.failures - 1, 10));
	}

	/**
	 * Schedules a check after a wait in microseconds, if Redis gave one, or to renew the
	 * lease; an earlier check that is scheduled remains.
	 */
	synchronized void checkAfter(long wait) {
		if (this.waiters.isEmpty()) {
			return;
		}
		long beat = this.requests.node().lease().toNanos() / 3;
		long nanos = TimeUnit.MICROSECONDS.toNanos(wait);
		boolean known = wait >= 0 && nanos < beat;
		long delay = known ? nanos : beat;
		if (this.missing) {
			known = false;
			delay = Math.min(delay, RETRY);
		}
		if (this.alarm != null && this.alarm.getDelay(TimeUnit.NANOSECONDS) <= delay) {
			return;
		}
		cancelAlarm();
		this.alarm = this.requests.node()
			.timer()
			.schedule(known ? this::check : this::reenterAndCheck, delay, TimeUnit.NANOSECONDS);
	}

	/** Enters waiters with lost members into the line again, and sends a check. */
	void reenterAndCheck() {
		synchronized (this) {
			List<RedisWaiter> standing = this.waiters.values()
				.stream()
				.filter((waiter) -> waiter.isStanding())
				.toList();
			this.missing = !standing.isEmpty();
			if (!this.requests.node().commands().isUnavailable() && !this.checking && this.served.isDone()) {
				stand(standing);
			}
		}
		check();
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	/** Enters the waiters into a line that has moved. */
	void stand() {
		stand(waiters());
	}

	private void stand(List<RedisWaiter> waiters) {
		this.requests.ask("stand", this.key, withPlaces(waiters).toArray(new String[0]))
			.whenComplete((reply, failure) -> missing(failure != null));
	}

	/** Returns what the undo of a check adds: the waiters that stood in line. */
	private List<String> undone() {
		List<String> added = withPlaces(waiters().stream().filter(RedisWaiter::isStanding).toList());
		added.add(0, "");
		return added;
	}

	/** Returns the lease of the node, and each waiter before its place. */
	private List<String> withPlaces(List<RedisWaiter> waiters) {
		List<String> all = new ArrayList<>(List.of(this.requests.node().leaseMicros()));
		for (RedisWaiter waiter : waiters) {
			all.add(waiter.member());
			all.add(Long.toString(waiter.place()));
		}
		return all;
	}

	private synchronized void missing(boolean missing) {
		this.missing = missing;
	}

	/** Ends all calls, as Redis is unavailable. */
	void leave() {
		waiters().forEach((waiter) -> waiter.reject(this.counts, RedisThrottle.RETRY, Decision.Reason.STORE));
	}

	/**
	 * Ends the calls that request more permits than a number, and checks the others.
	 */
	void failAbove(int permits) {
		for (RedisWaiter waiter : waiters()) {
			if (waiter.permits() > permits) {
				waiter.reject(this.counts, null, Decision.Reason.LIMIT);
			}
		}
		check();
	}

}
