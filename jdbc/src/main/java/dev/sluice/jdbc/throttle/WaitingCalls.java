package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/** Calls of this node that wait for one limit. */
public final class WaitingCalls {

	/*
	 * The database has the line; here are the futures. A call is in the map from before
	 * the database can know it until its future has ended; whatever ended it without a
	 * permit takes it out of line, or gives back what it was granted meanwhile. So a
	 * grant that finds nobody here is one that is being given back.
	 */

	private static final Duration LONGEST_TIMED_WAIT = Duration.ofDays(10_000);

	private static final long POLL = TimeUnit.MILLISECONDS.toNanos(100);

	private final JdbcThrottle throttle;

	private final Node node;

	private final Map<String, Waiter> waiters = new ConcurrentHashMap<>();

	private final Set<String> serving = ConcurrentHashMap.newKeySet();

	WaitingCalls(JdbcThrottle throttle, Node node) {
		this.throttle = throttle;
		this.node = node;
	}

	public boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	CompletableFuture<Permit> enter(AcquireRequest request) {
		Waiter waiter = new Waiter(request, this.throttle.newId());
		this.waiters.put(waiter.id(), waiter);
		boolean timed = request.maxWait().compareTo(LONGEST_TIMED_WAIT) <= 0;
		long most = timed ? request.maxWait().toNanos() : Long.MAX_VALUE;
		CompletableFuture<JdbcThrottle.Entered> asked = this.throttle.enter(request, waiter.id(), most);
		waiter.whenComplete((permit, failure) -> {
			this.waiters.remove(waiter.id());
			if (permit == null) {
				asked.whenComplete((reply, lost) -> {
					if (lost != null || reply.code() == 0 || reply.code() == 3) {
						this.throttle.exit(request.key(), waiter.id());
					}
				});
			}
		});
		if (timed) {
			var end = this.node.timer()
				.schedule(() -> reject(waiter, Decision.Reason.LIMIT, null), most, TimeUnit.NANOSECONDS);
			waiter.whenComplete((permit, failure) -> end.cancel(false));
		}
		this.node.database().inTime(asked).whenComplete((reply, failure) -> entered(waiter, reply, failure));
		return waiter;
	}

	private void entered(Waiter waiter, JdbcThrottle.@Nullable Entered reply, @Nullable Throwable failure) {
		if (reply == null) {
			if (cause(failure) instanceof IllegalArgumentException wrong) {
				waiter.completeExceptionally(wrong);
			}
			else {
				failOver(waiter);
			}
		}
		else if (reply.code() == 0) {
			granted(waiter.id(), reply.value(), reply.at());
		}
		else if (reply.code() == 3) {
			serveIn(waiter.request().key(), Math.max(0, reply.value()));
		}
		else {
			try {
				Decision decision = this.throttle.decision(waiter.request(), waiter.id(), reply, waiter.since());
				waiter.completeExceptionally(decision.throttled());
			}
			catch (IllegalArgumentException ex) {
				waiter.completeExceptionally(ex);
			}
		}
	}

	static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/** Hands over a grant; returns whether it is of a call that waits here. */
	public boolean granted(String id, long token, long at) {
		Waiter waiter = this.waiters.remove(id);
		if (waiter == null) {
			return false;
		}
		Permit permit = this.throttle.granted(waiter.request(), id, token, at, System.nanoTime());
		if (!waiter.complete(permit)) {
			this.throttle.refund(waiter.request(), permit);
		}
		return true;
	}

	private void reject(Waiter waiter, Decision.Reason reason, @Nullable Duration retryAfter) {
		if (waiter.completeExceptionally(
				Decision.rejected(reason, this.throttle.resource(), waiter.request().key(), retryAfter).throttled())) {
			this.throttle.counts().rejected(waiter.request().key());
		}
	}

	/** Has the policy decide, for the time that is left. */
	private void failOver(Waiter waiter) {
		Duration left = waiter.request().maxWait().minusNanos(System.nanoTime() - waiter.since());
		CompletableFuture<Permit> here = this.throttle.failover()
			.acquire(waiter.request().maxWait(left.isNegative() ? Duration.ZERO : left));
		this.waiters.remove(waiter.id());
		here.whenComplete((permit, failure) -> {
			if (failure != null) {
				Throwable cause = cause(failure);
				waiter.completeExceptionally((cause != null) ? cause : failure);
				return;
			}
			this.throttle.exit(waiter.request().key(), waiter.id());
			if (!waiter.complete(permit)) {
				this.throttle.refund(waiter.request(), permit);
			}
		});
		waiter.whenComplete((permit, failure) -> here.cancel(false));
	}

	/** Has the policy decide on all calls, as the database is unavailable. */
	public void failOverAll() {
		this.waiters.values().forEach(this::failOver);
	}

	/** Rejects calls that ask for more than so many permits. */
	public void failAbove(int permits, Decision.Reason reason) {
		this.waiters.values()
			.stream()
			.filter((waiter) -> waiter.request().permits() > permits)
			.forEach((waiter) -> reject(waiter, reason, null));
	}

	/** Has the line of each key served that somebody waits for here. */
	public void serveAll() {
		this.waiters.values()
			.stream()
			.map((waiter) -> waiter.request().key())
			.collect(Collectors.toSet())
			.forEach(this::serve);
	}

	private void serve(String key) {
		if (this.serving.add(key)) {
			this.throttle.serve(key).whenComplete((wait, failure) -> {
				this.serving.remove(key);
				if (failure == null) {
					this.node.whenServed().run();
					serveIn(key, wait);
				}
			});
		}
	}

	/**
	 * Has a line served when its first may be, unless that is looked at sooner anyway.
	 */
	private void serveIn(String key, long nanos) {
		if (nanos >= 0 && nanos < POLL && !this.node.timer().isShutdown()) {
			this.node.timer().schedule(() -> serve(key), Math.max(1_000_000, nanos), TimeUnit.NANOSECONDS);
		}
	}

}
