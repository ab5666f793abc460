package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

import dev.sluice.internal.FieldHandles;
import org.jspecify.annotations.Nullable;

/**
 * Last node of a sealed generation. Nothing is pushed above it; as a future it ends when
 * the generation has.
 */
final class Seal extends LeveledTask<@Nullable Void> {

	/*
	 * "actions" is a stack that END closes: an action is either on it when the generation
	 * ends, and runs, or is rejected. "successor" goes from null to the next generation,
	 * made by the first submitter who needs it, and from either to the end marker, so
	 * that a submitter finds either the generation that will be released or none. Who
	 * finds none looks among the executor's queues and makes one if there is none; so the
	 * next generation must be there before the end marker tells them to.
	 */

	private static final Action NO_MORE_ACTIONS = new Action(() -> {
	}, null);

	private static final VarHandle ACTIONS = FieldHandles.find(MethodHandles.lookup(), "actions", Action.class);

	private static final VarHandle SUCCESSOR = FieldHandles.find(MethodHandles.lookup(), "successor", Object.class);

	private static final Object ENDED = new Object();

	private volatile @Nullable Action actions;

	private volatile @Nullable Object successor;

	Seal() {
		super(Kind.MARKER, Level.NORMAL, null);
	}

	@Override
	boolean isSeal() {
		return true;
	}

	/** Adds an action to run at the end; false if that has begun. */
	boolean addAction(Runnable action) {
		for (;;) {
			Action top = this.actions;
			if (top == NO_MORE_ACTIONS) {
				return false;
			}
			if (ACTIONS.compareAndSet(this, top, new Action(action, top))) {
				return true;
			}
		}
	}

	/** Closes the stack and runs its actions in the order in which they were added. */
	@Nullable Throwable runActions() {
		Action reversed = null;
		Action top = (Action) ACTIONS.getAndSet(this, NO_MORE_ACTIONS);
		for (Action action = top; action != null; action = action.below) {
			reversed = new Action(action.body, reversed);
		}
		Throwable failure = null;
		for (Action action = reversed; action != null; action = action.below) {
			try {
				action.body.run();
			}
			catch (Throwable ex) {
				if (failure == null) {
					failure = ex;
				}
				else if (failure != ex) {
					failure.addSuppressed(ex);
				}
			}
		}
		return failure;
	}

	/** The next generation, made on demand, or null if this one has ended. */
	@Nullable SequentialQueue successorOf(SequentialQueue sealed) {
		Object current = this.successor;
		if (current == null) {
			SequentialQueue candidate = new SequentialQueue(sealed);
			current = SUCCESSOR.compareAndSet(this, null, candidate) ? candidate : this.successor;
		}
		return (current instanceof SequentialQueue queue) ? queue : null;
	}

	/**
	 * Marks the generation as ended, once the next one, if there is one, has its place;
	 * that must be released then.
	 */
	@Nullable SequentialQueue endSuccession(Consumer<SequentialQueue> place) {
		if (SUCCESSOR.compareAndSet(this, null, ENDED)) {
			return null;
		}
		SequentialQueue next = (SequentialQueue) Objects.requireNonNull(this.successor);
		place.accept(next);
		this.successor = ENDED;
		return next;
	}

	private record Action(Runnable body, @Nullable Action below) {
	}

}
