package dev.sluice.websocket.inbound;

import java.security.Principal;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;

/**
 * Inbound side of one session: its tasks, each in its turn, and its end as the last one.
 */
public final class SessionInbound {

	/*
	 * No task starts after the last one, and no queue stays behind. The end seals the
	 * queue, so that tasks accepted before it run before it. A task that comes later
	 * creates the queue again, which starts when the end has run; the task reads "over"
	 * and fails. After submitting, the caller reads "ending" and removes the queue again.
	 * "ending" is marked before the removal, so that one of the two detects the other.
	 * One turn at a time waits for a future. The turn writes "leave" before it reads
	 * "gone", and the end of the session writes "gone" before it reads "leave", so that
	 * one of the two detects the other. Attacked by SessionEndsTests,
	 * WaitingMessagesTests and ClientsHostileTests.
	 */

	private static final AtomicReferenceFieldUpdater<SessionInbound, @Nullable Runnable> LEAVE = AtomicReferenceFieldUpdater
		.newUpdater(SessionInbound.class, Runnable.class, "leave");

	private final WebSocketSession session;

	private final TaskQueue queue;

	private final InboundPressure pressure;

	private final String type;

	private final MessageObserver observer;

	private final PrincipalTasks principals;

	private final BooleanSupplier closing;

	private volatile @Nullable Runnable leave;

	private volatile boolean gone;

	private volatile boolean ending;

	private volatile boolean over;

	/**
	 * Creates the turns of a session.
	 * @param session has the principal of the client
	 * @param pressure notified of each stage that a turn waits for; determines whether
	 * the calling thread runs the tasks that it submits while no other task has the turn
	 * @param type the type under which the session is counted
	 * @param observer watches the messages
	 * @param principals runs their handling in the name of the client
	 * @param closing whether the server closes the session, so that no message is handled
	 */
	public SessionInbound(WebSocketSession session, TaskQueue queue, InboundPressure pressure, String type,
			MessageObserver observer, PrincipalTasks principals, BooleanSupplier closing) {
		this.session = session;
		this.queue = queue;
		this.pressure = pressure;
		this.type = type;
		this.observer = observer;
		this.principals = principals;
		this.closing = closing;
	}

	/**
	 * Submits the turn of a message to the queue, or runs it if the calling thread is to
	 * handle the messages it has read.
	 * @return ends with the turn; fails with a {@link SessionClosedException} if the
	 * session has ended, or is being closed
	 */
	public LeveledTask<@Nullable Void> submit(SessionTurn turn) {
		Level level = turn.level();
		ObservedMessage observed = this.observer.received(this.type, id(), level);
		turn.observedBy(observed);
		LeveledTask<@Nullable Void> task = submitted(this.pressure.isHandler()
				? this.queue.runOrSubmitStage(level, turn) : this.queue.submitStage(level, turn));
		if (observed != ObservedMessage.NONE) {
			task.whenComplete((nothing, rejection) -> observed.ended(rejection));
		}
		return task;
	}

	/**
	 * Submits a task, or runs it if the calling thread is to handle the messages it has
	 * read.
	 * @return the task's future, which fails with a {@link SessionClosedException} if the
	 * session has ended
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(Level level, Callable<T> task) {
		Callable<T> checked = () -> {
			requireNotOver();
			return task.call();
		};
		return submitted(
				this.pressure.isHandler() ? this.queue.runOrSubmit(level, checked) : this.queue.submit(level, checked));
	}

	/** Submits a task; as {@link #submit}. */
	public LeveledTask<@Nullable Void> execute(Level level, Runnable task) {
		return this.<@Nullable Void>submit(level, () -> {
			task.run();
			return null;
		});
	}

	/** Submits a task that holds the queue until its stage ends; as {@link #submit}. */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(Level level,
			Callable<? extends CompletionStage<T>> task) {
		Callable<CompletionStage<T>> checked = () -> {
			requireNotOver();
			CompletionStage<T> stage = task.call();
			this.pressure.parked(stage);
			return stage;
		};
		return submitted(this.pressure.isHandler() ? this.queue.<T>runOrSubmitStage(level, checked)
				: this.queue.<T>submitStage(level, checked));
	}

	/** Returns the id of the session. */
	String id() {
		return this.queue.id();
	}

	String type() {
		return this.type;
	}

	@Nullable Principal principal() {
		return this.session.getPrincipal();
	}

	PrincipalTasks principals() {
		return this.principals;
	}

	void parked(CompletionStage<?> stage) {
		this.pressure.parked(stage);
	}

	<T extends @Nullable Object> Callable<T> decorated(Callable<T> part) {
		return this.queue.decorated(part);
	}

	/**
	 * Makes the turn wait for a future, which it leaves when the client has gone.
	 */
	<T extends @Nullable Object> CompletableFuture<T> leaveAtEnd(CompletableFuture<T> waiting, Runnable leaving) {
		this.leave = leaving;
		if (this.gone) {
			leave();
		}
		return waiting.whenComplete((value, failure) -> LEAVE.compareAndSet(this, leaving, null));
	}

	/** Called when the connection has ended: the turn no longer waits. */
	public void leave() {
		this.gone = true;
		Runnable leaving = this.leave;
		if (leaving != null) {
			leaving.run();
		}
	}

	/**
	 * Runs the tasks that were submitted before; others may follow.
	 * @return ends when they have run
	 */
	public CompletableFuture<@Nullable Void> drain() {
		return this.queue.remove();
	}

	/**
	 * Runs the last task, after all that were submitted before.
	 * @return ends when the last task has run
	 */
	public CompletableFuture<@Nullable Void> end(Runnable last) {
		this.ending = true;
		return this.queue.remove(() -> {
			this.over = true;
			last.run();
		});
	}

	/** Returns whether the server closes the session. */
	boolean isClosing() {
		return this.closing.getAsBoolean();
	}

	/** Returns whether the last task has begun. */
	public boolean isOver() {
		return this.over;
	}

	private <T extends @Nullable Object> LeveledTask<T> submitted(LeveledTask<T> task) {
		if (this.ending) {
			this.queue.remove();
		}
		return task;
	}

	private void requireNotOver() throws SessionClosedException {
		if (this.over) {
			throw new SessionClosedException(id());
		}
	}

}
