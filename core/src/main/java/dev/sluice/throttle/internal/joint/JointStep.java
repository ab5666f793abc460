package dev.sluice.throttle.internal.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.joint.JointWaiter.JointPlace;
import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Line;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.memory.Cell;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/** Acquisition of several limits in memory in one step: all, or none. */
public final class JointStep {

	/*
	 * The guards of all cells are taken in the order of the demands, every limit is
	 * judged, and only if all admit are they taken from. Nobody can see a part of it, and
	 * nothing has to be undone. The order excludes a deadlock with another step; all
	 * other code holds one guard at a time.
	 *
	 * Whoever has to wait stands in the line of one limit (see JointWaiter). At the
	 * others a call passes those in line that came later than it did, so it never moves
	 * to a line at whose head it would be admitted, and a step ends.
	 *
	 * Attacked by SeveralLimitsTests, JointWaitTests and HeldLincheckTests.
	 */

	private final List<ResourceRequest> demands;

	private final List<CellRequest<?>> asks;

	/** What was taken when a throttle turned out to be removed. */
	private List<Permit> unwanted = List.of();

	private JointStep(List<ResourceRequest> demands, List<CellRequest<?>> asks) {
		this.demands = demands;
		this.asks = asks;
	}

	/** Makes the step that takes what is demanded of throttles in memory, sorted. */
	public static JointStep of(List<ResourceRequest> demands) {
		List<CellRequest<?>> asks = new ArrayList<>(demands.size());
		demands
			.forEach((demand) -> asks.add(new CellRequest<>((MemoryThrottle<?>) demand.throttle(), demand.request())));
		return new JointStep(demands, asks);
	}

	/** Takes all or nothing, at once. */
	public Decision tryAcquire() {
		return told(() -> {
			judge(CellRequest::judge);
			CellRequest<?> furthest = longest(CellRequest::rejects);
			if (furthest != null) {
				this.asks.stream().filter(CellRequest::rejects).forEach(CellRequest::count);
				return furthest.rejection();
			}
			return Decision.admitted(take());
		});
	}

	/** Takes all or nothing, at once, for a call that may wait: no rejection counts. */
	public Decision tryAcquire(long since) {
		return told(() -> {
			judge((ask) -> ask.judge(since, null));
			CellRequest<?> furthest = longest(CellRequest::rejects);
			return (furthest != null) ? furthest.rejection() : Decision.admitted(take());
		});
	}

	/** Takes all or nothing, at once or after a wait, for a call that came at a time. */
	public CompletableFuture<Permit> acquire(long since) {
		DeferredActions deferred = new DeferredActions();
		CompletableFuture<Permit> answer = told(() -> {
			judge((ask) -> ask.judge(since, null));
			CellRequest<?> furthest = longest(CellRequest::rejects);
			if (furthest == null) {
				return CompletableFuture.completedFuture(take());
			}
			CellRequest<?> rejecting = longest((ask) -> ask.rejects() && !ask.mayWait(since));
			if (rejecting != null) {
				rejecting.count();
				return MemoryThrottle.answer(rejecting.rejection());
			}
			JointWaiter waiter = new JointWaiter(this.demands, furthest.place(since), since, JointStep::serveAgain);
			furthest.stand(waiter, deferred);
			return waiter;
		});
		this.asks.get(0).throttle.perform(deferred);
		return answer;
	}

	private static void serveAgain(JointWaiter waiter, DeferredActions deferred) {
		of(waiter.demands()).serve(waiter, deferred);
	}

	/** Serves a waiter that one limit would admit, or lets it wait for another one. */
	private void serve(JointWaiter waiter, DeferredActions deferred) {
		try {
			guarded(() -> {
				JointPlace place = waiter.place();
				CellRequest<?> here = this.asks.stream().filter((ask) -> ask.isFor(place)).findFirst().orElseThrow();
				if (!waiter.isSettled() && here.isHead(place)) {
					serve(waiter, place, here, deferred);
				}
				return waiter;
			});
		}
		catch (RuntimeException ex) {
			fail(waiter, ex, deferred);
		}
	}

	private void serve(JointWaiter waiter, Place place, CellRequest<?> here, DeferredActions deferred) {
		judge((ask) -> ask.judge(waiter.since, place));
		CellRequest<?> furthest = longest(CellRequest::rejects);
		CellRequest<?> rejecting = longest((ask) -> ask != here && ask.rejects() && !ask.mayWait(waiter.since));
		if (furthest == null) {
			if (waiter.claim()) {
				here.leave(place);
				deferred.settle(waiter, takeOrFail());
			}
		}
		else if (rejecting != null) {
			if (waiter.claim()) {
				here.leave(place);
				rejecting.count();
				deferred.settle(waiter, rejecting.rejection().throttled());
			}
		}
		else if (furthest != here) {
			here.leave(place);
			waiter.place(furthest.place(waiter.since));
			furthest.stand(waiter, deferred);
		}
		here.serve(deferred);
	}

	private Object takeOrFail() {
		try {
			return take();
		}
		catch (IllegalStateException ex) {
			return ex;
		}
	}

	/**
	 * Ends a call for a throttle that was removed, or which cannot be granted any more.
	 */
	private void fail(JointWaiter waiter, RuntimeException ex, DeferredActions deferred) {
		if (waiter.claim()) {
			CellRequest<?> beyond = this.asks.stream().filter(CellRequest::isBeyond).findFirst().orElse(null);
			deferred.settle(waiter, (beyond != null) ? beyond.throttled() : ex);
			waiter.leave();
		}
	}

	private <T extends @Nullable Object> T told(Supplier<T> action) {
		T result = guarded(action);
		this.asks.forEach(CellRequest::tell);
		return result;
	}

