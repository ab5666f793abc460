package dev.sluice.jdbc.throttle;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.sluice.throttle.Permit;

/** Permit that is held at this node, by one call. */
final class HeldPermit implements Permit {

	private final String id;

	private final String key;

	private final long token;

	private final long lease;

	private final Consumer<HeldPermit> whenClosed;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final List<Runnable> whenLost = new ArrayList<>();

	private boolean lost;

	/** When the database was last asked for it with success, by this node's clock. */
	private volatile long renewedAt;

	HeldPermit(String id, String key, long token, long lease, long askedAt, Consumer<HeldPermit> whenClosed) {
		this.id = id;
		this.key = key;
		this.token = token;
		this.lease = lease;
		this.renewedAt = askedAt;
		this.whenClosed = whenClosed;
	}

	String id() {
		return this.id;
	}

	String key() {
		return this.key;
	}

	void renewed(long askedAt) {
		this.renewedAt = askedAt;
	}

	boolean isOver() {
		return System.nanoTime() - this.renewedAt >= this.lease;
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.whenClosed.accept(this);
		}
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(this.token);
	}

	/** Tells those who hold it that they do not. */
	void lose() {
		List<Runnable> actions;
		synchronized (this) {
			this.lost = true;
			actions = List.copyOf(this.whenLost);
			this.whenLost.clear();
		}
		actions.forEach(Runnable::run);
	}

	@Override
	public void onLost(Runnable action) {
		synchronized (this) {
			if (!this.lost) {
				this.whenLost.add(action);
				return;
			}
		}
		action.run();
	}

}
