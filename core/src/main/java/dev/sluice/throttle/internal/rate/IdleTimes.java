package dev.sluice.throttle.internal.rate;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Earliest time at which each key may be idle, soonest first; guarded by its user.
 */
final class IdleTimes {

	private final Map<String, IdleTime> byKey = new HashMap<>();

	private final NavigableSet<IdleTime> inOrder = new TreeSet<>();

	/** Returns the key that may be idle soonest, or {@code null} without any. */
	@Nullable IdleTime first() {
		return this.inOrder.isEmpty() ? null : this.inOrder.first();
	}

	/** Sets the time of a key, which may have had another one. */
	void put(String key, long time) {
		remove(key);
		IdleTime idleTime = new IdleTime(key, time);
		this.byKey.put(key, idleTime);
		this.inOrder.add(idleTime);
	}

	void remove(String key) {
		IdleTime known = this.byKey.remove(key);
		if (known != null) {
			this.inOrder.remove(known);
		}
	}

	/** Time from which a key may be idle. */
	record IdleTime(String key, long time) implements Comparable<IdleTime> {

		@Override
		public int compareTo(IdleTime other) {
			long later = this.time - other.time;
			return (later != 0) ? Long.signum(later) : this.key.compareTo(other.key);
		}

	}

}
