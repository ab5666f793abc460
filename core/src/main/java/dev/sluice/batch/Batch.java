package dev.sluice.batch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;

import dev.sluice.internal.FieldHandles;
import org.jspecify.annotations.Nullable;

/** List that is passed to the pump; reused for one batch after another. */
final class Batch<T> extends AbstractList<T> implements RandomAccess {

	/*
	 * Belongs to one party at a time: first to the turn that fills it and calls the pump,
	 * then to the thread that ends the stage of the call. "calls" numbers the calls over
	 * all uses of the object. The thread that ends a call advances it by CAS, so a stage
	 * that reports twice, or a pump that reports and throws, ends its own call once and
	 * no other call. Attacked by FailureTests and EndAgainstComplete (jcstress).
	 */

	private static final VarHandle CALLS = FieldHandles.find(MethodHandles.lookup(), "calls", int.class);

	private Object[] values = {};

	private int size;

	private @Nullable Item<T> first;

	private int failures;

	private long calledAt;

	private volatile int calls;

	/**
	 * Takes items of a linked list and returns the item after them.
	 * @param oldest the first item to take
	 * @param count the number of items; greater than 0, at most the length of the list
	 */
	@Nullable Item<T> fill(Item<T> oldest, int count) {
		if (this.values.length < count) {
			this.values = new Object[count];
		}
		Item<T> item = oldest;
		for (int i = 0;; i++) {
			this.values[i] = Objects.requireNonNull(item.value);
			item.value = null;
			if (i == count - 1) {
				break;
			}
			item = Objects.requireNonNull(item.next);
		}
		Item<T> rest = item.next;
		item.next = null;
		this.first = oldest;
		this.size = count;
		return rest;
	}

	/** Begins a call of the pump and returns its number. */
	int startCall(long now) {
		this.calledAt = now;
		return this.calls;
	}

	/** Returns whether the caller is the first one to end this call. */
	boolean endCall(int number) {
		return CALLS.compareAndSet(this, number, number + 1);
	}

	long calledAt() {
		return this.calledAt;
	}

	/** Counts a failure and returns the number of failures. */
	int countFailure() {
		return ++this.failures;
	}

	/** Ends the items' futures and empties the list. */
	void end(@Nullable Throwable failure) {
		Item<T> item = this.first;
		this.first = null;
		Arrays.fill(this.values, 0, this.size, null);
		this.size = 0;
		this.failures = 0;
		while (item != null) {
			Item<T> following = item.next;
			item.next = null;
			if (failure == null) {
				item.complete(null);
			}
			else {
				item.completeExceptionally(failure);
			}
			item = following;
		}
	}

	@Override
	@SuppressWarnings("unchecked")
	public T get(int index) {
		return (T) this.values[Objects.checkIndex(index, this.size)];
	}

	@Override
	public int size() {
		return this.size;
	}

}
