package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.internal.ReadyQueue;
import dev.sluice.execution.internal.WorkerRun;
import dev.sluice.internal.FieldHandles;
import dev.sluice.internal.SpinGuard;
import dev.sluice.internal.WaitingThreads;
import org.jspecify.annotations.Nullable;

/**
 * One generation of one queue, from its first task to its removal, as submitters and
 * cancellers see it; {@link QueueRunner} is its other side.
 */
final class SequentialQueue extends ReadyQueue {

	/*
	 * Ownership. At most one party owns the queue and may take tasks from it: the list of
	 * ready queues (scheduled), a worker (running), a submitter that runs its own task,
	 * or the control word (resting, see QueueRunner). "inbox" shows whether the queue is
	 * owned: it is null if the queue has no owner and no waiting task, and the queue
	 * itself if it is owned and no task has been pushed yet.
	 *
	 * Wake-up. A producer publishes its task by one CAS on "inbox". A producer that
	 * replaces null becomes the owner, stores the task as "first" and schedules the
	 * queue. Any other producer has found an owner that has not given up yet. It links
	 * the task to the node that it replaced, or stores it as "first" if there was no
	 * node. An owner gives up only by a CAS to null of the last node that it reached, or
	 * of the queue itself. A task of either level that is published before that CAS makes
	 * it fail, and the owner checks again. So no wake-up is lost, and publication and
	 * claim are one step. A node is pushed only once, so the CAS cannot be fooled by a
	 * node that left and returned; the queue itself may return, with the same meaning. A
	 * reader of the links waits for a link that a producer is about to write, for a few
	 * instructions.
	 *
	 * Running at once. A submitter that finds null stores the queue itself there and runs
	 * its task, which is never pushed. No long-lived object then refers to the task, so
	 * the collector need not scan each queue after each task. Such a task takes no place.
	 *
	 * Bound. Each counted task carries its position in the queue, and the owner counts
	 * the tasks that left it; the difference is the number of waiting tasks. Both only
	 * grow, and so does "limit", the highest position known to be free: a producer below
	 * it, which is nearly every one, writes only "inbox". Claimed nodes that are still
	 * linked count as gone ("dead"). Unlinking subtracts them from "dead" before it
	 * counts them as taken, and readers read in the opposite order, so the sum is never
	 * too high and no task gets a place that is not free. A producer that replaces null
	 * or the queue itself learns its position only after its CAS, from "base", where the
	 * last owner left it; until then the producers after it wait, for a few instructions.
	 *
	 * Removal. The seal is pushed like a task and stays the last node. A producer that
	 * finds it submits to the next generation, which starts held and is released when
	 * this one has ended. So tasks of two generations never overlap, and none is
	 * rejected.
	 *
	 * Visibility. A submit happens before its task by the release of its link, or of
	 * "first", which the owner acquires. A task happens before the next task of its queue
	 * because ownership moves by that CAS, by the control word or by the list of ready
	 * queues.
	 *
	 * Producers and the owner write to fields of two objects, so that these fields are
	 * not on one cache line.
	 *
	 * Attacked by SequentialQueueLincheckTests (model checking), by WakeUp, CallerRuns,
	 * RemoveAgainstRun, RemoveAgainstSubmit, StageAgainstRun and StageAgainstPause
	 * (jcstress), and by ExecutionSoakTests.
	 *
	 * The algorithm has seven classes: the node (LeveledTask, TimedTask, Seal), the queue
	 * as submitters use it, its order (WaitingTasks) and its owner (QueueRunner), and the
	 * generations of an id (QueueRegistry). ArchitectureTests hold that no other class is
	 * a part of it.
	 */

	/** Dead nodes that a queue may always keep until its owner passes by. */
	private static final int DEAD_NODES = 64;

	private static final VarHandle INBOX = FieldHandles.find(MethodHandles.lookup(), "inbox", Object.class);

	private static final VarHandle FIRST = FieldHandles.find(MethodHandles.lookup(), "first", LeveledTask.class);

	private static final VarHandle DEAD = FieldHandles.find(MethodHandles.lookup(), "dead", int.class);

	private static final VarHandle LINE = FieldHandles.find(MethodHandles.lookup(), "line", WaitingThreads.class);

