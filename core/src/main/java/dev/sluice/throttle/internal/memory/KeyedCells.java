package dev.sluice.throttle.internal.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import dev.sluice.internal.FieldHandles;
import org.jspecify.annotations.Nullable;

/**
 * Cells of a throttle by key. The empty key has a place of its own, found at once.
 */
public final class KeyedCells<C extends Cell> {

	/*
	 * "size" is increased before a cell is put. It is decreased when the key has a cell
	 * already, and when the cell is removed, so it never exceeds the cap. "unkeyed" is
	 * set by CAS, and replaced or removed by the thread that holds the guard of its cell.
	 * Attacked by KeyedCellsTests and KeyTests.
	 */

	private static final VarHandle UNKEYED = FieldHandles.find(MethodHandles.lookup(), "unkeyed", Cell.class);

	private final ConcurrentHashMap<String, C> cells = new ConcurrentHashMap<>();

	private volatile @Nullable C unkeyed;

	/** Keyed cells that are in, or about to come in: never above the cap. */
	private final AtomicInteger size = new AtomicInteger();

	public @Nullable C find(String key) {
		return key.isEmpty() ? this.unkeyed : this.cells.get(key);
	}

	/** Takes room for one more key, if there is any; the empty one always has its own. */
	public boolean reserve(String key, int max) {
		if (key.isEmpty()) {
			return true;
		}
		int size;
		do {
			size = this.size.get();
			if (size >= max) {
				return false;
			}
		}
		while (!this.size.compareAndSet(size, size + 1));
		return true;
	}

	/**
	 * Puts a cell where room was reserved; gives the room back if there is one already.
	 */
	public void putIfAbsent(String key, C cell) {
		if (key.isEmpty()) {
			UNKEYED.compareAndSet(this, null, cell);
		}
		else if (this.cells.putIfAbsent(key, cell) != null) {
			this.size.decrementAndGet();
		}
	}

	public void replace(String key, C cell, C by) {
		if (key.isEmpty()) {
			this.unkeyed = by;
		}
		else {
			this.cells.replace(key, cell, by);
		}
	}

	/** Removes a cell, whose guard the caller holds. */
	public void remove(String key, C cell) {
		if (key.isEmpty()) {
			this.unkeyed = null;
		}
		else if (this.cells.remove(key, cell)) {
			this.size.decrementAndGet();
		}
	}

	public int size() {
		return this.size.get() + ((this.unkeyed != null) ? 1 : 0);
	}

	/** Goes through all keys but the empty one, weakly consistent. */
	public Iterator<String> iterator() {
		return this.cells.keySet().iterator();
	}

	public void forEach(BiConsumer<String, C> action) {
		C unkeyed = this.unkeyed;
		if (unkeyed != null) {
			action.accept("", unkeyed);
		}
		this.cells.forEach(action);
	}

}
