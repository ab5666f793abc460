package dev.sluice.redis.concurrency;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Permits that an owner holds, as far as it entered on this node. */
final class Holding {

	private final String owner;

	private final long token;

	private final BiConsumer<Holding, String> whenExited;

	private final List<Runnable> whenLost = new ArrayList<>();

	/** The calls by which the owner entered, and that have not left. */
	private final Set<String> entries = new HashSet<>();

	/** When, by this node's clock, Redis was last asked for it with success. */
	private long renewedAt;

	private boolean lost;

	/**
	 * Creates what an owner holds that has not entered yet.
	 * @param owner holds it
	 * @param token of the grant
	 * @param whenExited releases an entry
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

	/** Notes an entry; a second time it is known already. */
	synchronized void enter(String entry, long askedAt) {
		boolean first = this.entries.isEmpty();
		this.entries.add(entry);
		if (first || askedAt - this.renewedAt > 0) {
			this.renewedAt = askedAt;
		}
	}

	/** Returns whether a call has entered, and has not left. */
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

	/** Leaves an entry, once. */
	void exit(String entry) {
		this.whenExited.accept(this, entry);
	}

	/** Removes an entry; returns whether there is none any more. */
	synchronized boolean leave(String entry) {
		this.entries.remove(entry);
		return this.entries.isEmpty();
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
