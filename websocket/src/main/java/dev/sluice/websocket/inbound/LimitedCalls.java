package dev.sluice.websocket.inbound;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Calls of the limited methods of one session. A call that waits for permits holds the
 * session's queue, as long as its task returns the future returned here, but no thread;
 * it leaves the line when the session ends.
 */
public final class LimitedCalls {

	/*
	 * There is one call at a time, since each is a task of the session's queue. It leaves
	 * WAITING once: for its body, which then runs to its end even if the session ends, or
	 * for the end of the session, which cancels the call. The gates treat a body that
	 * does not run as failed, and release all permits, including permits that a call
	 * would have kept. The end is marked before "leave" is read, and "leave" is written
	 * before the mark is read, so that one of the two detects the other. Attacked by
	 * WaitingMessagesTests.
	 */

	private static final AtomicReferenceFieldUpdater<LimitedCalls, @Nullable Runnable> LEAVE = AtomicReferenceFieldUpdater
		.newUpdater(LimitedCalls.class, Runnable.class, "leave");

	private final SessionInbound inbound;

	private final BooleanSupplier closing;

	private volatile @Nullable Runnable leave;

	private volatile boolean ended;

	/**
	 * Creates the calls of a session.
	 * @param closing whether the server closes the session, so that no call may begin
	 */
	public LimitedCalls(SessionInbound inbound, BooleanSupplier closing) {
		this.inbound = inbound;
		this.closing = closing;
	}

	/**
	 * Makes a call behind one or several gates.
	 * @param gates calls the given function behind the gates
	 * @param body what to call
	 * @return a future for its result; {@code null} as the result if the session ended,
	 * or was being closed, before its turn came
	 */
	public CompletableFuture<@Nullable Object> call(Function<Callable<?>, CompletableFuture<@Nullable Object>> gates,
			Callable<?> body) {
		AtomicReference<State> state = new AtomicReference<>(State.WAITING);
		Callable<?> part = this.inbound.decorated(body);
		CompletableFuture<@Nullable Object> result = gates.apply(() -> {
			if (!state.compareAndSet(State.WAITING, this.closing.getAsBoolean() ? State.LEFT : State.STARTED)
					|| state.get() == State.LEFT) {
				throw new CancellationException("The session ends");
			}
			return part.call();
		});
		if (state.get() == State.STARTED || result.isDone() && state.get() == State.WAITING) {
			return result;
		}
		return leaveAtEnd(result, () -> {
			if (state.compareAndSet(State.WAITING, State.LEFT)) {
				result.cancel(false);
			}
		}).exceptionally((failure) -> {
			if (state.get() == State.LEFT) {
				return null;
			}
			throw (failure instanceof CompletionException wrapped) ? wrapped : new CompletionException(failure);
		});
	}

	/**
	 * Makes a task of the session wait for a future that is cancelled when the session
	 * has ended.
	 */
	public void await(CompletableFuture<?> waiting) {
		leaveAtEnd(waiting, () -> waiting.cancel(false));
	}

	private <T extends @Nullable Object> CompletableFuture<T> leaveAtEnd(CompletableFuture<T> waiting,
			Runnable leaving) {
		this.leave = leaving;
		if (this.ended) {
			end();
		}
		return waiting.whenComplete((value, failure) -> LEAVE.compareAndSet(this, leaving, null));
	}

	/** Called when the session has ended: cancels the wait. */
	public void end() {
		this.ended = true;
		Runnable leaving = this.leave;
		if (leaving != null) {
			leaving.run();
		}
	}

	/** State of a call. */
	private enum State {

		/** Waits for its permits. */
		WAITING,

		/** Runs, or has run, regardless of the end of the session. */
		STARTED,

		/** Does not run, because the session ended before. */
		LEFT

	}

}
