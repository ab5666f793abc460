package dev.sluice.client;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Optional store of a client; reports its exceptions. */
final class SessionStorage {

	private final @Nullable SessionStore store;

	private final Consumer<Throwable> errors;

	SessionStorage(@Nullable SessionStore store, Consumer<Throwable> errors) {
		this.store = store;
		this.errors = errors;
	}

	@Nullable SessionPositions load() {
		if (this.store == null) {
			return null;
		}
		try {
			String stored = this.store.load();
			return (stored != null) ? SessionPositions.fromJson(stored) : null;
		}
		catch (RuntimeException ex) {
			this.errors.accept(ex);
			return null;
		}
	}

	/**
	 * Saves the session. If that fails, the stored session is outdated and is removed.
	 */
	void save(@Nullable SessionPositions session) {
		if (this.store == null) {
			return;
		}
		try {
			this.store.save((session != null && session.token() != null) ? session.toJson() : null);
		}
		catch (RuntimeException ex) {
			this.errors.accept(ex);
			try {
				this.store.save(null);
			}
			catch (RuntimeException again) {
				this.errors.accept(again);
			}
		}
	}

}
