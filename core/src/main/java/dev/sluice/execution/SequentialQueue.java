package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/** One generation of one queue: from its first task to its removal. */
final class SequentialQueue {

	/*
	 * Ownership. At most one party owns the queue and may take tasks from it: the list of
	 * ready queues (scheduled), a worker (running), or, while RESTING is set, the control
	 * word. "inbox" says whether there is an owner: it is null exactly when nobody owns
	 * the queue and nothing waits.
	 *
	 * Wake-up. A producer publishes its task by one CAS on "inbox", linking it above the
	 * node that it replaces. Who replaces null has thereby become the owner and schedules
	 * the queue; everybody else found an owner who has yet to give up. An owner gives up
	 * only by a CAS of "inbox" from the last node that it absorbed ("absorbed") to null:
	 * a task published meanwhile, of either level, makes that CAS fail, and the owner
	 * looks again. So no wake-up is lost, and publication and claim cannot come apart.
	 * Nodes are pushed once and never again, so the CAS cannot be fooled by a node that
	 * left and returned.
	 *
	 * Lists. "inbox" is a stack, newest first, down to the node last absorbed. Absorbing
	 * turns the new part round and appends it to the list of each level. The lists,
	 * "absorbed" and "seal" are touched under "guard" only: a one-word lock that is held
	 * for the absorbing and unlinking of nodes, never over user code, a completion or a
	 * wait; it spins briefly, then yields. The owner takes it once a task; producers only
	 * where a full queue must drop or expire a task, cancellers where dead nodes pile up.
	 *
	 * Resting. PAUSED and HELD say that the owner must not go on. The worker that sees
	 * one of them moves its ownership to the control word by setting RESTING and leaves;
	 * who removes the last reason clears RESTING in the same CAS, owns the queue by that
	 * and schedules it. If the reason goes before RESTING is set, the worker just goes
	 * on.
	 *
	 * Removal. The seal is pushed like a task and stays on top: a producer that sees it
	 * goes to the next generation, which starts held and is released when this one has
	 * ended. So tasks of two generations never overlap and none is refused.
	 *
	 * Visibility. A submit happens before its task by the CAS and the volatile read of
	 * "inbox"; a task happens before the next of its queue because ownership moves by
	 * that CAS, by the control word or by the list of ready queues.
	 *
	 * Attacked by SequentialQueueLincheckTests (model checking), by WakeUp,
	 * RemoveAgainstRun, RemoveAgainstSubmit, StageAgainstRun and StageAgainstPause
	 * (jcstress), and by ExecutionSoakTests.
	 */

	private static final int PAUSED = 1;

	private static final int HELD = 2;

	private static final int RESTING = 4;

	private static final long NORMAL_UNIT = 1;

	private static final long HIGH_UNIT = 1L << 32;

	/** Dead nodes that a queue may always keep until its owner passes by. */
	private static final int DEAD_NODES = 64;

	private static final int SPINS = 64;

	/** Stands in the inbox of a generation that must not start yet. */
	private static final LeveledTask<?> OPEN = new LeveledTask<@Nullable Void>(LeveledTask.Kind.MARKER, Level.NORMAL,
			null);

	private static final VarHandle INBOX;

	private static final VarHandle DEPTHS;

	private static final VarHandle CONTROL;

	private static final VarHandle GUARD;

	private static final VarHandle DEAD;

	private static final VarHandle LINE;

	private static final VarHandle RUNNING;

