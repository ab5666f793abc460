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
	 * Redis has the line; here are the futures. "look" asks Redis to serve those of this
	 * node that are first and whose time has come. It is called by a timer: at the time
	 * that Redis gave, if one of ours is first, and in any case often enough for Redis to
	 * believe this node alive; and by a message, when one of ours has become first. Only
	 * a look puts the next one off: a waiter that comes later brings it forward or leaves
	 * it. One look is under way at a time, and one that is requested in the meantime
	 * follows it. Waiters that are served are so however late the answer is.
	 *
	 * A look that fails is repeated soon, and later each time, as it may have been for
	 * one of ours that is first, whom nobody else can serve. While Redis is unavailable
	 * none is sent. An answer that is late still gives the time of the next look.
	 *
	 * A waiter is in the map from before Redis can know it until its call has ended. A
	 * grant that finds no waiter, or one that has ended, is given back.
	 *
	 * Redis may lose places, with all its data or as it believed this node dead, and the
	 * answer that a waiter was served may be lost. So when nothing else has happened for
	 * a while, the waiters that Redis has confirmed to be in line enter it again, at the
	 * end. Not while an answer is outstanding, as it may serve them; and they do so under
	 * the lock, so that a waiter leaves after it.
	 *
	 * Attacked by RedisLineTests, RedisLineRecoveryTests, RedisFaultTests and
	 * RedisLineHostileTests.
	 */

	/** Time until the first look after one that has failed, in nanoseconds. */
	private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(200);

	private final RateRequests requests;

	private final NodeCounts counts;

	private final String key;

	private final Map<String, RedisWaiter> waiters = new LinkedHashMap<>();

	/** When it looks next; no later than the first of its waiters may be served. */
	private @Nullable ScheduledFuture<?> alarm;

	private boolean looking;

	private boolean recheck;

	/** How many looks have failed since the last one that has not. */
	private int failures;

	/** The last answer on who was served. */
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

	synchronized List<RedisWaiter> waiters() {
		return List.copyOf(this.waiters.values());
	}

	/** Asks Redis who may go, now or as soon as it has answered the last time. */
	void look() {
		synchronized (this) {
			if (this.waiters.isEmpty()) {
				return;
			}
			if (this.looking) {
				this.recheck = true;
				return;
			}
			cancelAlarm();
			if (this.requests.node().commands().isUnavailable()) {
				lookAfter(TimeUnit.NANOSECONDS.toMicros(RETRY));
				return;
			}
			this.looking = true;
		}
		CompletableFuture<Long> answer = this.requests.call("serve", this.key, 0, this.requests.node().leaseMicros())
			.thenApply(this::served);
		synchronized (this) {
			this.served = answer;
		}
		this.requests.node().commands().inTime(answer).whenComplete((wait, failure) -> looked(wait));
		answer.thenAccept(this::lookAfter);
	}

	/** Hands over what was granted; returns when to look again. */
	private long served(List<Object> reply) {
		long takenAt = (long) reply.get(1);
		for (Object member : reply.subList(2, reply.size())) {
			RedisWaiter waiter;
			synchronized (this) {
				waiter = this.waiters.get((String) member);
			}
			Permit permit = new RatePermit(takenAt);
			if (waiter == null) {
				this.requests.giveBack(this.key, permitsOf((String) member), takenAt);
			}
			else if (waiter.complete(permit)) {
				this.counts.admitted(waiter.permits());
			}
			else {
				this.requests.giveBack(this.key, waiter.permits(), takenAt);
			}
		}
		return (long) reply.get(0);
	}

	/** Reads from a place in line how many permits are wanted there. */
	private static int permitsOf(String member) {
		return Integer.parseInt(member.substring(member.lastIndexOf('.') + 1));
	}

	private void looked(@Nullable Long wait) {
		boolean again;
		synchronized (this) {
			this.looking = false;
			again = this.recheck;
			this.recheck = false;
			this.failures = (wait != null) ? 0 : this.failures + 1;
			if (!again && !this.waiters.isEmpty()) {
				lookAfter((wait != null) ? wait : untilRetry());
			}
		}
		if (again) {
			look();
		}
	}

	/** Returns after how many microseconds a failed look is repeated. */
	private long untilRetry() {
		return TimeUnit.NANOSECONDS.toMicros(RETRY << Math.min(this.failures - 1, 10));
	}

	/**
	 * Looks again after so many microseconds, if Redis gave a time, or to be heard of;
	 * but no later than it would already.
	 */
	synchronized void lookAfter(long wait) {
		if (this.waiters.isEmpty()) {
			return;
		}
		long beat = this.requests.node().lease().toNanos() / 3;
		long nanos = TimeUnit.MICROSECONDS.toNanos(wait);
		boolean known = wait >= 0 && nanos < beat;
		long delay = known ? nanos : beat;
		if (this.alarm != null && this.alarm.getDelay(TimeUnit.NANOSECONDS) <= delay) {
			return;
		}
		cancelAlarm();
		this.alarm = this.requests.node()
			.timer()
			.schedule(known ? this::look : this::standAndLook, delay, TimeUnit.NANOSECONDS);
	}

	/** Has waiters enter the line again whose places are lost, and looks. */
	void standAndLook() {
		synchronized (this) {
			if (!this.requests.node().commands().isUnavailable() && !this.looking && this.served.isDone()) {
				stand(this.waiters.values().stream().filter((waiter) -> waiter.isStanding()).toList());
			}
		}
		look();
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	/** Takes the places in a line that is somewhere else now. */
	void stand() {
		stand(waiters());
	}

	private void stand(List<RedisWaiter> waiters) {
		List<String> arguments = new ArrayList<>();
		arguments.add(this.requests.node().leaseMicros());
		waiters.forEach((waiter) -> arguments.add(waiter.member()));
		this.requests.ask("stand", this.key, arguments.toArray(new String[0]));
	}

	/** Ends all calls, as Redis is unavailable. */
	void leave() {
		waiters().forEach((waiter) -> waiter.reject(this.counts, RedisThrottle.RETRY, Decision.Reason.STORE));
	}

	/** Ends all calls that ask for more than a number, and looks after the others. */
	void failAbove(int permits) {
		for (RedisWaiter waiter : waiters()) {
			if (waiter.permits() > permits) {
				waiter.reject(this.counts, null, Decision.Reason.LIMIT);
			}
		}
		look();
	}

}