	/** Outcome of an attempt to publish a task. */
	enum Push {

		DONE, FULL, SEALED

	}

	final QueueRegistry queues;

	final String id;

	final QueueRunner owner;

	/** The node pushed last; the queue itself if none was yet, null if it is idle. */
	private volatile @Nullable Object inbox;

	/** The node that replaced none, until the owner has passed it. */
	private @Nullable LeveledTask<?> first;

	/** The last position that was taken when the queue was last given up. */
	private int base;

	/** A position up to which places are free; may lag behind, never ahead. */
	private int limit;

	/** Claimed nodes that are still linked. */
	private volatile int dead;

	/** Submitters that wait for a place; made by the first of them. */
	private volatile @Nullable WaitingThreads line;

	/** Whether a task that may expire was ever queued. */
	private volatile boolean expiring;

	/** Previous generation until it has ended; read by snapshots. */
	private volatile @Nullable SequentialQueue predecessor;

	/** Time of creation or of the last task; kept only if idle queues expire. */
	private volatile long usedAt;

	SequentialQueue(QueueRegistry queues, String id) {
		this.queues = queues;
		this.id = id;
		this.owner = new QueueRunner(this, false);
		this.usedAt = queues.expiresIdle ? queues.clock.nanoTime() : 0;
	}

	/** A generation that takes tasks and starts none until the sealed one has ended. */
	SequentialQueue(SequentialQueue sealed) {
		this.queues = sealed.queues;
		this.id = sealed.id;
		this.inbox = this;
		this.owner = new QueueRunner(this, true);
		this.predecessor = sealed;
		this.usedAt = sealed.usedAt;
	}

	// Submitters

	/** Queues the task, unless submitters that came before it wait for a place. */
	Push offer(LeveledTask<?> task) {
		adopt(task);
		return hasLine() ? Push.FULL : push(task);
	}

	/** Runs the task on the calling thread if the queue is idle, or offers it. */
	Push runOrOffer(LeveledTask<?> task) {
		if (this.inbox != null || !this.owner.mayRun() || hasLine()) {
			return offer(task);
		}
		WorkerRun caller = this.queues.ready.enter();
		if (caller == null) {
			return offer(task);
		}
		boolean more = false;
		try {
			boolean owned = INBOX.compareAndSet(this, null, this);
			if (!owned || !this.owner.mayRun()) {
				more = owned;
				return offer(task);
			}
			adopt(task);
			more = this.owner.runAtOnce(task, caller);
			return Push.DONE;
		}
		finally {
			this.queues.ready.leave(caller, more ? this : null);
		}
	}

	private void adopt(LeveledTask<?> task) {
		task.queue = this;
		if (task instanceof TimedTask<?> timed && timed.mayExpire()) {
			this.expiring = true;
		}
	}

	Push push(LeveledTask<?> task) {
		int counted = task.isMarker() ? 0 : 1;
		for (;;) {
			Object top = this.inbox;
			if (top instanceof LeveledTask<?> node) {
				if (node.isSeal()) {
					return Push.SEALED;
				}
				int position = node.settledPosition() + counted;
				if (counted != 0 && position - this.limit > 0 && !raiseLimit(position)) {
					return Push.FULL;
				}
				task.settleBefore(position);
				if (INBOX.compareAndSet(this, node, task)) {
					link(node, task);
					if (task.high) {
						this.owner.hintHigh();
					}
					return Push.DONE;
				}
			}
			else {
				task.unsettle();
				if (INBOX.compareAndSet(this, top, task)) {
					task.settle(this.base + counted);
					link(null, task);
					if (top == null) {
						this.queues.ready.schedule(this);
					}
					return Push.DONE;
				}
			}
		}
	}

	/** Lets the owner find a node that has replaced another, or none, in the inbox. */
	private void link(@Nullable LeveledTask<?> replaced, LeveledTask<?> node) {
		if (replaced != null) {
			replaced.linkNext(node);
		}
		else {
			FIRST.setRelease(this, node);
		}
	}

	private boolean raiseLimit(int position) {
		int raised = gone() + this.queues.capacity;
		this.limit = raised;
		return position - raised <= 0;
	}

