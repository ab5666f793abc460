package dev.sluice.throttle.internal.line;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.internal.ClockTimer;
import org.jspecify.annotations.Nullable;

/**
 * Waiting line of one key, and the count of its rejected calls. The order is first come,
 * first served, by the time at which each call arrived at the first of its limits. All
 * state except the counts is guarded by the cell.
 */
public final class Line {

	public final ThreadAdder rejected = new ThreadAdder();

	private @Nullable Place head;

	private @Nullable Place tail;

	private @Nullable Map<String, Place> byOwner;

	/** Number of waiters, not of places. */
	private int size;

	private boolean timed;

	/** Whether the line has become empty since the last poll. */
	private boolean emptied;

	/** Lower bound of the deadlines of the waiters, if {@link #timed}. */
	private long firstDeadline;

	/** The alarm for the next check of this line. */
	public @Nullable ClockTimer alarm;

	/** Number of changes that a forecast could not include. */
	private long changes;

	public boolean isEmpty() {
		return this.head == null;
	}

	public int size() {
		return this.size;
	}

	public boolean isTimed() {
		return this.timed;
	}

	public long firstDeadline() {
		return this.firstDeadline;
	}

	public @Nullable Place head() {
		return this.head;
	}

	/** Returns the place that a call of an owner can join. */
	public @Nullable Place placeOf(String owner) {
		Place place = placesOf(owner);
		while (place != null && !place.isShared()) {
			place = place.nextOfOwner;
		}
		return place;
	}

	/** Returns the places of an owner, linked by {@link Place#nextOfOwner}. */
	public @Nullable Place placesOf(String owner) {
		return (this.byOwner != null) ? this.byOwner.get(owner) : null;
	}

	private void unlinkOwner(Map<String, Place> owners, String owner, Place place) {
		owners.compute(owner, (name, first) -> {
			if (first == place) {
				return place.nextOfOwner;
			}
			for (Place each = first; each != null; each = each.nextOfOwner) {
				if (each.nextOfOwner == place) {
					each.nextOfOwner = place.nextOfOwner;
				}
			}
			return first;
		});
		place.nextOfOwner = null;
	}

	/** Adds a place after all earlier ones. */
	public void add(Place place, Waiter waiter) {
		place.add(waiter);
		note(waiter);
		place.inLine = true;
		Place next = nextOf(place);
		if (next != null) {
			outdate();
		}
		link(place, next);
		if (place.owner != null) {
			if (this.byOwner == null) {
				this.byOwner = new HashMap<>();
			}
			place.nextOfOwner = this.byOwner.put(place.owner, place);
		}
		grow(1);
	}

	/** Returns the first place that arrived later; usually {@code null}. */
	private @Nullable Place nextOf(Place place) {
		if (this.tail == null || this.tail.since - place.since <= 0) {
			return null;
		}
		Place next = this.head;
		while (next != null && next.since - place.since <= 0) {
			next = next.next;
		}
		return next;
	}

	private void link(Place place, @Nullable Place next) {
		place.next = next;
		place.previous = (next != null) ? next.previous : this.tail;
		if (place.previous == null) {
			this.head = place;
		}
		else {
			place.previous.next = place;
		}
		if (next == null) {
			this.tail = place;
		}
		else {
			next.previous = place;
		}
	}

	public void join(Place place, Waiter waiter) {
		place.add(waiter);
		note(waiter);
		grow(1);
	}

	/** Removes a waiter, and its place if it has no other waiters. */
	public void remove(Waiter waiter, Place place) {
		if (place.inLine && place.remove(waiter)) {
			grow(-1);
			if (place.first == null) {
				remove(place);
			}
		}
	}

	/** Removes a place with all its waiters. */
	public void remove(Place place) {
		if (!place.inLine) {
			return;
		}
		place.inLine = false;
		if (place.previous == null) {
			this.head = place.next;
		}
		else {
			place.previous.next = place.next;
		}
		if (place.next == null) {
			this.tail = place.previous;
		}
		else {
			place.next.previous = place.previous;
		}
		place.previous = null;
		place.next = null;
		if (place.owner != null && this.byOwner != null) {
			unlinkOwner(this.byOwner, place.owner, place);
		}
		int here = 0;
		for (Waiter waiter = place.first; waiter != null; waiter = waiter.nextHere) {
			here++;
		}
		grow(-here);
		outdate();
	}

	/** Returns the waiters whose wait time has passed. They stay in line. */
	public List<Late> findLate(long now) {
		List<Late> late = new ArrayList<>();
		this.timed = false;
		for (Place place = this.head; place != null; place = place.next) {
			for (Waiter waiter = place.first; waiter != null; waiter = waiter.nextHere) {
				if (waiter.isPast(now)) {
					late.add(new Late(place, waiter));
				}
				else {
					note(waiter);
				}
			}
		}
		return late;
	}

	private void note(Waiter waiter) {
		if (waiter.isTimed() && (!this.timed || waiter.deadline() - this.firstDeadline < 0)) {
			this.timed = true;
			this.firstDeadline = waiter.deadline();
		}
	}

	private void grow(int by) {
		this.size += by;
		if (this.size == 0) {
			this.timed = false;
			this.emptied = true;
		}
	}

	/**
	 * Returns a number that is stable while only the end of the line changes.
	 */
	public long changes() {
		return this.changes;
	}

	/** Invalidates forecasts, as the waiters will be served at other times. */
	public void outdate() {
		this.changes++;
	}

	/** Returns whether the line has become empty since the last call. */
	public boolean pollEmptied() {
		boolean emptied = this.emptied && this.head == null;
		this.emptied = false;
		return emptied;
	}

	/** Waiter whose wait time has passed, and its place. */
	public record Late(Place place, Waiter waiter) {
	}

}
