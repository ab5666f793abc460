package dev.sluice.throttle.internal.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

import dev.sluice.internal.FieldHandles;
import dev.sluice.throttle.internal.line.Line;
import org.jspecify.annotations.Nullable;

/** Usage of one key of one throttle, with a guard of one word. */
public abstract class Cell {

	/*
	 * The word is 62 bits of value, which the subclass defines, and 2 bits of state. As
	 * they share the word, a CAS of the lock-free path fails if a line has formed, the
	 * guard was acquired or the cell has died since the word was read.
	 *
	 * Holders only compute and store. They call no user code, never park, and hold one
	 * guard, or several in the order of (throttle, key). Outside that order, as in the
	 * eviction of idle keys, they only try to acquire a guard. A thread that finds HELD
	 * spins and then yields, so that a preempted holder is scheduled again.
	 *
	 * Ordering: locking is a volatile CAS and unlocking a release store, so that the
	 * stores of one holder are visible to the next. The store fence after locking orders
	 * a holder's stores after HELD: an optimistic reader (see SlidingLogCell) that has
	 * read one of them also reads a changed word.
	 *
	 * Attacked by RateCellLincheckTests, HeldLincheckTests and ConcurrentGrantTests.
	 */

	/**
	 * Without waiters: a subclass may change the value by one CAS that leaves the cell
	 * FREE. Followed by HELD, by CAS.
	 */
	protected static final int FREE = 0;

	/**
	 * With waiters, so that only the holder of the guard may change the cell. Followed by
	 * HELD, by CAS.
	 */
	protected static final int LINE = 1;

	/** The guard is held. Its holder makes the cell FREE, LINE or DEAD. */
	protected static final int HELD = 2;

	/**
	 * Evicted, or replaced by the cell of a changed limit. Callers have to look the key
	 * up again. Final state.
	 */
	protected static final int DEAD = 3;

	protected static final int STATE = 3;

	protected static final int STATE_BITS = 2;

	protected static final VarHandle WORD = FieldHandles.find(MethodHandles.lookup(), "word", long.class);

	private static final VarHandle LINE_FIELD = FieldHandles.find(MethodHandles.lookup(), "line", Line.class);

	protected volatile long word;

	/** The waiting line, created for the first waiter. */
	private volatile @Nullable Line line;

	/** Acquires the guard. Returns {@code false} if the cell is dead. */
	public boolean lock() {
		for (int losses = 0; !tryLock(); losses++) {
			if (((int) this.word & STATE) == DEAD) {
				return false;
			}
			Backoff.pause(losses);
		}
		return true;
	}

	/** Acquires the guard, unless the cell is dead or the guard is held. */
	public boolean tryLock() {
		long word = this.word;
		if (((int) word & STATE) >= HELD || !WORD.compareAndSet(this, word, word & ~STATE | HELD)) {
			return false;
		}
		VarHandle.storeStoreFence();
		return true;
	}

	/**
	 * Releases the guard and publishes to the lock-free path whether the cell has
	 * waiters.
	 */
	public void unlock() {
		Line line = this.line;
		WORD.setRelease(this, this.word & ~STATE | ((line != null && !line.isEmpty()) ? LINE : FREE));
	}

	/** Releases the guard and marks the cell as dead. */
	public void kill() {
		WORD.setRelease(this, this.word | DEAD);
	}

	protected final long value() {
		return this.word >> STATE_BITS;
	}

	/** Changes the value. Called under the guard. */
	protected final void value(long value) {
		WORD.setOpaque(this, value << STATE_BITS | HELD);
	}

	public final @Nullable Line existingLine() {
		return this.line;
	}

	public final boolean hasWaiters() {
		Line line = this.line;
		return line != null && !line.isEmpty();
	}

	public final Line line() {
		Line line = this.line;
		if (line == null) {
			Line created = new Line();
			line = LINE_FIELD.compareAndSet(this, null, created) ? created : this.line;
		}
		return Objects.requireNonNull(line);
	}

	/** Takes over from a guarded cell: its line, its counts and the guard itself. */
	public void inherit(Cell old) {
		this.line = old.line;
		value(value());
	}

	public final long rejected() {
		Line line = this.line;
		return (line != null) ? line.rejected.sum() : 0;
	}

	public final int waiting() {
		Line line = this.line;
		return (line != null) ? line.size() : 0;
	}

}
