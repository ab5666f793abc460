package dev.sluice.redis.throttle;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Keys of a limit with activity on this node; an idle key is discarded.
 *
 * @param <T> the type of the state of a key
 */
public final class ActiveKeys<T extends ActiveKeys.State> {

	/*
	 * The state of a key is created, changed and discarded in a step of the map that
	 * locks the key. A state is therefore not discarded while it changes, and not changed
	 * after it was discarded. Attacked by RedisLineTests and RedisConcurrencyTests.
	 */

	private final Map<String, T> states = new ConcurrentHashMap<>();

	private final Factory<T> factory;

	public ActiveKeys(Factory<T> factory) {
		this.factory = factory;
	}

	/** Changes the state of a key, which is not discarded during the change. */
	public T update(String key, Consumer<T> change) {
		return this.states.compute(key, (name, known) -> {
			T state = (known != null) ? known : this.factory.create(this, name);
			change.accept(state);
			return state;
		});
	}

	public void discardIfIdle(String key, T state) {
		this.states.computeIfPresent(key, (name, known) -> (known == state && known.isIdle()) ? null : known);
	}

	public @Nullable T get(String key) {
		return this.states.get(key);
	}

	public Collection<T> values() {
		return this.states.values();
	}

	/** State of a key. */
	public interface State {

		/** Returns whether the state is idle, after which it is not used again. */
		boolean isIdle();

	}

	/**
	 * Factory of states.
	 *
	 * @param <T> state of a key
	 */
	@FunctionalInterface
	public interface Factory<T extends State> {

		T create(ActiveKeys<T> among, String key);

	}

}