	/** How many tasks left the queue since it was made; never too high. */
	private int gone() {
		int taken = this.owner.taken();
		return taken + this.dead;
	}

	/** Ends the waiting tasks whose time has passed; whether there was any. */
	boolean expireWaiting() {
		if (!this.expiring) {
			return false;
		}
		long now = this.queues.clock.nanoTime();
		boolean any = false;
		for (LeveledTask<?> task : this.owner
			.waitingTasks((waiting) -> waiting instanceof TimedTask<?> timed && timed.isExpired(now))) {
			if (this.owner.claim(task)) {
				any = true;
				addDead();
				task.end(this.queues.outcomes, this.id, TaskOutcome.EXPIRED, new TaskExpiredException(this.id));
			}
		}
		return any;
	}

	/** Returns the submitters that wait for a place; created by the first of them. */
	WaitingThreads line() {
		WaitingThreads present = this.line;
		if (present == null) {
			WaitingThreads candidate = new WaitingThreads();
			present = LINE.compareAndSet(this, null, candidate) ? candidate : Objects.requireNonNull(this.line);
		}
		return present;
	}

	private boolean hasLine() {
		WaitingThreads waiting = this.line;
		return waiting != null && !waiting.isEmpty();
	}

	/** A place is free: wakes a submitter that waits for one. */
	void placeFreed() {
		WaitingThreads waiting = this.line;
		if (waiting != null) {
			waiting.wakeFirst();
		}
	}

	/** Resumes the queue and adds futures that end with its current tasks. */
	void drain(List<CompletableFuture<?>> ends) {
		this.owner.resume();
		if (this.inbox != null) {
			// Read first: a task that starts later would be after the HIGH marker.
			boolean normal = this.owner.hasNormal();
			ends.add(mark(Level.HIGH));
			if (normal) {
				ends.add(mark(Level.NORMAL));
			}
		}
	}

	/** Ends after the running task and the tasks queued in the level before it. */
	private CompletableFuture<?> mark(Level level) {
		LeveledTask<?> marker = LeveledTask.marker(level);
		marker.queue = this;
		return (push(marker) == Push.DONE) ? marker : Objects.requireNonNull(top());
	}

	// Cancellers

	/** A waiting task was claimed from outside. */
	void withdrawn(LeveledTask<?> task, TaskOutcome outcome) {
		addDead();
		this.queues.outcomes.count(outcome);
		task.notifyListeners(this.queues.outcomes, this.id, outcome);
	}

	/** Ends every waiting task, of earlier generations too, as cancelled. */
	void cancelWaiting() {
		for (SequentialQueue queue = this; queue != null; queue = queue.predecessor) {
			for (LeveledTask<?> task : queue.owner.waitingTasks((waiting) -> !waiting.isMarker())) {
				task.cancel(false);
			}
		}
	}

	/**
	 * Frees the place of a claimed task, and unlinks dead nodes if they outnumber the
	 * live.
	 */
	void addDead() {
		int count = (int) DEAD.getAndAdd(this, 1) + 1;
		placeFreed();
		if (count > DEAD_NODES && count > waiting()) {
			this.owner.sweep();
		}
	}

	/** A dead node was unlinked; called before it is counted as taken. */
	void removeDead() {
		DEAD.getAndAdd(this, -1);
	}

	// Owner

	@Override
	protected boolean work(WorkerRun worker) {
		return this.owner.work(worker);
	}

	@Override
	protected @Nullable ReadyQueue rejectAll(Throwable reason) {
		return this.owner.rejectAll(reason);
	}

	/** Returns the node pushed last, or null if the inbox has no node. */
	@Nullable LeveledTask<?> top() {
		return (this.inbox instanceof LeveledTask<?> node) ? node : null;
	}

	/**
	 * Returns the node pushed after this one, or the first node for null; null if no such
	 * node exists.
	 */
	@Nullable LeveledTask<?> following(@Nullable LeveledTask<?> reached) {
		for (int spins = 0;; spins++) {
			LeveledTask<?> node = (reached != null) ? reached.linkedNext() : (LeveledTask<?>) FIRST.getAcquire(this);
			if (node != null || this.inbox == lastOf(reached)) {
				return node;
			}
			SpinGuard.pause(spins);
		}
	}

