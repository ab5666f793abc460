package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.failover.RatePermit;
import dev.sluice.throttle.internal.failover.ServerThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a limit that may wait, from the first statement to the end of their futures.
 */
final class WaitingCalls implements WaitingCall.Owner {

	/*
	 * The entry number identifies a waiting call in the database. If the future of a
	 * placed entry ends without a grant, the entry leaves, with a place or a grant that
	 * it has by then. If the entry is not placed yet, it leaves when the answer arrives.
	 * It also leaves when the statement fails but may have run. A statement that was not
	 * sent, or that the server has undone, creates no entry. A grant may arrive before
	 * the answer that confirms its place.
	 *
	 * A lease already runs while its grant is in transit. A grant that arrives late is
	 * renewed before the caller receives the permit. If the renewal does not find it, the
	 * call enters the line again. During the renewal the call has no place in the
	 * database and is not registered in the lines, so the check of places does not
	 * include it.
	 *
	 * Attacked by JdbcFaultTests and WaitingCallsTests.
	 */

	private static final Duration LONGEST_TIMED_WAIT = Duration.ofDays(10_000);

	private final JdbcLimit limit;

	private final JdbcNode node;

	WaitingCalls(JdbcNode node, JdbcLimit limit) {
		this.node = node;
		this.limit = limit;
	}

	CompletableFuture<Permit> acquire(AcquireRequest request) {
		boolean timed = request.maxWait().compareTo(LONGEST_TIMED_WAIT) <= 0;
		WaitingCall waiter = new WaitingCall(this, request, timed);
		waiter.whenComplete((permit, failure) -> ended(waiter, permit));
		if (timed) {
			waiter.endBy(this.node.timer()
				.schedule(() -> reject(waiter, Decision.Reason.LIMIT, -1), request.maxWait().toNanos(),
						TimeUnit.NANOSECONDS));
		}
		enter(waiter);
		return waiter;
	}

	private void enter(WaitingCall waiter) {
		long entry = this.node.nextEntry();
		waiter.enterAs(entry);
		this.node.lines().add(waiter);
		AcquireRequest request = waiter.request();
		long since = System.nanoTime();
		enter(request, entry, waiter.left()).whenComplete((answer, failure) -> {
			if (failure != null) {
				fail(waiter, failure);
			}
			else if (answer.version() == 0) {
				this.limit.hear(0);
				reject(waiter, Decision.Reason.LIMIT, -1);
			}
			else if (answer.reason() == 0) {
				this.limit.hear(answer.version());
				grant(waiter, entry, answer.value(), since);
			}
			else if (answer.reason() == 3) {
				this.limit.hear(answer.version());
				waiter.placed(entry);
			}
			else {
				this.limit.hear(answer.version());
				reject(waiter, (answer.reason() == 1) ? Decision.Reason.LIMIT : Decision.Reason.LINE, answer.value());
			}
			if (failure == null && waiter.isCompletedExceptionally() && answer.reason() == 3) {
				this.node.releases().leave(this.limit, request.key(), entry);
			}
		});
	}

	@Override
	public void enterAgain(WaitingCall waiter) {
		if (this.node.lines().remove(waiter.entry()) && !waiter.isDone()) {
			enter(waiter);
		}
	}

	@Override
	public void granted(WaitingCall waiter, long granted, long since) {
		if (granted < 0) {
			reject(waiter, Decision.Reason.LIMIT,
					this.limit.limit().isHeld() ? -1 : ServerThrottle.RETRY.toNanos() / 1000);
		}
		else {
			grant(waiter, waiter.entry(), granted, since);
		}
	}

	@Override
	public void serve(String key) {
		this.limit.statements()
			.ask(key, Replies::wake, "sluice_serve(?, ?, ?)", this.node.isRelaxed())
			.thenAccept(this.node::wake);
	}

