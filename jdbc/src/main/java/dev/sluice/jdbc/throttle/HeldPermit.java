package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

import dev.sluice.throttle.Permit;

/**
 * Permit of a mutex or semaphore: one entry of its owner, renewed until it is closed.
 */
final class HeldPermit implements Permit {

	/*
	 * Open, then closed or lost, once; guarded by this. Callbacks run outside the lock.
	 *
	 * Attacked by JdbcFaultTests.
	 */

	private final JdbcLimit limit;

	private final String key;

	private final long entry;

	private final long token;

	private final Consumer<HeldPermit> exit;

	private final List<Runnable> whenLost = new ArrayList<>();

	private volatile long sureUntil;

	private boolean closed;

	private boolean lost;

	/**
	 * Creates an open permit.
	 * @param limit the limit that has granted the permit
	 * @param key the key of the permit
	 * @param entry the entry number in the database
	 * @param token the fencing token
	 * @param since a time of {@link System#nanoTime} before the grant
	 * @param exit called once the permit is closed
	 */
	HeldPermit(JdbcLimit limit, String key, long entry, long token, long since, Consumer<HeldPermit> exit) {
		this.limit = limit;
		this.exit = exit;
		this.key = key;
		this.entry = entry;
		this.token = token;
		renewed(since);
	}

	JdbcLimit limit() {
		return this.limit;
	}

	String key() {
		return this.key;
	}

	long entry() {
		return this.entry;
	}

	Duration lease() {
		return this.limit.lease();
	}

	/**
	 * Extends the lease, after the answer to a renewal that was sent at the given time.
	 */
	void renewed(long since) {
		this.sureUntil = since + lease().toNanos();
	}

	boolean isOver() {
		return System.nanoTime() - this.sureUntil >= 0;
	}

	@Override
	public void close() {
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			this.whenLost.clear();
		}
		this.exit.accept(this);
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(this.token);
	}

	@Override
	public void onLost(Runnable action) {
		synchronized (this) {
			if (this.closed) {
				return;
			}
			if (!this.lost) {
				this.whenLost.add(action);
				return;
			}
		}
		action.run();
	}

	void lose() {
		List<Runnable> actions;
		synchronized (this) {
			if (this.closed || this.lost) {
				return;
			}
			this.lost = true;
			actions = List.copyOf(this.whenLost);
			this.whenLost.clear();
		}
		actions.forEach(Runnable::run);
	}

}
