package dev.sluice.websocket.session;

import java.security.Principal;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Watches the messages of one session. A client's message is known here from its turn to
 * the next one's, as a session handles one at a time.
 */
public final class SessionObserver {

	private static final CompletionStage<@Nullable Void> DONE = CompletableFuture.completedFuture(null);

	private final MessageObserver observer;

	private final String type;

	/** Read and written in the session's turn only. */
	private ObservedMessage handled = ObservedMessage.NONE;

	/** Read and written in the session's turn only. */
	private String message = "unknown";

	public SessionObserver(MessageObserver observer, String type) {
		this.observer = observer;
		this.type = type;
	}

	/** What the session is counted as. */
	public String type() {
		return this.type;
	}

	/** Queues the handling of a message; the session's next one waits for the stage. */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(OrderedWebSocketSession session, Level level,
			Callable<? extends CompletionStage<T>> handling) {
		ObservedMessage message = received(session, level);
		return (message != ObservedMessage.NONE) ? submitStage(message, session, level, handling)
				: session.inbound().submitStage(level, handling);
	}

	/** Queues the handling of a message. */
	public LeveledTask<@Nullable Void> execute(OrderedWebSocketSession session, Level level,
			Callable<@Nullable Void> handling) {
		ObservedMessage message = received(session, level);
		return (message != ObservedMessage.NONE) ? submitStage(message, session, level, () -> {
			handling.call();
			return DONE;
		}) : session.inbound().submit(level, handling);
	}

	private ObservedMessage received(OrderedWebSocketSession session, Level level) {
		return this.observer.received(this.type, session.getId(), level);
	}

	private <T extends @Nullable Object> LeveledTask<T> submitStage(ObservedMessage message,
			OrderedWebSocketSession session, Level level, Callable<? extends CompletionStage<T>> handling) {
		LeveledTask<T> task = session.inbound().submitStage(level, () -> {
			this.handled = message;
			ObservedMessage.Scope scope = message.open();
			try {
				return handling.call();
			}
			finally {
				scope.close();
			}
		});
		task.whenComplete((result, refusal) -> message.ended(refusal));
		return task;
	}

	/** The message that is handled is known to be of a type. */
	public void identified(String type, @Nullable Principal user) {
		this.message = type;
		this.handled.identified(type, user);
	}

	/** Describes the message that is handled, for the log. */
	public String describe(OrderedWebSocketSession session) {
		Principal user = session.getPrincipal();
		return "message '" + this.message + "' in " + this.type + " session '" + session.getId() + "'"
				+ ((user != null) ? " of user '" + user.getName() + "'" : "");
	}

	/** Goes on with the message that is handled, on whichever thread. */
	void goOn(Runnable rest) {
		ObservedMessage.Scope scope = this.handled.open();
		try {
			rest.run();
		}
		finally {
			scope.close();
		}
	}

	/** The handling of the message has failed, or was rejected. */
	public void failed(Throwable failure) {
		this.handled.failed(failure);
	}

	/** A message to the client is about to be queued. */
	public ObservedMessage sending(String sessionId, Level level) {
		return this.observer.sending(this.type, sessionId, level);
	}

}
