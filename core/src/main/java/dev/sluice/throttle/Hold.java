package dev.sluice.throttle;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** What one owner holds of one key; guarded by the key's cell. */
final class Hold {

	final HeldThrottle throttle;

	final HeldCell cell;

	final String key;

	final @Nullable String owner;

	final int permits;

	final long token;

	final long since;

	/** Permits of this hold that are not closed; 0 when it is over. */
	int entries;

	@Nullable Hold previous;

	@Nullable Hold next;

	Hold(HeldThrottle throttle, HeldCell cell, String key, @Nullable String owner, int permits, long token,
			long since) {
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