	/** Releases the first node, which the owner has passed. */
	void passFirst() {
		FIRST.setRelease(this, null);
	}

	/** Gives up ownership, unless something was pushed after the last node reached. */
	boolean giveUp(@Nullable LeveledTask<?> reached, int taken) {
		this.base = taken;
		return INBOX.compareAndSet(this, lastOf(reached), null);
	}

	/** Gives up ownership, unless something was pushed since it was taken. */
	boolean giveUpUntouched() {
		return INBOX.compareAndSet(this, this, null);
	}

	/** Returns the content of the inbox if no node was pushed after this one. */
	private Object lastOf(@Nullable LeveledTask<?> reached) {
		return (reached != null) ? reached : this;
	}

	// Removal

	/**
	 * Seals this generation and resumes it; the action, if there is one, runs when it has
	 * drained. Null if it has: the action belongs to the next generation.
	 */
	@Nullable Seal seal(@Nullable Runnable action) {
		Seal fresh = new Seal();
		if (action != null) {
			fresh.addAction(action);
		}
		for (;;) {
			Object top = this.inbox;
			if (top instanceof Seal present) {
				return (action == null || present.addAction(action)) ? present : null;
			}
			LeveledTask<?> node = (top instanceof LeveledTask<?> last) ? last : null;
			fresh.settleBefore((node != null) ? node.settledPosition() : this.owner.taken());
			if (INBOX.compareAndSet(this, top, fresh)) {
				link(node, fresh);
				sealed(fresh, top == null, action == null);
				return fresh;
			}
		}
	}

	/** Removes the queue if it is idle and was not used for as long. */
	void sealIfIdleSince(long nanos, long now) {
		if (this.inbox == null && !this.owner.isPaused() && now - this.usedAt >= nanos) {
			Seal fresh = new Seal();
			fresh.settleBefore(this.owner.taken());
			if (INBOX.compareAndSet(this, null, fresh)) {
				link(null, fresh);
				sealed(fresh, true, true);
			}
		}
	}

	private void sealed(Seal fresh, boolean owned, boolean quiet) {
		this.owner.resume();
		WaitingThreads waiting = this.line;
		if (waiting != null) {
			waiting.wakeAll();
		}
		if (owned && quiet) {
			this.owner.endAndHandOn(fresh);
		}
		else if (owned) {
			this.queues.ready.schedule(this);
		}
	}

	boolean isSealed() {
		return this.inbox instanceof Seal;
	}

	/**
	 * Pauses the queue; false if this generation is sealed, which nothing may hold up.
	 */
	boolean pause() {
		this.owner.pause();
		if (isSealed()) {
			this.owner.resume();
			return false;
		}
		return true;
	}

	/** The generation after this sealed one, or null if it has ended. */
	@Nullable SequentialQueue successor() {
		return (this.inbox instanceof Seal present) ? present.successorOf(this) : null;
	}

	/**
	 * Returns whether the calling thread runs a task of this generation, or of an earlier
	 * one that still drains.
	 */
	boolean isRunByCaller() {
		for (SequentialQueue queue = this; queue != null; queue = queue.predecessor) {
			if (queue.owner.isRunByCaller()) {
				return true;
			}
		}
		return false;
	}

	// Looking

	/** Returns the sum over this generation and earlier ones that still drain. */
	QueueSnapshot snapshot(long now) {
		QueueSnapshot sum = new QueueSnapshot(this.id, this.owner.state(), 0, 0, Duration.ZERO);
		for (SequentialQueue queue = this; queue != null; queue = queue.predecessor) {
			if (queue.inbox != null) {
				sum = queue.owner.addTo(sum, queue.waiting(), now);
			}
		}
		return sum;
	}

	/** Counts completed tasks of this generation and earlier ones that still drain. */
	long completed() {
		long sum = 0;
		for (SequentialQueue queue = this; queue != null; queue = queue.predecessor) {
			sum += queue.owner.completed();
		}
		return sum;
	}

	void forgetPredecessor() {
		this.predecessor = null;
	}

	void usedAt(long now) {
		this.usedAt = now;
	}

	/** How many counted tasks wait. */
	int waiting() {
		LeveledTask<?> top = top();
		return (top != null) ? top.settledPosition() - gone() : 0;
	}

}
