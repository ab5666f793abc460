package dev.sluice.throttle;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/** Permit granted by a store. */
final class RemotePermit implements Refundable {

	private final RemoteThrottle throttle;

	private final AcquireRequest request;

	private final Permit granted;

	private final long since;

	private final AtomicBoolean closed = new AtomicBoolean();

	RemotePermit(RemoteThrottle throttle, AcquireRequest request, Permit granted, long since) {
		this.throttle = throttle;
		this.request = request;
		this.granted = granted;
		this.since = since;
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.granted.close();
			this.throttle.tellReleased(this.request, this.since);
		}
	}

	@Override
	public void refund() {
		if (this.closed.compareAndSet(false, true)) {
			this.throttle.refund(this.request, this.granted);
			this.throttle.tellReleased(this.request, this.since);
		}
	}

	@Override
	public OptionalLong fencingToken() {
		return this.granted.fencingToken();
	}

	@Override
	public void onLost(Runnable action) {
		this.granted.onLost(() -> this.throttle.execute(action));
	}

	@Override
	public String toString() {
		return this.granted.toString();
	}

}