	private static final VarHandle COMPLETED;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			INBOX = lookup.findVarHandle(SequentialQueue.class, "inbox", LeveledTask.class);
			DEPTHS = lookup.findVarHandle(SequentialQueue.class, "depths", long.class);
			CONTROL = lookup.findVarHandle(SequentialQueue.class, "control", int.class);
			GUARD = lookup.findVarHandle(SequentialQueue.class, "guard", int.class);
			DEAD = lookup.findVarHandle(SequentialQueue.class, "dead", int.class);
			LINE = lookup.findVarHandle(SequentialQueue.class, "line", SubmitterLine.class);
			RUNNING = lookup.findVarHandle(SequentialQueue.class, "running", boolean.class);
			COMPLETED = lookup.findVarHandle(SequentialQueue.class, "completed", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	final SequentialLeveledTaskExecutor executor;

	final String id;

	private volatile @Nullable LeveledTask<?> inbox;

	/** Waiting tasks: HIGH in the upper half, NORMAL in the lower. */
	private volatile long depths;

	private volatile int control;

	@SuppressWarnings("unused")
	private volatile int guard;

	/** Claimed nodes that are still linked. */
	private volatile int dead;

	/** Submitters that wait for a place; made by the first of them. */
	private volatile @Nullable SubmitterLine line;

	/** When a task was last submitted; kept only where idle queues expire. */
	private volatile long usedAt;

	/** Whether a task that may expire was ever queued. */
	private volatile boolean expiring;

	/** Whether a worker runs the queue; written by the owner, read by snapshots. */
	private boolean running;

	/** Tasks that returned; written by the owner, read by snapshots. */
	private long completed;

	private @Nullable LeveledTask<?> absorbed;

	private @Nullable LeveledTask<?> firstHigh;

	private @Nullable LeveledTask<?> lastHigh;

	private @Nullable LeveledTask<?> firstNormal;

	private @Nullable LeveledTask<?> lastNormal;

	private @Nullable Seal seal;

	private int consecutiveHigh;

	SequentialQueue(SequentialLeveledTaskExecutor executor, String id) {
		this.executor = executor;
		this.id = id;
	}

	/** A generation that takes tasks and starts none until {@link #release()}. */
	static SequentialQueue heldOpen(SequentialLeveledTaskExecutor executor, String id) {
		SequentialQueue queue = new SequentialQueue(executor, id);
		queue.inbox = OPEN;
		queue.absorbed = OPEN;
		queue.control = HELD | RESTING;
		return queue;
	}

	// Producers

	/**
	 * Queues the task, or ends it where the queue is full. False if this generation is
	 * sealed: the task belongs to the next one.
	 */
	boolean offer(LeveledTask<?> task) {
		task.queue = this;
		if (task instanceof TimedTask<?> timed && timed.mayExpire()) {
			this.expiring = true;
		}
		long unit = unit(task);
		if ((!hasLine() && reserve(unit)) || makeRoom(task, unit)) {
			if (push(task)) {
				return true;
			}
			vacate(unit);
			return false;
		}
		if (isSealed()) {
			return false;
		}
		refuse(task);
		return true;
	}

	/** Resumes the queue; the future ends with what waits now, null if nothing does. */
	@Nullable CompletableFuture<?> drain() {
		resume();
		LeveledTask<?> top = this.inbox;
		if (top == null || top instanceof Seal) {
			return top;
		}
		LeveledTask<@Nullable Void> marker = new LeveledTask<>(LeveledTask.Kind.MARKER, Level.NORMAL, null);
		marker.queue = this;
		return push(marker) ? marker : this.inbox;
	}

	private boolean push(LeveledTask<?> task) {
		for (;;) {
			LeveledTask<?> top = this.inbox;
			if (top instanceof Seal) {
				return false;
			}
			task.next = top;
			if (INBOX.compareAndSet(this, top, task)) {
				if (top == null) {
					this.executor.ready.schedule(this);
				}
				return true;
			}
		}
	}

	private boolean reserve(long unit) {
		for (;;) {
			long current = this.depths;
			if (high(current) + normal(current) >= this.executor.capacity) {
				return false;
			}
			if (DEPTHS.compareAndSet(this, current, current + unit)) {
				return true;
			}
		}
	}

	private void vacate(long unit) {
		DEPTHS.getAndAdd(this, -unit);
		SubmitterLine waiting = this.line;
		if (waiting != null) {
			waiting.wakeFirst();
		}
	}

	/** Whether a place was found for the task in a full queue. */
	private boolean makeRoom(LeveledTask<?> task, long unit) {
		if (isSealed()) {
			return false;
		}
		if (this.expiring && expireWaiting() && reserve(unit)) {
			return true;
		}
		return switch (this.executor.overflow) {
			case REJECT, DROP_NEWEST -> false;
			case DROP_OLDEST -> replaceOldest(task, unit);
			case BLOCK -> !this.executor.ready.isWorker() && waitForPlace(unit);
		};
	}

	private void refuse(LeveledTask<?> task) {
		task.claim();
		switch (this.executor.overflow) {
			case REJECT, BLOCK -> this.executor.end(this, task, TaskOutcome.REJECTED,
					new QueueFullException(this.id, this.executor.capacity));
			case DROP_NEWEST, DROP_OLDEST -> this.executor.end(this, task, TaskOutcome.DROPPED,
					new TaskDroppedException(this.id, this.executor.overflow));
		}
	}

	private boolean replaceOldest(LeveledTask<?> task, long unit) {
		while (!reserve(unit)) {
			LeveledTask<?> oldest;
			boolean won;
			lock();
			try {
				absorb();
				oldest = firstLive(this.firstNormal);
				if (oldest == null && task.high) {
					oldest = firstLive(this.firstHigh);
				}
				won = oldest != null && oldest.claim();
			}
			finally {
				unlock();
			}
			if (oldest == null) {
				return false;
			}
			if (won) {
				DEPTHS.getAndAdd(this, unit - unit(oldest));
				bury();
				this.executor.end(this, oldest, TaskOutcome.DROPPED,
						new TaskDroppedException(this.id, this.executor.overflow));
				return true;
			}
		}
		return true;
	}

	private boolean expireWaiting() {
		long now = this.executor.clock.nanoTime();
		boolean any = false;
		for (LeveledTask<?> task : waitingTasks(
				(waiting) -> waiting instanceof TimedTask<?> timed && timed.isExpired(now))) {
			if (task.claim()) {
				any = true;
				vacate(unit(task));
				bury();
				this.executor.end(this, task, TaskOutcome.EXPIRED, new TaskExpiredException(this.id));
			}
		}
		return any;
	}

	private boolean hasLine() {
		SubmitterLine waiting = this.line;
		return waiting != null && !waiting.isEmpty();
	}

	private boolean waitForPlace(long unit) {
		SubmitterLine waiting = this.line;
		if (waiting == null) {
			SubmitterLine candidate = new SubmitterLine();
			waiting = LINE.compareAndSet(this, null, candidate) ? candidate : Objects.requireNonNull(this.line);
		}
		return waiting.await(() -> reserve(unit), this::isSealed, this.executor.maxBlockNanos);
	}

	// Cancellers

	/** A waiting task was claimed from outside: its place is free, its node is dead. */
	void withdrawn(LeveledTask<?> task) {
		vacate(unit(task));
		bury();
		this.executor.count(TaskOutcome.CANCELLED);
		this.executor.tell(this.id, task, TaskOutcome.CANCELLED);
	}

	/** Counts a dead node, and unlinks all dead ones where they outweigh the live. */
	private void bury() {
		int count = (int) DEAD.getAndAdd(this, 1) + 1;
		if (count > DEAD_NODES && count > waiting()) {
			lock();
			try {
				absorb();
				sweep();
			}
			finally {
				unlock();
			}
		}
	}

	/** Ends every waiting task as cancelled. */
	void cancelWaiting() {
		for (LeveledTask<?> task : waitingTasks((waiting) -> waiting.kind != LeveledTask.Kind.MARKER)) {
			task.cancel(false);
		}
	}

	// Control

	/**
	 * Pauses the queue; false if this generation is sealed, which nothing may hold up.
	 */
	boolean pause() {
		setReason(PAUSED);
		if (isSealed()) {
			resume();
			return false;
		}
		return true;
	}

	void resume() {
		clearReason(PAUSED);
	}

	/** Starts a generation that was made by {@link #heldOpen}. */
	void release() {
		clearReason(HELD);
	}

	private void setReason(int reason) {
		CONTROL.getAndBitwiseOr(this, reason);
	}

	private void clearReason(int reason) {
		for (;;) {
			int current = this.control;
			int cleared = current & ~reason;
			boolean wake = cleared == RESTING;
			if (CONTROL.compareAndSet(this, current, wake ? 0 : cleared)) {
				if (wake) {
					this.executor.ready.schedule(this);
				}
				return;
			}
		}
	}

	/** Moves ownership to the control word, if it holds a reason to rest. */
	private boolean rest() {
		setRunning(false);
		for (;;) {
			int current = this.control;
			if ((current & (PAUSED | HELD)) == 0) {
				setRunning(true);
				return false;
			}
			if (CONTROL.compareAndSet(this, current, current | RESTING)) {
				return true;
			}
		}
	}

	// Removal

	/**
	 * Seals this generation and resumes it; the action, if there is one, runs when it has
	 * drained. Null if the generation has ended already.
	 */
	@Nullable Seal seal(@Nullable Runnable action) {
		Seal fresh = new Seal();
		if (action != null) {
			fresh.addAction(action);
		}
		for (;;) {
			LeveledTask<?> top = this.inbox;
			if (top instanceof Seal present) {
				if (action != null && !present.addAction(action)) {
					return null;
				}
				return present;
			}
			fresh.next = top;
			if (INBOX.compareAndSet(this, top, fresh)) {
				sealed(fresh, top == null, action == null);
				return fresh;
			}
		}
	}

	/** Removes the queue if it is idle and was not used for as long. */
	void sealIfIdleSince(long nanos, long now) {
		if (this.inbox == null && this.control == 0 && now - this.usedAt >= nanos) {
			Seal fresh = new Seal();
			if (INBOX.compareAndSet(this, null, fresh)) {
				sealed(fresh, true, true);
			}
		}
	}

	private void sealed(Seal fresh, boolean owner, boolean quiet) {
		resume();
		SubmitterLine waiting = this.line;
		if (waiting != null) {
			waiting.wakeAll();
		}
		if (owner && quiet) {
			end(fresh);
		}
		else if (owner) {
			this.executor.ready.schedule(this);
		}
	}

	boolean isSealed() {
		return this.inbox instanceof Seal;
	}

	/** The generation after this sealed one, or null if it has ended. */
	@Nullable SequentialQueue successor() {
		return (this.inbox instanceof Seal present) ? present.successorOf(this) : null;
	}

	private void end(Seal last) {
		setRunning(false);
		Throwable failure = last.runActions();
		SequentialQueue successor = last.endSuccession();
		this.executor.ended(this, successor);
		if (failure == null) {
			last.succeed(null);
		}
		else {
			last.fail(failure);
		}
		if (successor != null) {
			successor.release();
		}
	}

	// Owner

	/**
	 * Runs waiting tasks, on the calling worker, until none is left, a stage or a pause
	 * holds the queue, or enough ran and another queue waits. True in the last case: the
	 * caller still owns the queue.
	 */
	boolean work(ReadyQueues.Worker worker) {
		setRunning(true);
		int started = 0;
		for (;;) {
			LeveledTask<?> task = next();
			if (task == null) {
				return false;
			}
			if (task instanceof Seal last) {
				end(last);
				return false;
			}
			worker.clearInterrupt();
			if (!run(task)) {
				return false;
			}
			if (++started == this.executor.maxTasksBeforeYield) {
				if (this.executor.ready.hasWaiting()) {
					setRunning(false);
					return true;
				}
				started = 0;
			}
		}
	}

	/** Ends every waiting task because no worker could be had. */
	void rejectAll(Throwable reason) {
		for (;;) {
			LeveledTask<?> task = next();
			if (task == null) {
				return;
			}
			if (task instanceof Seal last) {
				end(last);
				return;
			}
			if (task.kind == LeveledTask.Kind.MARKER) {
				task.succeed(null);
			}
			else {
				vacate(unit(task));
				this.executor.end(this, task, TaskOutcome.REJECTED, reason);
			}
		}
	}

	/**
	 * The next task, claimed; the seal when all before it have ended; or null after
	 * ownership was given up.
	 */
	private @Nullable LeveledTask<?> next() {
		if (this.control != 0 && rest()) {
			return null;
		}
		lock();
		try {
			for (;;) {
				absorb();
				LeveledTask<?> task = poll();
				if (task != null) {
					return task;
				}
				if (this.seal != null) {
					return this.seal;
				}
				setRunning(false);
				LeveledTask<?> last = this.absorbed;
				this.absorbed = null;
				if (INBOX.compareAndSet(this, last, null)) {
					return null;
				}
				this.absorbed = last;
				setRunning(true);
			}
		}
		finally {
			unlock();
		}
	}

	private @Nullable LeveledTask<?> poll() {
		for (;;) {
			LeveledTask<?> task = this.firstHigh;
			if (task == null
					|| (this.firstNormal != null && this.consecutiveHigh == this.executor.maxConsecutiveHigh)) {
				task = this.firstNormal;
			}
			if (task == null) {
				return null;
			}
			unlinkFirst(task);
			if (task.claim()) {
				if (!task.high) {
					this.consecutiveHigh = 0;
				}
				else if (this.consecutiveHigh < this.executor.maxConsecutiveHigh) {
					this.consecutiveHigh++;
				}
				return task;
			}
			DEAD.getAndAdd(this, -1);
		}
	}

	/** Runs a claimed task; false if its stage holds the queue now. */
	private boolean run(LeveledTask<?> task) {
		if (task.kind == LeveledTask.Kind.MARKER) {
			task.succeed(null);
			return true;
		}
		vacate(unit(task));
		if (task instanceof TimedTask<?> timed) {
			long now = this.executor.clock.nanoTime();
			timed.startAt(now);
			if (timed.isExpired(now)) {
				this.executor.end(this, task, TaskOutcome.EXPIRED, new TaskExpiredException(this.id));
				return true;
			}
		}
		Object body = Objects.requireNonNull(task.takeBody());
		Object result = null;
		try {
			switch (task.kind) {
				case RUNNABLE -> ((Runnable) body).run();
				case CALLABLE -> result = ((Callable<?>) body).call();
				case STAGE -> {
					return runStage(task, (Callable<?>) body);
				}
				case MARKER -> throw new IllegalStateException("A marker has no body");
			}
		}
		catch (Throwable ex) {
			this.executor.end(this, task, TaskOutcome.FAILED, ex);
			return true;
		}
		succeed(task, result);
		return true;
	}

	private boolean runStage(LeveledTask<?> task, Callable<?> body) throws Exception {
		CompletionStage<?> stage = (CompletionStage<?>) body.call();
		if (stage == null) {
			throw new NullPointerException("The task of queue '" + this.id + "' returned no stage");
		}
		setReason(HELD);
		try {
			stage.whenComplete((value, failure) -> endStage(task, value, failure));
		}
		catch (Throwable ex) {
			endStage(task, null, ex);
		}
		return !rest();
	}

	/** Ends the task on the thread that ended its stage, then hands the queue on. */
	private void endStage(LeveledTask<?> task, @Nullable Object value, @Nullable Throwable failure) {
		if (task.isDone()) {
			return;
		}
		if (failure == null) {
			succeed(task, value);
		}
		else {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
			this.executor.end(this, task, TaskOutcome.FAILED, (cause != null) ? cause : failure);
		}
		clearReason(HELD);
	}

	private void succeed(LeveledTask<?> task, @Nullable Object value) {
		COMPLETED.setOpaque(this, this.completed + 1);
		this.executor.tell(this.id, task, TaskOutcome.COMPLETED);
		task.succeed(value);
	}

	// Lists, under the guard

	private void lock() {
		for (int spins = 0; !GUARD.compareAndSet(this, 0, 1);) {
			if (++spins < SPINS) {
				Thread.onSpinWait();
			}
			else {
				Thread.yield();
			}
		}
	}

	private void unlock() {
		GUARD.setRelease(this, 0);
	}

	/** Moves what was pushed since the last time to the lists, in order of arrival. */
	private void absorb() {
		LeveledTask<?> top = this.inbox;
		LeveledTask<?> known = this.absorbed;
		if (top == known || top == null) {
			return;
		}
		LeveledTask<?> high = null;
		LeveledTask<?> newestHigh = null;
		LeveledTask<?> normal = null;
		LeveledTask<?> newestNormal = null;
		for (LeveledTask<?> task = top; task != known && task != null;) {
			LeveledTask<?> older = task.next;
			if (task instanceof Seal last) {
				this.seal = last;
				task.next = null;
			}
			else if (task.high) {
				task.next = high;
				high = task;
				newestHigh = (newestHigh != null) ? newestHigh : task;
			}
			else {
				task.next = normal;
				normal = task;
				newestNormal = (newestNormal != null) ? newestNormal : task;
			}
			task = older;
		}
		this.absorbed = top;
		if (high != null) {
			appendHigh(high, newestHigh);
		}
		if (normal != null) {
			appendNormal(normal, newestNormal);
		}
	}

	private void appendHigh(LeveledTask<?> oldest, @Nullable LeveledTask<?> newest) {
		if (this.lastHigh != null) {
			this.lastHigh.next = oldest;
		}
		else {
			this.firstHigh = oldest;
		}
		this.lastHigh = newest;
	}

	private void appendNormal(LeveledTask<?> oldest, @Nullable LeveledTask<?> newest) {
		if (this.lastNormal != null) {
			this.lastNormal.next = oldest;
		}
		else {
			this.firstNormal = oldest;
		}
		this.lastNormal = newest;
	}

	private void unlinkFirst(LeveledTask<?> task) {
		LeveledTask<?> second = task.next;
		task.next = null;
		if (task == this.firstHigh) {
			this.firstHigh = second;
			this.lastHigh = (second != null) ? this.lastHigh : null;
		}
		else {
			this.firstNormal = second;
			this.lastNormal = (second != null) ? this.lastNormal : null;
		}
	}

	private static @Nullable LeveledTask<?> firstLive(@Nullable LeveledTask<?> first) {
		LeveledTask<?> task = first;
		while (task != null && (task.isClaimed() || task.kind == LeveledTask.Kind.MARKER)) {
			task = task.next;
		}
		return task;
	}

	/** Unlinks every dead node. */
	private void sweep() {
		LeveledTask<?> high = this.firstHigh;
		LeveledTask<?> normal = this.firstNormal;
		this.firstHigh = null;
		this.lastHigh = null;
		this.firstNormal = null;
		this.lastNormal = null;
		for (LeveledTask<?> task = high; task != null;) {
			LeveledTask<?> newer = task.next;
			task.next = null;
			if (task.isClaimed()) {
				DEAD.getAndAdd(this, -1);
			}
			else {
				appendHigh(task, task);
			}
			task = newer;
		}
		for (LeveledTask<?> task = normal; task != null;) {
			LeveledTask<?> newer = task.next;
			task.next = null;
			if (task.isClaimed()) {
				DEAD.getAndAdd(this, -1);
			}
			else {
				appendNormal(task, task);
			}
			task = newer;
		}
	}

	private List<LeveledTask<?>> waitingTasks(Predicate<LeveledTask<?>> condition) {
		List<LeveledTask<?>> found = new ArrayList<>();
		lock();
		try {
			absorb();
			for (LeveledTask<?> task = this.firstHigh; task != null; task = task.next) {
				if (condition.test(task)) {
					found.add(task);
				}
			}
			for (LeveledTask<?> task = this.firstNormal; task != null; task = task.next) {
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

	// Looking

	/** How many nodes its lists hold, dead ones included. */
	int linked() {
		return waitingTasks((task) -> true).size();
	}

	QueueSnapshot snapshot(long now) {
		long current = this.depths;
		return new QueueSnapshot(this.id, state(), high(current), normal(current), oldestWait(now));
	}

	long completed() {
		return (long) COMPLETED.getOpaque(this);
	}

	private int waiting() {
		long current = this.depths;
		return high(current) + normal(current);
	}

	private QueueState state() {
		int reasons = this.control;
		if ((reasons & PAUSED) != 0) {
			return QueueState.PAUSED;
		}
		if ((reasons & HELD) != 0) {
			return QueueState.HELD;
		}
		if ((boolean) RUNNING.getOpaque(this)) {
			return QueueState.RUNNING;
		}
		return (this.inbox != null) ? QueueState.WAITING : QueueState.IDLE;
	}

	private Duration oldestWait(long now) {
		if (!this.executor.recordsWaits || waiting() == 0) {
			return Duration.ZERO;
		}
		lock();
		try {
			absorb();
			return Duration.ofNanos(Math.max(waitOf(this.firstHigh, now), waitOf(this.firstNormal, now)));
		}
		finally {
			unlock();
		}
	}

	private static long waitOf(@Nullable LeveledTask<?> first, long now) {
		return (firstLive(first) instanceof TimedTask<?> timed) ? timed.waitNanos(now) : 0;
	}

	void usedAt(long now) {
		this.usedAt = now;
	}

	private void setRunning(boolean value) {
		RUNNING.setOpaque(this, value);
	}

	private static long unit(LeveledTask<?> task) {
		return task.high ? HIGH_UNIT : NORMAL_UNIT;
	}

	private static int high(long depths) {
		return (int) (depths >>> 32);
	}

	private static int normal(long depths) {
		return (int) depths;
	}

}
