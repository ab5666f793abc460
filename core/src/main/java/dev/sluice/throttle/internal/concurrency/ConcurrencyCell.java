package dev.sluice.throttle.internal.concurrency;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.sluice.throttle.Holder;
import dev.sluice.throttle.internal.memory.Cell;
import org.jspecify.annotations.Nullable;

/**
 * Holders of the permits of one key, oldest first; guarded. Lives while somebody holds or
 * waits.
 */
final class ConcurrencyCell extends Cell {

	private @Nullable Holding oldest;

	private @Nullable Holding newest;

	private @Nullable Map<String, Holding> byOwner;

	/** The owner of the newest hold, if calls of its own may wait for it. */
	private @Nullable String newHolder;

	private int held;

	/** Of {@link #held}, what the throttle has counted. */
	private int counted;

	private long admitted;

	int held() {
		return this.held;
	}

	/** Returns permits admitted so far. */
	long admitted() {
		return this.admitted;
	}

	/** Returns what the throttle has counted of what is, or was, held here. */
	int counted() {
		return this.counted;
	}

	/** Notes permits that the throttle has counted before they are taken. */
	void counted(int permits) {
		this.counted += permits;
	}

	/** Returns what the throttle must add to its count now. */
	int uncounted() {
		int change = this.held - this.counted;
		this.counted = this.held;
		return change;
	}

	boolean isIdle() {
		return this.oldest == null && !hasWaiters();
	}

	@Nullable Holding oldest() {
		return this.oldest;
	}

	@Nullable Holding heldBy(@Nullable String owner) {
		return (owner != null && this.byOwner != null) ? this.byOwner.get(owner) : null;
	}

	@Nullable String pollNewHolder() {
		String owner = this.newHolder;
		this.newHolder = null;
		return owner;
	}

	/** Finds what is held by an owner of that name, made up or not. */
	@Nullable Holding find(String ownerName) {
		Holding hold = heldBy(ownerName);
		for (Holding each = this.oldest; hold == null && each != null; each = each.next) {
			if (each.owner == null && each.ownerName().equals(ownerName)) {
				hold = each;
			}
		}
		return hold;
	}

	void add(Holding hold) {
		hold.previous = this.newest;
		if (this.newest == null) {
			this.oldest = hold;
		}
		else {
			this.newest.next = hold;
		}
		this.newest = hold;
		if (hold.owner != null) {
			if (this.byOwner == null) {
				this.byOwner = new HashMap<>();
			}
			this.byOwner.put(hold.owner, hold);
			this.newHolder = hasWaiters() ? hold.owner : null;
		}
		this.held += hold.permits;
		this.admitted += hold.permits;
	}

	void remove(Holding hold) {
		if (hold.previous == null) {
			this.oldest = hold.next;
		}
		else {
			hold.previous.next = hold.next;
		}
		if (hold.next == null) {
			this.newest = hold.previous;
		}
		else {
			hold.next.previous = hold.previous;
		}
		if (hold.owner != null && this.byOwner != null) {
			this.byOwner.remove(hold.owner);
		}
		this.held -= hold.permits;
		hold.entries = 0;
	}

	/** Permits of the key that one owner holds. */
	static final class Holding {

		private final OwnerNames names;

		final ConcurrencyCell cell;

		final String key;

		final @Nullable String owner;

		final int permits;

		final long token;

		final long since;

		/** Permits of this hold that are not closed; 0 when it is over. */
		int entries;

		@Nullable Holding previous;

		@Nullable Holding next;

		Holding(OwnerNames names, ConcurrencyCell cell, String key, @Nullable String owner, int permits, long token,
				long since) {
			this.names = names;
			this.cell = cell;
			this.key = key;
			this.owner = owner;
			this.permits = permits;
			this.token = token;
			this.since = since;
		}

		/** Returns the owner's name, made up where the call gave none. */
		String ownerName() {
			return (this.owner != null) ? this.owner : this.names.of(this.token);
		}

		Holder describe() {
			Instant since = Instant.ofEpochSecond(0, this.since);
			return new Holder(this.key, ownerName(), this.permits, since, this.cell.waiting());
		}

	}

}
