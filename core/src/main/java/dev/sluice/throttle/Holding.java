package dev.sluice.throttle;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** Permits of one key that one owner holds; guarded by the key's cell. */
final class Holding {

	final ConcurrencyThrottle throttle;

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

	Holding(ConcurrencyThrottle throttle, ConcurrencyCell cell, String key, @Nullable String owner, int permits,
			long token, long since) {
		this.throttle = throttle;
		this.cell = cell;
		this.key = key;
		this.owner = owner;
		this.permits = permits;
		this.token = token;
		this.since = since;
	}

	/** Returns the owner's name, made up where the call gave none. */
	String ownerName() {
		return (this.owner != null) ? this.owner : this.throttle.nameOf(this.token);
	}

	Holder describe() {
		Instant since = Instant.ofEpochSecond(0, this.since);
		return new Holder(this.key, ownerName(), this.permits, since, this.cell.waiting());
	}

}
