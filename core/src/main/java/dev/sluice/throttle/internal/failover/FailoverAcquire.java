package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.store.StoredThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Call that waits in line at the server, or at this node while the server is unavailable.
 */
final class FailoverAcquire extends CompletableFuture<Permit> {

	/*
	 * "attempt" is the future that the call currently waits for. It is replaced when it
	 * ends: the server or the store fails it, or "returnToServer" cancels it. The line at
	 * this node distinguishes the two by the cancellation. If this future is completed
	 * from outside, its attempt is cancelled, as is a later attempt. A grant that arrives
	 * too late is refunded.
	 *
	 * Attacked by FailoverTests and JdbcFailoverTests.
	 */

	private final AcquireRequest request;

	private final ServerThrottle stored;

	private final Confirmation confirmation;

	private final FailoverDecisions decisions;

	private final Set<FailoverAcquire> waiting;

	private final long since = System.nanoTime();

	private volatile @Nullable CompletableFuture<Permit> attempt;

	/**
	 * Creates a call without sending a command.
	 * @param request the request for permits
	 * @param stored the limit at the server
	 * @param confirmation the confirmation of grants by the server
	 * @param decisions the decisions without the server
	 * @param waiting the calls in line at this node, to which this call is added while it
	 * waits
	 */
	FailoverAcquire(AcquireRequest request, ServerThrottle stored, Confirmation confirmation,
			FailoverDecisions decisions, Set<FailoverAcquire> waiting) {
		this.request = request;
		this.stored = stored;
		this.confirmation = confirmation;
		this.decisions = decisions;
		this.waiting = waiting;
		whenComplete((permit, failure) -> {
			CompletableFuture<Permit> last = this.attempt;
			if (last != null) {
				last.cancel(false);
			}
		});
	}

	/**
	 * Joins the line at the server. While the server is unavailable, applies the policy.
	 */
	void ask() {
		try {
			if (this.stored.isUnavailable()) {
				decide();
			}
			else {
				CompletableFuture<Permit> asked = this.stored.acquire(rest());
				follow(asked);
				asked.whenComplete(this::answered);
			}
		}
		catch (RuntimeException ex) {
			completeExceptionally(ex);
		}
	}

	/** Returns the request with the rest of its wait time. */
	private AcquireRequest rest() {
		Duration left = this.request.maxWait().minusNanos(System.nanoTime() - this.since);
		return this.request.maxWait(left.isNegative() ? Duration.ZERO : left);
	}

	private void follow(CompletableFuture<Permit> next) {
		this.attempt = next;
		if (isDone()) {
			next.cancel(false);
		}
	}

	private void answered(@Nullable Permit permit, @Nullable Throwable failure) {
		if (permit != null) {
			this.confirmation.confirmInTime().whenComplete((confirmed, unconfirmed) -> confirmed(permit, unconfirmed));
		}
		else if (cause(failure) instanceof ThrottledException throttled
				&& throttled.reason() == Decision.Reason.STORE) {
			decide();
		}
		else {
			fail(failure);
		}
	}

	private void confirmed(Permit permit, @Nullable Throwable failure) {
		if (failure == null) {
			deliver(permit);
		}
		else {
			this.decisions.refund(this.request, permit);
			decide();
		}
	}

	private void decide() {
		switch (this.decisions.policy()) {
			case CLOSED -> reject(FailurePolicy.CLOSED, ServerThrottle.RETRY);
			case OPEN -> deliver(this.decisions.admittedFreely(this.request));
			case LOCAL -> waitHere();
		}
	}

	private void waitHere() {
		try {
			StoredThrottle here = this.decisions.share();
			if (this.request.permits() > here.limit().maxPermits()) {
				reject(FailurePolicy.LOCAL, ServerThrottle.RETRY);
				return;
			}
			CompletableFuture<Permit> asked = here.acquire(rest());
			follow(asked);
			this.waiting.add(this);
			asked.whenComplete((permit, failure) -> endedHere(here, permit, failure));
		}
		catch (RuntimeException ex) {
			completeExceptionally(ex);
		}
	}

	private void endedHere(StoredThrottle here, @Nullable Permit permit, @Nullable Throwable failure) {
		this.waiting.remove(this);
		if (permit != null) {
			deliver(this.decisions.admittedHere(this.request, here, permit));
		}
		else if (cause(failure) instanceof ThrottledException throttled) {
			reject(FailurePolicy.LOCAL, throttled.retryAfter());
		}
		else if (!(cause(failure) instanceof CancellationException)) {
			fail(failure);
		}
	}

	/**
	 * Moves from the line at this node to the line at the server, which is available
	 * again.
	 */
	void returnToServer() {
		CompletableFuture<Permit> here = this.attempt;
		if (here != null && !here.isDone() && here.cancel(false) && !isDone()) {
			ask();
		}
	}

	/** Leaves the line at this node and is rejected, as the store is closed. */
	void reject() {
		reject(FailurePolicy.LOCAL, null);
	}

	private void deliver(Permit permit) {
		if (!complete(permit)) {
			this.decisions.refund(this.request, permit);
		}
	}

	private void reject(FailurePolicy policy, @Nullable Duration retryAfter) {
		if (!isDone()) {
			completeExceptionally(this.decisions.rejected(this.request, policy, retryAfter).throttled());
		}
	}

	private void fail(@Nullable Throwable failure) {
		Throwable cause = cause(failure);
		completeExceptionally((cause != null) ? cause : new IllegalStateException("There was no answer"));
	}

	private static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure != null) ? Failures.cause(failure) : null;
	}

}
