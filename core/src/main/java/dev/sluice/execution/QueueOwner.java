package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The owner's side of a {@link SequentialQueue}: takes its tasks in order and runs them,
 * one at a time, and rests while the queue is paused or held.
 */
final class QueueOwner {

	/*
	 * Order. The nodes of the queue are a chain from the one after "reached" to the one
	 * in the inbox, oldest first. The owner goes along it, a node a task, and looks no
	 * further ahead: so a node that a producer wrote is fetched once, when its task runs.
	 * Only when "hint" says that a HIGH task was pushed does it go on to the end and sort
	 * what it finds into a list for each level, which then come before the chain. A
	 * producer sets the hint after its push; the owner clears it before it reads the
	 * inbox, so none is missed for longer than its submit takes.
	 *
	 * The lists, "reached", "taken" and the tasks' claims are written under "guard" only:
	 * a one-word lock that is held for the passing, claiming and unlinking of nodes,
	 * never over user code, a completion or a wait; it spins briefly, then yields. The
	 * owner takes it once a task; others, who sort as well, only to cancel, where a full
	 * queue must drop or expire a task, and to look.
	 *
	 * Resting. PAUSED and HELD say that the owner must not go on. The worker that sees
	 * one of them moves its ownership to the control word by setting RESTING and leaves;
	 * who removes the last reason clears RESTING in the same CAS, owns the queue by that
	 * and schedules it. If the reason goes before RESTING is set, the worker just goes
	 * on.
	 */

	private static final int PAUSED = 1;

	private static final int HELD = 2;

	private static final int RESTING = 4;

	private static final int SPINS = 64;

	private static final VarHandle CONTROL;

	private static final VarHandle GUARD;

	private static final VarHandle TAKEN;

	private static final VarHandle RUNNING;

