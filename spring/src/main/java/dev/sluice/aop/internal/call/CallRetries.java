package dev.sluice.aop.internal.call;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for a retry. Their number is bounded, because each is kept until then;
 * beyond the bound a call is rejected immediately.
 */
public final class CallRetries {

	/*
	 * A call is added to "scheduled" before "closed" is read, and "closed" is written
	 * before "scheduled" is read. A call that is to be retried is therefore rejected by
	 * one of the two threads. "pending" is increased before a call is scheduled, and
	 * decreased when that fails or ends. Attacked by CallRetriesTests.
	 */

	/** Maximum number of calls that wait for a retry. */
	static final int LIMIT = 10_000;

	private final NanoClock clock;

	private final Executor executor;

	private final AtomicInteger pending = new AtomicInteger();

	/** The calls that {@link #pending} counts, but for the time of a change. */
	private final Set<Attempts> scheduled = ConcurrentHashMap.newKeySet();

	/** Written before the scheduled calls are rejected, and read after one was added. */
	private volatile boolean closed;

	/**
	 * Creates the retries.
	 * @param clock measures the delays
	 * @param executor runs the retries, and makes the calls that are then admitted
	 */
	public CallRetries(NanoClock clock, Executor executor) {
		this.clock = clock;
		this.executor = executor;
	}

	/**
	 * Acquires permits, immediately or by a retry.
	 * @return a future for the permits. Fails with the last rejection; cancelling ends
	 * it.
	 */
	CompletableFuture<Permit> acquire(ThrottlingManager manager, AcquireRequest[] requests, CallRetryPolicy policy) {
		Attempts attempts = new Attempts(manager, requests, policy);
		attempts.next();
		return attempts;
	}

	/**
	 * Rejects the calls that are to be tried again, and from now on each that would be.
	 */
	public void close() {
		this.closed = true;
		this.scheduled.forEach(Attempts::reject);
	}

	/** Attempts of one call. */
	private final class Attempts extends CompletableFuture<Permit> {

		/*
		 * One attempt at a time: the next is scheduled when one has been rejected. A call
		 * counts as pending from then until "due" is completed, once, by the clock, by
		 * the end of this future from outside, or by a clock that fails. Attacked by
		 * CallRetriesTests.
		 */

		private final ThrottlingManager manager;

		private final AcquireRequest[] requests;

		private final CallRetryPolicy policy;

		private volatile @Nullable CompletableFuture<Void> due;

		private int retries;

		/** Written before this call is scheduled. */
		private @Nullable ThrottledException lastRejection;

		Attempts(ThrottlingManager manager, AcquireRequest[] requests, CallRetryPolicy policy) {
			this.manager = manager;
			this.requests = requests;
			this.policy = policy;
			whenComplete((permit, failure) -> {
				CompletableFuture<Void> due = this.due;
				if (due != null) {
					due.cancel(false);
				}
			});
		}

		void next() {
			this.manager.acquire(this.requests).whenComplete((permit, failure) -> {
				if (failure == null) {
					if (!complete(permit)) {
						permit.close();
					}
				}
				else if (!(failure instanceof ThrottledException rejection) || !scheduled(rejection)) {
					completeExceptionally(failure);
				}
			});
		}

		private boolean scheduled(ThrottledException rejection) {
			if (isDone() || this.retries == this.policy.maxRetries()) {
				return false;
			}
			if (CallRetries.this.pending.incrementAndGet() > LIMIT) {
				CallRetries.this.pending.decrementAndGet();
				return false;
			}
			this.retries++;
			this.lastRejection = rejection;
			CallRetries.this.scheduled.add(this);
			CompletableFuture<Void> due = new CompletableFuture<>();
			due.whenComplete((nothing, failure) -> {
				CallRetries.this.scheduled.remove(this);
				CallRetries.this.pending.decrementAndGet();
			});
			due.thenRunAsync(this::again, CallRetries.this.executor).exceptionally((failure) -> {
				completeExceptionally(Failures.cause(failure));
				return null;
			});
			this.due = due;
			try {
				Future<?> alarm = CallRetries.this.clock.schedule(() -> due.complete(null),
						this.policy.delay(rejection.retryAfter()));
				due.whenComplete((nothing, failure) -> alarm.cancel(false));
			}
			catch (Throwable ex) {
				due.completeExceptionally(ex);
				return true;
			}
			if (CallRetries.this.closed) {
				reject();
			}
			if (isDone()) {
				due.cancel(false);
			}
			return true;
		}

		private void reject() {
			completeExceptionally(Objects.requireNonNull(this.lastRejection));
		}

		private void again() {
			if (!isDone()) {
				next();
			}
		}

	}

}
