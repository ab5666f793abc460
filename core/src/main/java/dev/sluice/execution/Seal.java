package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

import dev.sluice.internal.FieldHandles;
import org.jspecify.annotations.Nullable;

/**
 * Last node of a sealed generation. No node is pushed after it. As a future it ends with
 * the generation.
 */
final class Seal extends LeveledTask<@Nullable Void> {

	/*
	 * "actions" is a stack that END closes: an action is on it when the generation ends,
	 * and runs, or it is rejected. "successor" changes from null to the next generation,
	 * which the first submitter that needs it creates, and from either to the end marker.
	 * A submitter therefore finds the generation that will be released, or the end
	 * marker. After the end marker it takes the queue from the registry or creates one,
	 * so the next generation must be registered before the end marker is set. Attacked by
	 * RemovalTests and RemoveAgainstSubmit (jcstress).
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
