package dev.sluice.throttle.internal.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

import dev.sluice.internal.FieldHandles;
import dev.sluice.throttle.internal.line.Line;
import org.jspecify.annotations.Nullable;

/** Usage of one key of one throttle, behind a guard of one word. */
public abstract class Cell {

	/*
	 * The word is 62 bits of value, which the subclass defines, and 2 bits of state. As
	 * they share the word, no CAS of the lock-free path can succeed past a line that
	 * formed, a guard that was taken or a cell that died since the word was read.
	 *
	 * Holders only compute and store: they call nothing foreign, never park, and hold one
	 * guard, or several in the order of (throttle, key); out of that order, as when idle
	 * keys are forgotten, they try and never wait. Whoever meets HELD stands back and
	 * then yields, so a holder that lost its processor gets it back.
	 *
	 * Ordering: locking is a volatile CAS and unlocking a release store, so what one
	 * holder stored the next one sees. The store fence after locking keeps a holder's
	 * stores behind HELD: an optimistic reader (see SlidingLogCell) that saw one of them
	 * also sees that the word has changed.
	 *
	 * Attacked by RateCellLincheckTests, HeldLincheckTests and ConcurrentGrantTests.
	 */

	/**
	 * Nobody waits: a subclass may change the value by one CAS that leaves the cell FREE.
	 * Followed by HELD, by CAS.
	 */
	protected static final int FREE = 0;

	/**
	 * Somebody waits, so that only the holder of the guard may change anything. Followed
	 * by HELD, by CAS.
	 */
	protected static final int LINE = 1;

	/** Somebody holds the guard, who makes it FREE, LINE or DEAD. */
	protected static final int HELD = 2;

	/**
	 * Forgotten, or replaced by the cell of a changed limit; the key is to be looked up
	 * again. Final.
	 */
	protected static final int DEAD = 3;

	protected static final int STATE = 3;

	protected static final int STATE_BITS = 2;

	protected static final VarHandle WORD = FieldHandles.find(MethodHandles.lookup(), "word", long.class);

	private static final VarHandle LINE_FIELD = FieldHandles.find(MethodHandles.lookup(), "line", Line.class);

	protected volatile long word;

	/** Those who were not admitted at once; made for the first of them. */
	private volatile @Nullable Line line;

	/** Takes the guard; returns {@code false} if the cell is dead. */
	public boolean lock() {
		for (int losses = 0; !tryLock(); losses++) {
			if (((int) this.word & STATE) == DEAD) {
				return false;
			}
			Backoff.pause(losses);
		}
		return true;
	}

	/** Takes the guard, unless the cell is dead or somebody has it. */
	public boolean tryLock() {
		long word = this.word;
		if (((int) word & STATE) >= HELD || !WORD.compareAndSet(this, word, word & ~STATE | HELD)) {
			return false;
		}
		VarHandle.storeStoreFence();
		return true;
	}

	/** Gives the guard back, telling the lock-free path whether anybody waits. */
	public void unlock() {
		Line line = this.line;
		WORD.setRelease(this, this.word & ~STATE | ((line != null && !line.isEmpty()) ? LINE : FREE));
	}

	/** Gives the guard back for ever. */
	public void kill() {
		WORD.setRelease(this, this.word | DEAD);
	}

	protected final long value() {
		return this.word >> STATE_BITS;
	}

	/** Changes the value; for whoever holds the guard. */
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

	/** Takes the place of a guarded cell: its line, its counts and the guard itself. */
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
