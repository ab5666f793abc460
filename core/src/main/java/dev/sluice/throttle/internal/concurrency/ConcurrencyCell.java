package dev.sluice.throttle.internal.concurrency;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.sluice.throttle.Holder;
import dev.sluice.throttle.internal.memory.Cell;
import org.jspecify.annotations.Nullable;

/**
 * Holders of the permits of one key, oldest first, under the guard. The cell exists while
 * the key has holders or waiters.
 */
final class ConcurrencyCell extends Cell {

	private @Nullable Holding oldest;

	private @Nullable Holding newest;

	private @Nullable Map<String, Holding> byOwner;

	/** The owner of the newest holding, if other calls of this owner may wait. */
	private @Nullable String newHolder;

	private int held;

	/** The part of {@link #held} that the throttle has counted. */
	private int counted;

	private long admitted;

	int held() {
		return this.held;
	}

	/** Returns the number of permits admitted so far. */
	long admitted() {
		return this.admitted;
	}

	/** Returns the number of permits of this cell that the throttle has counted. */
	int counted() {
		return this.counted;
	}

	/** Records permits that the throttle has counted before they are taken. */
	void counted(int permits) {
		this.counted += permits;
	}

	/** Returns the difference that the throttle has to add to its count. */
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

	/** Returns the holding of an owner with this given or generated name. */
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

		/** Number of entries that are not closed; 0 after the end of the holding. */
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

		/** Returns the owner's name, generated if the call has no owner. */
		String ownerName() {
			return (this.owner != null) ? this.owner : this.names.of(this.token);
		}

		Holder describe() {
			Instant since = Instant.ofEpochSecond(0, this.since);
			return new Holder(this.key, ownerName(), this.permits, since, this.cell.waiting());
		}

	}

}
