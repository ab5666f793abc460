package dev.sluice.websocket.stomp;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.sluice.aop.Admission;
import dev.sluice.internal.ClientNames;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.handler.SessionTask;
import dev.sluice.websocket.inbound.InboundMessage;
import dev.sluice.websocket.message.FailureLog;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageHandlingRunnable;
import org.springframework.util.StringUtils;

/**
 * Task that passes one message to the subscribers of a channel, one after the other.
 */
final class MessageTask implements SessionTask {

	private static final int MAX_QUOTED_LENGTH = 100;

	private final StompTaskExecutor executor;

	private final List<MessageHandlingRunnable> handlings = new ArrayList<>(3);

	private @Nullable ManagedSession session;

	private @Nullable InboundMessage turn;

	MessageTask(StompTaskExecutor executor) {
		this.executor = executor;
	}

	/** Adds one more subscriber; never called after the message was handed over. */
	void add(MessageHandlingRunnable handling) {
		this.handlings.add(handling);
	}

	/** The message, or {@code null} if there is no subscriber. */
	@Nullable Message<?> message() {
		return this.handlings.isEmpty() ? null : this.handlings.get(0).getMessage();
	}

	/** Sets the message's session; before the message is handed over. */
	void belongsTo(ManagedSession session) {
		this.session = session;
	}

	@Override
	public String type() {
		Message<?> message = message();
		SimpMessageType type = (message != null) ? SimpMessageHeaderAccessor.getMessageType(message.getHeaders())
				: null;
		return (type != null) ? type.name().toLowerCase(Locale.ROOT) : "unknown";
	}

	@Override
	public @Nullable Principal principal() {
		Message<?> message = message();
		return (message != null) ? SimpMessageHeaderAccessor.getUser(message.getHeaders()) : null;
	}

	@Override
	public CompletionStage<@Nullable Void> run(@Nullable InboundMessage turn) {
		this.turn = turn;
		return run(this.handlings.iterator());
	}

	private CompletionStage<@Nullable Void> run(Iterator<MessageHandlingRunnable> handlings) {
		return SuspendedTask.during(() -> handle(handlings));
	}

	private CompletionStage<@Nullable Void> handle(Iterator<MessageHandlingRunnable> handlings) {
		while (handlings.hasNext()) {
			MessageHandlingRunnable handling = handlings.next();
			CompletableFuture<Admission> admitting = (this.session != null)
					? this.executor.admit(handling, this.session) : null;
			InboundMessage turn = this.turn;
			if (admitting == null) {
				handle(handling);
			}
			else if (turn != null && !admitting.isDone()) {
				return proceedWhen(turn, admitting, handling, handlings);
			}
			else {
				admitting.cancel(false);
				run(handling, admission(admitting));
			}
		}
		return CompletableFuture.completedFuture(null);
	}

	/** Runs the rest on a worker, in the current context of the task. */
	private CompletionStage<@Nullable Void> proceedWhen(InboundMessage turn, CompletableFuture<Admission> admitting,
			MessageHandlingRunnable handling, Iterator<MessageHandlingRunnable> handlings) {
		Callable<CompletionStage<@Nullable Void>> rest = turn.decorated(() -> SuspendedTask.during(() -> {
			run(handling, admission(admitting));
			return handle(handlings);
		}));
		turn.await(admitting);
		return admitting.handleAsync((admission, cancelled) -> {
			try {
				return rest.call();
			}
			catch (Exception ex) {
				return CompletableFuture.<@Nullable Void>failedFuture(ex);
			}
		}, this.executor).thenCompose((rested) -> rested);
	}

	/** Returns the admission, or {@code null} if the session ended before. */
	private static @Nullable Admission admission(CompletableFuture<Admission> admitting) {
		return admitting.isCompletedExceptionally() ? null : admitting.join();
	}

	/** Without an admission, the session ended while the message waited. */
	private void run(MessageHandlingRunnable handling, @Nullable Admission admission) {
		if (admission != null) {
			admission.run(() -> handle(handling));
			note(admission.rejection());
		}
	}

	private void handle(MessageHandlingRunnable handling) {
		note(run(handling, this::describe, this.executor.failures()));
	}

	/** The destination comes from a client, and must not forge lines of the log. */
	private String describe() {
		Message<?> message = message();
		String destination = (message != null) ? SimpMessageHeaderAccessor.getDestination(message.getHeaders()) : null;
		String user = ClientNames.find(principal());
		return type() + ((destination != null)
				? " to '" + ClientNames.printable(StringUtils.truncate(destination, MAX_QUOTED_LENGTH)) + "'" : "")
				+ ((this.session != null) ? " in stomp session '" + this.session.id() + "'" : "")
				+ ((user != null) ? " of user '" + ClientNames.printable(user) + "'" : "");
	}

	private void note(@Nullable Throwable failure) {
		if (failure != null && this.turn != null) {
			this.turn.failed(failure);
		}
	}

	/**
	 * Runs one subscriber. One that fails keeps neither the others nor the next message
	 * waiting.
	 * @param failures logs a failure
	 * @return its failure, or {@code null}
	 */
	static @Nullable Throwable run(Runnable handling, FailureLog failures) {
		return run(handling, () -> "a message", failures);
	}

	private static @Nullable Throwable run(Runnable handling, Supplier<String> description, FailureLog failures) {
		try {
			handling.run();
			return null;
		}
		catch (Throwable ex) {
			failures.error(description, ex);
			FatalErrors.passOn(ex);
			return ex;
		}
	}

}
