package dev.sluice.websocket.inbound;

import java.security.Principal;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.sluice.execution.Level;
import dev.sluice.internal.ClientNames;
import dev.sluice.internal.Failures;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * A client's message from the socket to the end of its turn: it waits with the other
 * messages of its session, and is the task of the session's queue. If its method has to
 * wait for permits, the message holds the queue, but no thread, and leaves the line when
 * the session ends.
 */
public abstract class InboundMessage extends WaitingMessage implements SessionTurn {

	/*
	 * "observed" is written before the message is submitted, "type" in its turn. A
	 * limited call leaves WAITING once: for its body, which then runs to its end even if
	 * the session ends, or for the end of the session, which cancels the call. The gates
	 * treat a body that does not run as failed, and release all permits, including
	 * permits that a call would have kept. Attacked by WaitingMessagesTests.
	 */

	/** End of a message that has been handled. */
	protected static final CompletionStage<@Nullable Void> HANDLED = CompletableFuture.completedFuture(null);

	private static final AtomicReferenceFieldUpdater<InboundMessage, Call> CALL = AtomicReferenceFieldUpdater
		.newUpdater(InboundMessage.class, Call.class, "call");

	private final SessionInbound inbound;

	private final Level level;

	private ObservedMessage observed = ObservedMessage.NONE;

	private String type = "unknown";

	private volatile Call call = Call.WAITING;

	protected InboundMessage(SessionInbound inbound, int cost, Level level) {
		super(cost);
		this.inbound = inbound;
		this.level = level;
	}

	@Override
	public final Level level() {
		return this.level;
	}

	@Override
	public final void observedBy(ObservedMessage observed) {
		this.observed = observed;
	}

	/** Runs the turn of the message. */
	@Override
	public final CompletionStage<@Nullable Void> call() throws Exception {
		if (isTooLate(this.inbound)) {
			throw new SessionClosedException(this.inbound.id());
		}
		CompletionStage<@Nullable Void> handled;
		ObservedMessage.Scope observation = this.observed.open();
		try {
			PrincipalContext.Scope user = this.inbound.principals().context().open(principal());
			try {
				handled = handle();
			}
			finally {
				user.close();
			}
		}
		finally {
			observation.close();
		}
		this.inbound.parked(handled);
		return handled;
	}

	/** Returns whether the turn has come after the end of the session. */
	protected boolean isTooLate(SessionInbound inbound) {
		return inbound.isOver() || inbound.isClosing();
	}

	/**
	 * Handles the message, in the session's turn.
	 * @return ends with the turn
	 */
	protected abstract CompletionStage<@Nullable Void> handle() throws Exception;

	/** Returns the user in whose name the message is handled. */
	protected @Nullable Principal principal() {
		return this.inbound.principal();
	}

	/** Continues the handling of the message, on any thread. */
	protected final void proceed(Runnable rest) {
		ObservedMessage.Scope observation = this.observed.open();
		try {
			this.inbound.principals().run(principal(), rest);
		}
		finally {
			observation.close();
		}
	}

	/** Propagates the context of the message to a later part of its turn. */
	public final <T extends @Nullable Object> Callable<T> decorated(Callable<T> part) {
		return this.inbound.decorated(part);
	}

	/**
	 * Begins the body of a limited call, whose permits are available.
	 * @throws CancellationException if the session has ended, or is being closed
	 */
	protected final void admitted() {
		if (!CALL.compareAndSet(this, Call.WAITING, this.inbound.isClosing() ? Call.LEFT : Call.STARTED)
				|| this.call == Call.LEFT) {
			throw new CancellationException("The session ends");
		}
	}

	/**
	 * Waits for a limited call, until the session ends.
	 * @param result the result of a call whose body is {@link #admitted}
	 * @return the result; {@code null} if the body does not run, because the session
	 * ended or was being closed before
	 */
	protected final CompletableFuture<@Nullable Object> awaited(CompletableFuture<@Nullable Object> result) {
		if (this.call == Call.STARTED || result.isDone() && this.call == Call.WAITING) {
			return result;
		}
		return this.inbound.leaveAtEnd(result, () -> {
			if (CALL.compareAndSet(this, Call.WAITING, Call.LEFT)) {
				result.cancel(false);
			}
		}).exceptionally((failure) -> {
			if (this.call == Call.LEFT) {
				return null;
			}
			throw (failure instanceof CompletionException wrapped) ? wrapped : new CompletionException(failure);
		});
	}

	/** Makes the turn wait for a future that is cancelled when the session has ended. */
	public final void await(CompletableFuture<?> waiting) {
		this.inbound.leaveAtEnd(waiting, () -> waiting.cancel(false));
	}

	/** Sets the type of the message, which its turn has found. */
	protected final void identified(String type) {
		this.type = type;
		this.observed.identified(type, principal());
	}

	/** Records that the handling of the message has failed, or was rejected. */
	public final void failed(Throwable failure) {
		this.observed.failed(Failures.cause(failure));
	}

	/** Describes the message for the log. */
	protected final String describe() {
		String name = ClientNames.find(principal());
		return "message '" + ClientNames.printable(this.type) + "' in " + this.inbound.type() + " session '"
				+ this.inbound.id() + "'" + ((name != null) ? " of user '" + ClientNames.printable(name) + "'" : "");
	}

	/** State of the call of a limited method. */
	private enum Call {

		/** Waits for its permits. */
		WAITING,

		/** Runs, or has run, regardless of the end of the session. */
		STARTED,

		/** Does not run, because the session ended before. */
		LEFT

	}

}