	private static final VarHandle COMPLETED;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			CONTROL = lookup.findVarHandle(QueueOwner.class, "control", int.class);
			GUARD = lookup.findVarHandle(QueueOwner.class, "guard", int.class);
			TAKEN = lookup.findVarHandle(QueueOwner.class, "taken", int.class);
			RUNNING = lookup.findVarHandle(QueueOwner.class, "running", boolean.class);
			COMPLETED = lookup.findVarHandle(QueueOwner.class, "completed", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final SequentialQueue queue;

	private volatile int control;

	@SuppressWarnings("unused")
	private volatile int guard;

	private volatile boolean hint;

	/** Whether a worker runs the queue; written by the owner, read by snapshots. */
	private boolean running;

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

	/** For a queue that nobody owns or, above the open node, one that starts held. */
	QueueOwner(SequentialQueue queue, @Nullable LeveledTask<?> open) {
		this.queue = queue;
		this.reached = open;
		this.control = (open != null) ? HELD | RESTING : 0;
	}

	// Control

	void pause() {
		setReason(PAUSED);
	}

	void resume() {
		if (clearReason(PAUSED)) {
			this.queue.executor.ready.schedule(this.queue);
		}
	}

	boolean isPaused() {
		return (this.control & PAUSED) != 0;
	}

	private void setReason(int reason) {
		CONTROL.getAndBitwiseOr(this, reason);
	}

	/** Whether this was the last reason to rest: the caller owns the queue then. */
	private boolean clearReason(int reason) {
		for (;;) {
			int current = this.control;
			int cleared = current & ~reason;
			boolean owned = cleared == RESTING;
			if (CONTROL.compareAndSet(this, current, owned ? 0 : cleared)) {
				return owned;
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

	// Running

	/**
	 * Runs waiting tasks, on the calling worker, until none is left, a stage or a pause
	 * holds the queue, or enough ran and another queue waits. True in the last case: the
	 * caller still owns the queue.
	 */
	boolean work(ReadyQueues.Worker worker) {
		SequentialLeveledTaskExecutor executor = this.queue.executor;
		setRunning(true);
		int started = 0;
		for (;;) {
			LeveledTask<?> task = next(executor);
			if (task == null) {
				return false;
			}
			worker.clearInterrupt();
			if (task instanceof Seal last) {
				endAndHandOn(last);
				return false;
			}
			if (!run(executor, task)) {
				return false;
			}
			if (++started >= executor.maxTasksBeforeYield()) {
				if (executor.ready.hasWaiting()) {
					setRunning(false);
					return true;
				}
				started = 0;
			}
		}
	}

	/**
	 * Ends every waiting task because no worker could be had. If that ended the
	 * generation, the next one is returned where the caller owns it now.
	 */
	@Nullable SequentialQueue rejectAll(Throwable reason) {
		for (;;) {
			LeveledTask<?> task = next(this.queue.executor);
			if (task == null) {
				return null;
			}
			if (task instanceof Seal last) {
				return end(last);
			}
			if (task.isMarker()) {
				task.succeed(null);
			}
			else {
				this.queue.executor.end(this.queue, task, TaskOutcome.REJECTED, reason);
				this.queue.placeFreed();
			}
		}
	}

	/** Ends the sealed generation and starts the next. */
	void endAndHandOn(Seal last) {
		SequentialQueue next = end(last);
		if (next != null) {
			next.executor.ready.schedule(next);
		}
	}

	/** Ends the sealed generation; returns the next one if the caller owns it now. */
	private @Nullable SequentialQueue end(Seal last) {
		setRunning(false);
		Throwable failure = last.runActions();
		SequentialLeveledTaskExecutor executor = this.queue.executor;
		SequentialQueue successor = last.endSuccession((next) -> executor.replace(this.queue, next));
		if (successor != null) {
			successor.forgetPredecessor();
		}
		executor.ended(this.queue);
		if (failure == null) {
			last.succeed(null);
		}
		else {
			last.fail(failure);
		}
		return (successor != null && successor.owner.clearReason(HELD)) ? successor : null;
	}

	/** Runs a claimed task; false if its stage holds the queue now. */
	private boolean run(SequentialLeveledTaskExecutor executor, LeveledTask<?> task) {
		if (task.isMarker()) {
			task.succeed(null);
			return true;
		}
		if (executor.overflow == OverflowStrategy.BLOCK) {
			this.queue.placeFreed();
		}
		Object body = Objects.requireNonNull(task.takeBody());
		Object result = null;
		try {
			if (task instanceof TimedTask<?> timed && !startInTime(executor, timed)) {
				return true;
			}
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
			executor.end(this.queue, task, TaskOutcome.FAILED, ex);
			return true;
		}
		succeed(executor, task, result);
		return true;
	}

	/** False if its time has passed; it has ended then. */
	private boolean startInTime(SequentialLeveledTaskExecutor executor, TimedTask<?> task) {
		long now = executor.clock.nanoTime();
		task.startAt(now);
		boolean expired = task.isExpired(now);
		if (expired) {
			executor.end(this.queue, task, TaskOutcome.EXPIRED, new TaskExpiredException(this.queue.id));
		}
		return !expired;
	}

	private boolean runStage(LeveledTask<?> task, Callable<?> body) throws Exception {
		CompletionStage<?> stage = (CompletionStage<?>) body.call();
		if (stage == null) {
			throw new NullPointerException("The task of queue '" + this.queue.id + "' returned no stage");
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
			succeed(this.queue.executor, task, value);
		}
		else {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
			this.queue.executor.end(this.queue, task, TaskOutcome.FAILED, (cause != null) ? cause : failure);
		}
		if (clearReason(HELD)) {
			this.queue.executor.ready.schedule(this.queue);
		}
	}

	private void succeed(SequentialLeveledTaskExecutor executor, LeveledTask<?> task, @Nullable Object value) {
		COMPLETED.setOpaque(this, this.completed + 1);
		executor.tell(this.queue.id, task, TaskOutcome.COMPLETED);
		task.succeed(value);
	}

	// Taking

	/**
	 * The next task, claimed; the seal when all before it have ended; or null after
	 * ownership was given up.
	 */
	private @Nullable LeveledTask<?> next(SequentialLeveledTaskExecutor executor) {
		if (this.control != 0 && rest()) {
			return null;
		}
		lock();
		try {
			if (this.hint || this.consecutiveHigh == executor.maxConsecutiveHigh) {
				sort();
			}
			for (;;) {
				LeveledTask<?> task = poll(executor.maxConsecutiveHigh);
				if (task != null || giveUp()) {
					return task;
				}
			}
		}
		finally {
			unlock();
		}
	}

	private boolean giveUp() {
		setRunning(false);
		LeveledTask<?> last = this.reached;
		this.reached = null;
		if (this.queue.giveUp(last, this.taken)) {
			return true;
		}
		this.reached = last;
		setRunning(true);
		return false;
	}

	/** The next task, claimed; the seal when nothing else is left; or null. */
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

	// Lists, under the guard

	private void lock() {
		for (int spins = 0; !GUARD.compareAndSet(this, 0, 1); spins++) {
			pause(spins);
		}
	}

	/** Waits a moment for a thread that is a few instructions from its goal. */
	static void pause(int spins) {
		if (spins < SPINS) {
			Thread.onSpinWait();
		}
		else {
			Thread.yield();
		}
	}

	private void unlock() {
		GUARD.setRelease(this, 0);
	}

	/** Goes on to the node that was pushed after the one reached before. */
	private void pass(LeveledTask<?> node) {
		if (this.reached != null) {
			this.reached.unlinkNext();
		}
		else {
			this.queue.passFirst();
		}
		this.reached = node;
	}

	/** Moves what was pushed until now to the lists, in order of arrival. */
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
			this.queue.unburied();
		}
		TAKEN.setRelease(this, this.taken + 1);
	}

	int taken() {
		return (int) TAKEN.getAcquire(this);
	}

	/** Tells that a HIGH task was pushed. */
	void hintHigh() {
		this.hint = true;
	}

	/** Claims a task for somebody other than the worker. */
	boolean claim(LeveledTask<?> task) {
		lock();
		try {
			return task.claim();
		}
		finally {
			unlock();
		}
	}

	/** Unlinks every dead node. */
	void sweep() {
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

	/** Whether NORMAL tasks may wait. */
	boolean hasNormal() {
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
	@Nullable LeveledTask<?> oldestWaiting(boolean highNewcomer) {
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

	List<LeveledTask<?>> waitingTasks(Predicate<LeveledTask<?>> condition) {
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

	// Looking

	QueueState state() {
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
		return (this.queue.top() != null) ? QueueState.WAITING : QueueState.IDLE;
	}

	/** Adds what waits here to what waits in other generations. */
	QueueSnapshot addTo(QueueSnapshot others, int waiting, long now) {
		lock();
		try {
			sort();
			int high = 0;
			for (LeveledTask<?> task = this.firstHigh; task != null; task = task.sortedNext) {
				high += task.isClaimed() ? 0 : 1;
			}
			long oldestWait = others.oldestWait().toNanos();
			if (this.queue.executor.recordsWaits) {
				oldestWait = Math.max(oldestWait, Math.max(waitOf(this.firstHigh, now), waitOf(this.firstNormal, now)));
			}
			return new QueueSnapshot(others.id(), others.state(), others.high() + high,
					others.normal() + Math.max(0, waiting - high), Duration.ofNanos(oldestWait));
		}
		finally {
			unlock();
		}
	}

	long completed() {
		return (long) COMPLETED.getOpaque(this);
	}

	private static long waitOf(@Nullable LeveledTask<?> first, long now) {
		return (firstLive(first) instanceof TimedTask<?> timed) ? timed.waitNanos(now) : 0;
	}

	private void setRunning(boolean value) {
		RUNNING.setOpaque(this, value);
	}

}
