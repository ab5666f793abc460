package dev.sluice.execution.internal;

import java.util.Arrays;
import java.util.Collection;

/**
 * One run of a worker on a thread; nested where an executor's task drives another.
 */
public final class WorkerRun {

	/*
	 * A thread-local array holds the count and then the numbers of the lists that the
	 * thread works for, the innermost last; the number of a list that was entered again
	 * is negative. The array holds numbers and not references, because the collector
	 * would have to scan a reference from an old thread to a new object after each run.
	 * It is an array of a primitive type, so it does not keep a class loader reachable.
	 */

	private static final int INITIAL_NESTING = 4;

	private static final ThreadLocal<int[]> LISTS = ThreadLocal.withInitial(() -> new int[1 + INITIAL_NESTING]);

	/** Queues that wait for a worker. */
	final Collection<?> ready;

	/** Index of the number of the list. */
	private final int place;

	/** Number of tasks of the current queue that have run. */
	private int tasks;

	private boolean interrupted;

	private WorkerRun(Collection<?> ready, int place) {
		this.ready = ready;
		this.place = place;
	}

	/** Begins a run for a list on the calling thread, which must end it. */
	static WorkerRun begin(int list, Collection<?> ready) {
		int[] lists = LISTS.get();
		int place = lists[0] + 1;
		if (place == lists.length) {
			lists = Arrays.copyOf(lists, 2 * place);
			LISTS.set(lists);
		}
		lists[0] = place;
		lists[place] = list;
		return new WorkerRun(ready, place);
	}

	/** Ends the run, and gives the thread its interrupt status back. */
	void end() {
		LISTS.get()[0] = this.place - 1;
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether the calling thread is a worker of a list. */
	static boolean isWorkerOf(int list) {
		return placeOf(list, LISTS.get()) > 0;
	}

	/**
	 * Notes that the pool runs another worker on the stack of this one, if it does.
	 * @return whether the calling thread is a worker of the list
	 */
	static boolean reenter(int list) {
		int[] lists = LISTS.get();
		int place = placeOf(list, lists);
		if (place > 0) {
			lists[place] = -list;
		}
		return place > 0;
	}

	private static int placeOf(int list, int[] lists) {
		int place = lists[0];
		while (place > 0 && Math.abs(lists[place]) != list) {
			place--;
		}
		return place;
	}

	/** Returns whether the pool ran another worker on this one's stack. */
	boolean isReentered() {
		return LISTS.get()[this.place] < 0;
	}

	/** Begins the share of a queue. */
	public void startQueue() {
		this.tasks = 0;
	}

	/** Counts a task that has run; returns how many have, of the queue's share. */
	int countTask() {
		return ++this.tasks;
	}

	/** Gives the next task a clear interrupt bit. */
	public void clearInterrupt() {
		this.interrupted |= Thread.interrupted();
	}

}
