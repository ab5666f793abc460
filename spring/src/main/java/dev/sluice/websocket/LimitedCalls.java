package dev.sluice.websocket;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

import dev.sluice.aop.ThrottleGate;
import org.jspecify.annotations.Nullable;

/**
 * Calls the limited methods of one session. A call that waits for permits holds the
 * session's queue, as long as its task returns what is returned here, but no thread; it
 * leaves the line when the session ends.
 */
final class LimitedCalls {

	/*
	 * There is one call at a time, since each is a task of the session's queue. It leaves
	 * WAITING once, by whoever comes first: its body, which then runs to its end whatever
	 * becomes of the session, or the end of the session, which then cancels it. The end
	 * is marked before "leave" is read, and "leave" written before the mark is read, so
	 * one of the two sees the other. Attacked by WaitingMessagesTests.
	 */

	private volatile boolean ended;

	private volatile @Nullable Runnable leave;

	/**
	 * Calls a method behind the gate, as {@link ThrottleGate#call} does.
	 * @return its result to come; {@code null} if the session ended before its turn came
	 */
	CompletableFuture<@Nullable Object> call(ThrottleGate gate, Method method, Object target,
			@Nullable Object[] arguments, Map<String, ? extends @Nullable Object> variables, Callable<?> body) {
		AtomicReference<State> state = new AtomicReference<>(State.WAITING);
		CompletableFuture<@Nullable Object> result = gate.call(method, target, arguments, variables,
				() -> state.compareAndSet(State.WAITING, State.STARTED) ? body.call() : null);
		if (state.get() == State.STARTED || result.isDone()) {
			return result;
		}
		this.leave = () -> {
			if (state.compareAndSet(State.WAITING, State.LEFT)) {
				result.cancel(false);
			}
		};
		if (this.ended) {
			end();
		}
		return result.whenComplete((value, failure) -> this.leave = null).exceptionally((failure) -> {
			if (state.get() == State.LEFT) {
				return null;
			}
			throw (failure instanceof CompletionException wrapped) ? wrapped : new CompletionException(failure);
		});
	}

	/**
	 * Lets a task of the session wait for what nobody needs once the session has ended:
	 * it is cancelled then.
	 */
	void await(CompletableFuture<?> waiting) {
		this.leave = () -> waiting.cancel(false);
		if (this.ended) {
			end();
		}
		waiting.whenComplete((value, failure) -> this.leave = null);
	}

	/** Told when the session has ended: who waits does so no longer. */
	void end() {
		this.ended = true;
		Runnable waiting = this.leave;
		if (waiting != null) {
			waiting.run();
		}
	}

	/** How far a call has come. */
	private enum State {

		WAITING, STARTED, LEFT

	}

}
