package dev.sluice.websocket.inbound;

import java.security.Principal;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Observer of the messages of one session. A client's message is tracked from its turn to
 * the next one's, because a session handles one at a time.
 */
public final class SessionObserver {

	private static final CompletionStage<@Nullable Void> DONE = CompletableFuture.completedFuture(null);

	private final MessageObserver observer;

	private final String type;

	private final String sessionId;

	private final SessionInbound inbound;

	/** Accessed in the session's turn only. */
	private ObservedMessage handled = ObservedMessage.NONE;

	/** Read and written in the session's turn only. */
	private String message = "unknown";

	public SessionObserver(MessageObserver observer, String type, String sessionId, SessionInbound inbound) {
		this.observer = observer;
		this.type = type;
		this.sessionId = sessionId;
		this.inbound = inbound;
	}

	/** Type under which the session is counted. */
	public String type() {
		return this.type;
	}

	/** Queues the handling of a message; the session's next one waits for the stage. */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(Level level,
			Callable<? extends CompletionStage<T>> handling) {
		ObservedMessage message = received(level);
		return (message != ObservedMessage.NONE) ? submitStage(message, level, handling)
				: this.inbound.submitStage(level, handling);
	}

	/** Queues the handling of a message. */
	public LeveledTask<@Nullable Void> execute(Level level, Callable<@Nullable Void> handling) {
		ObservedMessage message = received(level);
		return (message != ObservedMessage.NONE) ? submitStage(message, level, () -> {
			handling.call();
			return DONE;
		}) : this.inbound.submit(level, handling);
	}

	private ObservedMessage received(Level level) {
		return this.observer.received(this.type, this.sessionId, level);
	}

	private <T extends @Nullable Object> LeveledTask<T> submitStage(ObservedMessage message, Level level,
			Callable<? extends CompletionStage<T>> handling) {
		LeveledTask<T> task = this.inbound.submitStage(level, () -> {
			this.handled = message;
			ObservedMessage.Scope scope = message.open();
			try {
				return handling.call();
			}
			finally {
				scope.close();
			}
		});
		task.whenComplete((result, rejection) -> message.ended(rejection));
		return task;
	}

	/** Sets the type of the message that is handled. */
	public void identified(String type, @Nullable Principal user) {
		// a reference written here would make the garbage collector scan the session
		if (!this.message.equals(type)) {
			this.message = type;
		}
		this.handled.identified(type, user);
	}

	/** Describes the message that is handled, for the log. */
	public String describe(@Nullable Principal user) {
		String name = ClientNames.find(user);
		return "message '" + ClientNames.printable(this.message) + "' in " + this.type + " session '" + this.sessionId
				+ "'" + ((name != null) ? " of user '" + ClientNames.printable(name) + "'" : "");
	}

	/** Continues the handling of the message, on any thread. */
	public void proceed(Runnable rest) {
		ObservedMessage.Scope scope = this.handled.open();
		try {
			rest.run();
		}
		finally {
			scope.close();
		}
	}

	/** Records that the handling of the message has failed, or was rejected. */
	public void failed(Throwable failure) {
		this.handled.failed(failure);
	}

}
