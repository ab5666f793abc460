package dev.sluice.bus;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** The records of sessions of all nodes of a {@link MemoryBus}. */
final class MemoryRecords {

	/*
	 * Each operation on a key is one atomic step of the map. No timer removes expired
	 * records: each call of keep checks two records and removes them if they have
	 * expired.
	 *
	 * Attacked by ClusterRecordsContract.
	 */

	private static final int SWEPT_AT_A_TIME = 2;

	private final ConcurrentMap<String, Kept> records = new ConcurrentHashMap<>();

	private final NanoClock clock;

	/** Guarded by the monitor of this object. */
	private @Nullable Iterator<Map.Entry<String, Kept>> swept;

	MemoryRecords(NanoClock clock) {
		this.clock = clock;
	}

	boolean keep(SessionRecord record, Duration time) {
		sweep();
		Kept made = new Kept(record, this.clock.nanoTime() + time.toNanos());
		return this.records.compute(record.key(), (key,
				present) -> (present != null && isAlive(present) && present.record.incarnation() > record.incarnation())
						? present : made) == made;
	}

	@Nullable SessionRecord claim(String node, SessionClaim claim, Duration time) {
		Kept[] before = new Kept[1];
		this.records.computeIfPresent(claim.key(), (key, present) -> {
			SessionRecord record = present.record;
			if (!isAlive(present) || !record.owner().equals(claim.owner())
					|| !record.secrets().contains(claim.secret())) {
				return present;
			}
			before[0] = present;
			return new Kept(new SessionRecord(key, node, record.incarnation() + 1,
					List.of(claim.secret(), claim.nextSecret()), record.owner(), record.content()),
					this.clock.nanoTime() + time.toNanos());
		});
		return (before[0] != null) ? before[0].record : null;
	}

	boolean isLatest(String key, long incarnation) {
		Kept present = this.records.get(key);
		return present != null && isAlive(present) && present.record.incarnation() == incarnation;
	}

	void forget(String key, long incarnation) {
		this.records.computeIfPresent(key,
				(name, present) -> (present.record.incarnation() > incarnation) ? present : null);
	}

	int count() {
		return this.records.size();
	}

	private boolean isAlive(Kept kept) {
		return kept.until - this.clock.nanoTime() > 0;
	}

	private synchronized void sweep() {
		for (int looked = 0; looked < SWEPT_AT_A_TIME; looked++) {
			Iterator<Map.Entry<String, Kept>> next = this.swept;
			if (next == null || !next.hasNext()) {
				next = this.records.entrySet().iterator();
			}
			if (next.hasNext()) {
				Map.Entry<String, Kept> entry = next.next();
				if (!isAlive(entry.getValue())) {
					this.records.remove(entry.getKey(), entry.getValue());
				}
			}
			this.swept = next;
		}
	}

	/** A record and its expiry time. */
	private record Kept(SessionRecord record, long until) {
	}

}