	private <T extends @Nullable Object> T guarded(Supplier<T> action) {
		int locked = 0;
		this.unwanted = List.of();
		try {
			for (CellRequest<?> ask : this.asks) {
				ask.lock();
				locked++;
			}
			return action.get();
		}
		finally {
			while (locked > 0) {
				this.asks.get(--locked).unlock();
			}
			this.unwanted.forEach(Permit::close);
		}
	}

	private void judge(Consumer<CellRequest<?>> judgement) {
		this.asks.forEach(judgement);
	}

	/** Returns the limit to wait for longest of those that match. */
	private @Nullable CellRequest<?> longest(Predicate<CellRequest<?>> condition) {
		CellRequest<?> longest = null;
		for (CellRequest<?> ask : this.asks) {
			if (condition.test(ask) && (longest == null || Verdict.both(longest.verdict, ask.verdict) == ask.verdict)) {
				longest = ask;
			}
		}
		return longest;
	}

	private Permit take() {
		List<Permit> permits = new ArrayList<>(this.asks.size());
		try {
			for (CellRequest<?> ask : this.asks) {
				permits.add(ask.take());
			}
		}
		catch (IllegalStateException ex) {
			this.unwanted = permits;
			throw ex;
		}
		return JointPermit.of(permits);
	}

	/** Request to one cell. */
	private static final class CellRequest<C extends Cell> {

		private final MemoryThrottle<C> throttle;

		private final AcquireRequest request;

		private final String key;

		private final int permits;

		private @Nullable C cell;

		private long now;

		private long verdict;

		/** Whether permits were taken, or a rejection was counted. */
		private boolean decided;

		CellRequest(MemoryThrottle<C> throttle, AcquireRequest request) {
			this.throttle = throttle;
			this.request = request;
			this.key = request.key();
			this.permits = request.permits();
		}

		void lock() {
			this.decided = false;
			this.cell = this.throttle.lock(this.key);
		}

		void unlock() {
			if (this.cell != null) {
				this.throttle.unlock(this.key, this.cell);
			}
		}

		boolean isFor(JointPlace place) {
			return place.throttle == this.throttle && place.key.equals(this.key);
		}

		/**
		 * Judges what is asked, which may have come to be more than the limit can give.
		 */
		void judge() {
			this.throttle.checkPermits(this.permits);
			this.now = this.throttle.clock.nanoTime();
			this.verdict = (this.cell != null)
					? this.throttle.judge(this.cell, this.permits, this.request.owner(), this.now)
					: Verdict.keyCap(this.throttle.roomAfter(this.throttle.terms));
		}

		/** Judges for a call that came at a time, and passes who came later. */
		void judge(long since, @Nullable Place own) {
			Line line = (this.cell != null) ? this.cell.existingLine() : null;
			Place head = (line != null) ? line.head() : null;
			if (head == null || (head != own && since - head.since >= 0)) {
				judge();
				return;
			}
			this.throttle.checkPermits(this.permits);
			this.now = this.throttle.clock.nanoTime();
			long wait = this.throttle.untilServed(Objects.requireNonNull(this.cell), this.permits, this.now);
			this.verdict = (wait == 0) ? Verdict.ADMITTED : Verdict.limit(wait);
		}

		/** Returns whether more is asked for than the limit can give by now. */
		boolean isBeyond() {
			return this.permits > this.throttle.terms.maxPermits;
		}

		ThrottledException throttled() {
			return this.throttle.terms.throttled(this.key, Verdict.UNKNOWN);
		}

		/** Returns whether it is rejected, and that counts: in a dry run it does not. */
		boolean rejects() {
			return this.verdict != Verdict.ADMITTED && !this.throttle.options().dryRun();
		}

		void count() {
			this.decided = true;
			this.throttle.count(this.cell);
		}

		void tell() {
			if (this.decided) {
				this.throttle.tell(this.key, this.permits, this.verdict);
			}
		}

		Decision rejection() {
			return Decision.rejected(Verdict.reason(this.verdict), this.request.resource(), this.key,
					Verdict.waitNanos(this.verdict));
		}

		/**
		 * Returns whether a call that came at a time may wait here for as long as it
		 * takes.
		 */
		boolean mayWait(long since) {
			Duration waited = Duration.ofNanos(Math.max(0, this.now - since));
			Duration maxWait = this.request.maxWait();
			Duration left = (maxWait.compareTo(waited) > 0) ? maxWait.minus(waited) : Duration.ZERO;
			return this.cell != null && this.throttle.mayWait(this.cell, Verdict.waitNanos(this.verdict), left);
		}

		Permit take() {
			if (this.cell == null || this.verdict != Verdict.ADMITTED) {
				count();
				return Permit.spent();
			}
			this.decided = true;
			return this.throttle.takeRefundable(this.cell, this.key, this.permits, this.request.owner(), this.now);
		}

		JointPlace place(long since) {
			return new JointPlace(this.throttle, this.key, this.permits, since);
		}

		/** Adds a waiter to the line, at the place that it has. */
		void stand(JointWaiter waiter, DeferredActions deferred) {
			C cell = Objects.requireNonNull(this.cell);
			waiter.limitWait(this.request.maxWait());
			cell.line().add(waiter.place(), waiter);
			if (waiter.isSettled()) {
				leave(waiter.place());
			}
			serve(deferred);
		}

		void leave(Place place) {
			Objects.requireNonNull(this.cell).line().remove(place);
		}

		void serve(DeferredActions deferred) {
			this.throttle.serve(Objects.requireNonNull(this.cell), this.key, this.throttle.clock.nanoTime(), deferred);
		}

		boolean isHead(Place place) {
			Line line = (this.cell != null) ? this.cell.existingLine() : null;
			return line != null && line.head() == place;
		}

	}

}
