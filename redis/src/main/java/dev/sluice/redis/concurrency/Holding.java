package dev.sluice.redis.concurrency;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Permits that an owner has acquired on this node. */
final class Holding {

	/*
	 * All state is guarded by "this". The actions run outside of the monitor: those that
	 * were added before the loss by the thread that reports it, each once, and later ones
	 * at once. Attacked by RedisConcurrencyTests.
	 */

	private final String owner;

	private final long token;

	private final BiConsumer<Holding, String> whenExited;

	private final List<Runnable> whenLost = new ArrayList<>();

	/** Entries of the owner that are not released. */
	private final Set<String> entries = new HashSet<>();

	/** Time of the last successful renewal request, by this node's clock. */
	private long renewedAt;

	private boolean lost;

	/**
	 * Creates a holding without entries.
	 * @param owner the owner
	 * @param token the token of the grant
	 * @param whenExited the callback that releases an entry
	 */
	Holding(String owner, long token, BiConsumer<Holding, String> whenExited) {
		this.owner = owner;
		this.token = token;
		this.whenExited = whenExited;
	}

	String owner() {
		return this.owner;
	}

	long token() {
		return this.token;
	}

	/** Adds an entry; adding it again has no effect. */
	synchronized void enter(String entry, long askedAt) {
		boolean first = this.entries.isEmpty();
		this.entries.add(entry);
		if (first || askedAt - this.renewedAt > 0) {
			this.renewedAt = askedAt;
		}
	}

	/** Returns whether the entry of a call exists. */
	synchronized boolean has(String entry) {
		return this.entries.contains(entry);
	}

	synchronized void renewed(long askedAt) {
		if (askedAt - this.renewedAt > 0) {
			this.renewedAt = askedAt;
		}
	}

	synchronized long renewedAt() {
		return this.renewedAt;
	}

	/** Releases an entry, once. */
	void exit(String entry) {
		this.whenExited.accept(this, entry);
	}

	/** Removes an entry; returns whether it was the last one. */
	synchronized boolean leave(String entry) {
		this.entries.remove(entry);
		return this.entries.isEmpty();
	}

	/** Notifies the holders that the permits are lost. */
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
