package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.sluice.internal.FieldHandles;
import dev.sluice.internal.SpinGuard;
import org.jspecify.annotations.Nullable;

/**
 * Waiting tasks of a {@link SequentialQueue}, in the order in which its owner, a
 * subclass, takes them.
 */
abstract class WaitingTasks extends SpinGuard {

	/*
	 * The nodes of the queue are a chain from the one after "reached" to the one in the
	 * inbox, oldest first. The owner advances along it by one node a task, so a node that
	 * a producer wrote is fetched once, when its task runs. Only if "hint" is set, which
	 * means that a HIGH task was pushed, does the owner traverse the chain to its end and
	 * sort its nodes into one list a level. These lists come before the chain. A producer
	 * sets the hint after its push, and the owner clears it before it reads the inbox, so
	 * a HIGH task is missed for no longer than its submit takes.
	 *
	 * The lists, "reached", "taken" and the claims of pushed tasks are written only under
	 * the guard, which is held while nodes are passed, claimed and unlinked. The owner
	 * takes it once a task. Other threads, which sort as well, take it only to cancel a
	 * task, to make room in a full queue, and for snapshots.
	 *
	 * This is a superclass of the owner and not a part of it, so that an idle queue has
	 * two objects only. Fields that the owner writes with each task come before fields
	 * that it mostly reads, so that fewer cache lines move when another worker serves the
	 * queue; "completed" is declared here for that reason. Attacked by
	 * SequentialQueueLincheckTests (model checking) and OverflowTests.
	 */

	private static final VarHandle TAKEN = FieldHandles.find(MethodHandles.lookup(), "taken", int.class);

	private static final VarHandle COMPLETED = FieldHandles.find(MethodHandles.lookup(), "completed", long.class);

	final SequentialQueue queue;

	private volatile boolean hint;

	/** Tasks that returned; written by the owner, read by snapshots. */
	private long completed;

	/** Counted tasks unlinked so far. */
	private int taken;

	private @Nullable LeveledTask<?> reached;

	private @Nullable LeveledTask<?> firstHigh;

	private @Nullable LeveledTask<?> lastHigh;

	private @Nullable LeveledTask<?> firstNormal;

	private @Nullable LeveledTask<?> lastNormal;

	private int consecutiveHigh;

	WaitingTasks(SequentialQueue queue) {
		this.queue = queue;
	}

	// Owner

	/**
	 * Takes the next task, claimed; the seal when all before it have ended; or null after
	 * ownership was given up.
	 */
	final @Nullable LeveledTask<?> take(int maxConsecutiveHigh) {
		lock();
		try {
			if (this.hint || this.consecutiveHigh == maxConsecutiveHigh) {
				sort();
			}
			for (;;) {
				LeveledTask<?> task = poll(maxConsecutiveHigh);
				if (task != null || giveUpReached()) {
					return task;
				}
			}
		}
		finally {
			unlock();
		}
	}

	/** Claims a task that was not pushed and that its submitter, the owner, runs. */
	final void claimAtOnce(LeveledTask<?> task, int maxConsecutiveHigh) {
		task.claim();
		countHigh(task, maxConsecutiveHigh);
	}

	private boolean giveUpReached() {
		LeveledTask<?> last = this.reached;
		this.reached = null;
		boolean givenUp = giveUp(last, this.taken);
		if (!givenUp) {
			this.reached = last;
		}
		return givenUp;
	}

	final void countCompleted() {
		COMPLETED.setOpaque(this, this.completed + 1);
	}

	/** Gives up ownership, unless something was pushed after the last node reached. */
	abstract boolean giveUp(@Nullable LeveledTask<?> last, int taken);

	/** Returns the next task, claimed; the seal if it is the last node; or null. */
	private @Nullable LeveledTask<?> poll(int maxConsecutiveHigh) {
		for (;;) {
			LeveledTask<?> task = this.firstHigh;
			if (task == null || (this.firstNormal != null && this.consecutiveHigh == maxConsecutiveHigh)) {
				task = this.firstNormal;
			}
			if (task != null) {
				unlinkFirst(task);
			}
			else {
				task = this.queue.following(this.reached);
				if (task == null || task.isSeal()) {
					return task;
				}
				pass(task);
			}
			boolean live = task.claim();
			countUnlinked(task, live);
			if (live) {
				if (!task.isMarker()) {
					countHigh(task, maxConsecutiveHigh);
				}
				return task;
			}
		}
	}

	private void countHigh(LeveledTask<?> task, int maxConsecutiveHigh) {
		if (!task.high) {
			this.consecutiveHigh = 0;
		}
		else if (this.consecutiveHigh < maxConsecutiveHigh) {
			this.consecutiveHigh++;
		}
	}

	/** Advances to the node that was pushed after the one reached before. */
	private void pass(LeveledTask<?> node) {
		if (this.reached != null) {
			this.reached.unlinkNext();
		}
		else {
			this.queue.passFirst();
		}
		this.reached = node;
	}

	/** Moves all pushed nodes to the lists, in order of arrival. */
	private void sort() {
		if (this.hint) {
			this.hint = false;
		}
		LeveledTask<?> top = this.queue.top();
		while (top != null && this.reached != top) {
			LeveledTask<?> task = this.queue.following(this.reached);
			if (task == null || task.isSeal()) {
				return;
			}
			pass(task);
			append(task);
		}
	}

