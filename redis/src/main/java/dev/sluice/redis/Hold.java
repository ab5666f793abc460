package dev.sluice.redis;

import java.util.ArrayList;
import java.util.List;

/** What an owner holds, as far as it entered on this node. */
final class Hold {

	private final HeldKey key;

	private final String owner;

	private final long token;

	private final List<Runnable> whenLost = new ArrayList<>();

	private int entries;

	/** When, by this node's clock, Redis was last asked for it with success. */
	private long renewedAt;

	private boolean lost;

	Hold(HeldKey key, String owner, long token) {
		this.key = key;
		this.owner = owner;
		this.token = token;
	}

	String owner() {
		return this.owner;
	}

	long token() {
		return this.token;
	}

	synchronized void enter(long askedAt) {
		this.entries++;
		renewed(askedAt);
	}

	synchronized void renewed(long askedAt) {
		if (this.entries == 1 || askedAt - this.renewedAt > 0) {
			this.renewedAt = askedAt;
		}
	}

	synchronized long renewedAt() {
		return this.renewedAt;
	}

	/** Leaves an entry, once. */
	void exit(String entry) {
		this.key.exit(this, entry);
	}

	/** Counts an entry less; returns whether there is none any more. */
	synchronized boolean leave() {
		return --this.entries == 0;
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

	void onLost(Runnable action) {
		synchronized (this) {
			if (!this.lost) {
				this.whenLost.add(action);
				return;
			}
		}
		action.run();
	}

}
