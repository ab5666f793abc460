package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** The calls of this node that wait for one key of a rate. */
final class RateLine {

	/*
	 * Redis has the line; here are the futures. "look" asks Redis to serve those of this
	 * node that are first and whose time has come. It is called by a timer: at the time
	 * that Redis gave, if one of ours is first, and in any case often enough for Redis to
	 * believe this node alive; and by a message, when one of ours has become first. One
	 * look is under way at a time, and one that is asked for meanwhile follows it.
	 *
	 * A waiter is in the map from before Redis can know it until its call has ended. A
	 * grant that finds no waiter, or one that has ended, is given back.
	 *
	 * Attacked by RedisLineTests.
	 */

	private final RedisRate rate;

	private final String key;

	private final Map<String, Waiter> waiters = new LinkedHashMap<>();

	private @Nullable Future<?> alarm;

	private boolean looking;

	private boolean lookAgain;

	RateLine(RedisRate rate, String key) {
		this.rate = rate;
		this.key = key;
	}

	/** Takes a call in; returns whether this is its line still. */
	synchronized boolean add(Waiter waiter) {
		if (this.waiters.isEmpty() && !this.rate.isLineOf(this.key, this)) {
			return false;
		}
		this.waiters.put(waiter.member, waiter);
		return true;
	}

	/** Lets a call go. */
	synchronized void remove(Waiter waiter) {
		this.waiters.remove(waiter.member);
		if (this.waiters.isEmpty()) {
			this.rate.forgetLine(this.key, this);
			cancelAlarm();
		}
	}

	synchronized List<Waiter> waiters() {
		return List.copyOf(this.waiters.values());
	}

	/** Asks Redis who may go, now or as soon as it has answered the last time. */
	void look() {
		synchronized (this) {
			if (this.waiters.isEmpty()) {
				return;
			}
			if (this.looking) {
				this.lookAgain = true;
				return;
			}
			this.looking = true;
			cancelAlarm();
		}
		RedisLink link = this.rate.node.link();
		link.inTime(this.rate.ask("serve", this.key, this.rate.node.leaseMicros())).whenComplete((reply, failure) -> {
			if (reply != null) {
				served(reply);
			}
			looked((reply != null) ? (long) reply.get(0) : -1);
		});
	}

	private void served(List<Object> reply) {
		long takenAt = (long) reply.get(1);
		for (Object member : reply.subList(2, reply.size())) {
			Waiter waiter;
			synchronized (this) {
				waiter = this.waiters.get((String) member);
			}
			Permit permit = new RateGrant(takenAt);
			if (waiter == null) {
				this.rate.giveBack(this.key, RedisRate.permitsOf((String) member), takenAt);
			}
			else if (waiter.complete(permit)) {
				this.rate.counts.admitted(waiter.permits);
			}
			else {
				this.rate.giveBack(this.key, waiter.permits, takenAt);
			}
		}
	}

	private void looked(long wait) {
		boolean again;
		synchronized (this) {
			this.looking = false;
			again = this.lookAgain;
			this.lookAgain = false;
			if (!again && !this.waiters.isEmpty()) {
				lookAfter(wait);
			}
		}
		if (again) {
			look();
		}
	}

	/**
	 * Looks again after so many microseconds, if Redis gave a time, or to be heard of.
	 */
	synchronized void lookAfter(long wait) {
		if (this.looking || this.waiters.isEmpty()) {
			return;
		}
		long beat = this.rate.node.lease().toNanos() / 3;
		long nanos = (wait >= 0) ? Math.min(beat, TimeUnit.MICROSECONDS.toNanos(wait)) : beat;
		cancelAlarm();
		this.alarm = this.rate.node.timer().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	/** Takes the places in a line that is somewhere else now. */
	void stand() {
		List<String> arguments = new ArrayList<>();
		arguments.add(this.rate.node.leaseMicros());
		waiters().forEach((waiter) -> arguments.add(waiter.member));
		this.rate.ask("stand", this.key, arguments.toArray(new String[0]));
	}

	/** Ends all calls, as Redis is away. */
	void leave() {
		waiters().forEach((waiter) -> fail(waiter, RedisThrottle.RETRY, Decision.Reason.STORE));
	}

	/** Ends all calls that ask for more than a number, and looks after the others. */
	void failAbove(int permits) {
		for (Waiter waiter : waiters()) {
			if (waiter.permits > permits) {
				fail(waiter, null, Decision.Reason.LIMIT);
			}
		}
		look();
	}

	void fail(Waiter waiter, @Nullable Duration retryAfter, Decision.Reason reason) {
		if (waiter.completeExceptionally(new ThrottledException(this.rate.resource, this.key, retryAfter, reason))
				&& reason != Decision.Reason.STORE) {
			this.rate.counts.rejected(this.key);
		}
	}

}
