package dev.sluice.throttle.internal.manager;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.Refundable;
import dev.sluice.throttle.internal.line.Completions;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Grants of a store as they are handed to callers, and passed to the listener. */
record RemoteGrants(StoredThrottle stored, Completions completions, NanoClock clock, @Nullable Listening listening) {

	Permit granted(AcquireRequest request, Permit permit) {
		return new RemotePermit(request, permit, now());
	}

	/** Returns the current time, for a later {@code since}. */
	long now() {
		return (this.listening != null) ? this.clock.nanoTime() : 0;
	}

	/** Returns how long ago a time was; 0 if either is unknown. */
	long elapsed(long since) {
		return (since != 0) ? Math.max(0, now() - since) : 0;
	}

	void report(AcquireRequest request, Decision.Reason reason, long waitNanos) {
		if (this.listening == null) {
			return;
		}
		if (reason == Decision.Reason.ADMITTED) {
			this.listening.admitted(request.resource(), request.key(), request.permits(), waitNanos);
		}
		else {
			this.listening.rejected(request.resource(), request.key(), request.permits(), reason, waitNanos);
		}
	}

	private void tellReleased(AcquireRequest request, long since) {
		if (this.listening != null && this.stored.limit().isHeld()) {
			this.listening.released(request.resource(), request.key(), request.permits(), elapsed(since));
		}
	}

	/**
	 * Runs a completion of a caller on the completion executor, never on a thread of the
	 * store.
	 */
	void execute(Runnable completion) {
		this.completions.add(completion);
	}

	/** Permit granted by the store. */
	private final class RemotePermit implements Refundable {

		/*
		 * "closed" changes once, by CAS, so the store gets one release or one refund for
		 * each permit. Attacked by StoredThrottleTests.
		 */

		private final AcquireRequest request;

		private final Permit granted;

		private final long since;

		private final AtomicBoolean closed = new AtomicBoolean();

		RemotePermit(AcquireRequest request, Permit granted, long since) {
			this.request = request;
			this.granted = granted;
			this.since = since;
		}

		@Override
		public void close() {
			if (this.closed.compareAndSet(false, true)) {
				this.granted.close();
				tellReleased(this.request, this.since);
			}
		}

		@Override
		public void refund() {
			if (this.closed.compareAndSet(false, true)) {
				RemoteGrants.this.stored.refund(this.request, this.granted);
				tellReleased(this.request, this.since);
			}
		}

		@Override
		public OptionalLong fencingToken() {
			return this.granted.fencingToken();
		}

		@Override
		public void onLost(Runnable action) {
			this.granted.onLost(() -> execute(action));
		}

		@Override
		public String toString() {
			return this.granted.toString();
		}

	}

}