	private void grant(WaitingCall waiter, long entry, long granted, long since) {
		if (waiter.isDone()) {
			if (waiter.isCompletedExceptionally()) {
				this.node.releases().leave(this.limit, waiter.request().key(), entry);
			}
			return;
		}
		boolean held = this.limit.limit().isHeld();
		if (held && this.node.holdings().isLate(this.limit, since)) {
			confirm(waiter, entry, granted);
			return;
		}
		AcquireRequest request = waiter.request();
		Permit permit = held ? hold(request, entry, granted, since) : new RatePermit(granted);
		this.limit.counts().admitted(request.permits());
		if (!waiter.complete(permit)) {
			this.limit.counts().admitted(-request.permits());
			if (permit instanceof HeldPermit late) {
				this.node.holdings().remove(late);
			}
			this.node.releases().leave(this.limit, request.key(), entry);
		}
	}

	private void confirm(WaitingCall waiter, long entry, long token) {
		this.node.lines().remove(entry);
		long since = System.nanoTime();
		this.node.holdings().confirm(entry).whenComplete((there, failure) -> {
			if (failure != null) {
				this.node.releases().leave(this.limit, waiter.request().key(), entry);
				fail(waiter, failure);
			}
			else if (there) {
				grant(waiter, entry, token, since);
			}
			else if (!waiter.isDone()) {
				this.node.releases().leave(this.limit, waiter.request().key(), entry);
				enter(waiter);
			}
		});
	}

	private void reject(WaitingCall waiter, Decision.Reason reason, long wait) {
		if (!waiter.isDone()) {
			waiter.completeExceptionally(this.limit.rejected(waiter.request(), reason, wait).throttled());
		}
	}

	private void fail(WaitingCall waiter, Throwable failure) {
		waiter.completeExceptionally(this.limit.reason(waiter.request(), failure));
	}

	private void ended(WaitingCall waiter, @Nullable Permit permit) {
		this.node.lines().remove(waiter.entry());
		waiter.cancelEnd();
		if (permit == null && waiter.isPlaced()) {
			this.node.releases().leave(this.limit, waiter.request().key(), waiter.entry());
		}
	}

	/** Fails all waiting calls, so that they are decided without the database. */
	void leaveLine() {
		this.node.lines()
			.of(this)
			.forEach((waiter) -> waiter
				.completeExceptionally(this.limit.unavailable(waiter.request().key()).throttled()));
	}

	/** Rejects all waiting calls, when the limit or the store ends. */
	void failAll() {
		this.node.lines().of(this).forEach((waiter) -> reject(waiter, Decision.Reason.LIMIT, -1));
	}

	/** Requests permits that are held, or a place in line. */
	CompletableFuture<Replies.Entered> enter(AcquireRequest request, long entry, long longest) {
		String owner = request.owner();
		byte[] name = Text.encode((owner != null) ? owner : this.node.name() + '-' + entry);
		return this.limit.statements()
			.ask(request.key(), Replies.Entered::read, "sluice_enter(?, ?, ?, ?, ?, ?, ?, ?)", this.node.name(), entry,
					(long) request.permits(), name, longest, this.node.isRelaxed())
			.whenComplete((answer, failure) -> {
				if (failure == null) {
					this.node.wake(answer.wake());
				}
				else if (Database.mayHaveRun(failure)) {
					this.node.releases().leaveUnanswered(this.limit, request.key(), entry);
				}
			})
			.thenApply((answer) -> {
				if (answer.reason() > 3) {
					throw new IllegalArgumentException("'permits' must be at most " + answer.value() + ", as the owner "
							+ ((answer.reason() == 4) ? "holds" : "waits for") + " no more: " + request.permits());
				}
				return answer;
			});
	}

	Permit held(AcquireRequest request, Replies.Entered answer, long entry, long since) {
		return (answer.version() != 0 && answer.reason() == 0) ? hold(request, entry, answer.value(), since)
				: Permit.spent();
	}

	private HeldPermit hold(AcquireRequest request, long entry, long token, long since) {
		return this.node.holdings().hold(this.limit, request.key(), entry, token, since);
	}

}
