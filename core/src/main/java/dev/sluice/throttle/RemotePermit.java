package dev.sluice.throttle;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/** A permit that a store has granted. */
final class RemotePermit implements Refundable {

	private final RemoteThrottle throttle;

	private final AcquireRequest request;

	private final Permit granted;

	private final AtomicBoolean closed = new AtomicBoolean();

	RemotePermit(RemoteThrottle throttle, AcquireRequest request, Permit granted) {
		this.throttle = throttle;
		this.request = request;
		this.granted = granted;
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.granted.close();
		}
	}

	@Override
	public void refund() {
		if (this.closed.compareAndSet(false, true)) {
			this.throttle.refund(this.request, this.granted);
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
