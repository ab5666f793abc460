package dev.sluice.throttle.internal.line;

import org.jspecify.annotations.Nullable;

/**
 * Place in a waiting line, guarded by the line's cell. Usually one waiter stands in it; a
 * second call of the same owner joins the first one there.
 */
public class Place {

	public final String key;

	public final int permits;

	public final @Nullable String owner;

	/**
	 * Arrival time of the first call at this place, which determines the order of the
	 * line.
	 */
	public final long since;

	/** Next place of the same owner, in no order. */
	public @Nullable Place nextOfOwner;

	/** First waiter at this place, linked by {@link Waiter#nextHere}. */
	public @Nullable Waiter first;

	@Nullable Place previous;

	public @Nullable Place next;

	boolean inLine;

	public Place(String key, int permits, @Nullable String owner, long since) {
		this.key = key;
		this.permits = permits;
		this.owner = owner;
		this.since = since;
	}

	/** Returns whether a later call of the same owner can join this place. */
	public boolean isShared() {
		return true;
	}

	void add(Waiter waiter) {
		waiter.nextHere = this.first;
		this.first = waiter;
	}

	/** Removes a waiter. Returns whether it was at this place. */
	boolean remove(Waiter waiter) {
		Waiter before = null;
		for (Waiter here = this.first; here != null; here = here.nextHere) {
			if (here == waiter) {
				if (before == null) {
					this.first = here.nextHere;
				}
				else {
					before.nextHere = here.nextHere;
				}
				return true;
			}
			before = here;
		}
		return false;
	}

}