	private void append(LeveledTask<?> task) {
		if (task.high) {
			if (this.lastHigh != null) {
				this.lastHigh.sortedNext = task;
			}
			else {
				this.firstHigh = task;
			}
			this.lastHigh = task;
		}
		else {
			if (this.lastNormal != null) {
				this.lastNormal.sortedNext = task;
			}
			else {
				this.firstNormal = task;
			}
			this.lastNormal = task;
		}
	}

	private void unlinkFirst(LeveledTask<?> task) {
		LeveledTask<?> second = task.sortedNext;
		task.sortedNext = null;
		if (task == this.firstHigh) {
			this.firstHigh = second;
			this.lastHigh = (second != null) ? this.lastHigh : null;
		}
		else {
			this.firstNormal = second;
			this.lastNormal = (second != null) ? this.lastNormal : null;
		}
	}

	private void countUnlinked(LeveledTask<?> task, boolean live) {
		if (task.isMarker()) {
			return;
		}
		if (!live) {
			this.queue.removeDead();
		}
		TAKEN.setRelease(this, this.taken + 1);
	}

	// Others

	final int taken() {
		return (int) TAKEN.getAcquire(this);
	}

	/** Notes that a HIGH task was pushed. */
	final void hintHigh() {
		this.hint = true;
	}

	/** Claims a task for a thread that is not the worker. */
	final boolean claim(LeveledTask<?> task) {
		lock();
		try {
			return task.claim();
		}
		finally {
			unlock();
		}
	}

	/** Unlinks every dead node. */
	final void sweep() {
		lock();
		try {
			sort();
			LeveledTask<?> high = this.firstHigh;
			LeveledTask<?> normal = this.firstNormal;
			this.firstHigh = null;
			this.lastHigh = null;
			this.firstNormal = null;
			this.lastNormal = null;
			keepLive(high);
			keepLive(normal);
		}
		finally {
			unlock();
		}
	}

	private void keepLive(@Nullable LeveledTask<?> first) {
		for (LeveledTask<?> task = first; task != null;) {
			LeveledTask<?> newer = task.sortedNext;
			task.sortedNext = null;
			if (task.isClaimed()) {
				countUnlinked(task, false);
			}
			else {
				append(task);
			}
			task = newer;
		}
	}

	/** Returns whether NORMAL tasks may wait. */
	final boolean hasNormal() {
		lock();
		try {
			sort();
			return this.firstNormal != null;
		}
		finally {
			unlock();
		}
	}

	/** The task that DROP_OLDEST drops for a newcomer, or null if it finds none. */
	final @Nullable LeveledTask<?> oldestWaiting(boolean highNewcomer) {
		lock();
		try {
			sort();
			LeveledTask<?> oldest = firstLive(skipDead(this.firstNormal));
			return (oldest == null && highNewcomer) ? firstLive(skipDead(this.firstHigh)) : oldest;
		}
		finally {
			unlock();
		}
	}

	final List<LeveledTask<?>> waitingTasks(Predicate<LeveledTask<?>> condition) {
		List<LeveledTask<?>> found = new ArrayList<>();
		lock();
		try {
			sort();
			for (LeveledTask<?> task = this.firstHigh; task != null; task = task.sortedNext) {
				if (condition.test(task)) {
					found.add(task);
				}
			}
			for (LeveledTask<?> task = this.firstNormal; task != null; task = task.sortedNext) {
				if (condition.test(task)) {
					found.add(task);
				}
			}
		}
		finally {
			unlock();
		}
		return found;
	}

	/** Unlinks dead nodes from the front of a list, so that no drop walks over them. */
	private @Nullable LeveledTask<?> skipDead(@Nullable LeveledTask<?> first) {
		LeveledTask<?> task = first;
		while (task != null && task.isClaimed()) {
			LeveledTask<?> newer = task.sortedNext;
			unlinkFirst(task);
			countUnlinked(task, false);
			task = newer;
		}
		return task;
	}

	private static @Nullable LeveledTask<?> firstLive(@Nullable LeveledTask<?> first) {
		LeveledTask<?> task = first;
		while (task != null && (task.isClaimed() || task.isMarker())) {
			task = task.sortedNext;
		}
		return task;
	}

	final long completed() {
		return (long) COMPLETED.getOpaque(this);
	}

	/** Adds the waiting tasks to the snapshot of other generations. */
	final QueueSnapshot addTo(QueueSnapshot others, int waiting, long now) {
		lock();
		try {
			sort();
			int high = 0;
			for (LeveledTask<?> task = this.firstHigh; task != null; task = task.sortedNext) {
				high += task.isClaimed() ? 0 : 1;
			}
			long oldestWait = others.oldestWait().toNanos();
			if (this.queue.queues.recordsWaits) {
				oldestWait = Math.max(oldestWait, Math.max(waitOf(this.firstHigh, now), waitOf(this.firstNormal, now)));
			}
			return new QueueSnapshot(others.id(), others.state(), others.high() + high,
					others.normal() + Math.max(0, waiting - high), Duration.ofNanos(oldestWait));
		}
		finally {
			unlock();
		}
	}

	private static long waitOf(@Nullable LeveledTask<?> first, long now) {
		return (firstLive(first) instanceof TimedTask<?> timed) ? timed.waitNanos(now) : 0;
	}

}
