package dev.sluice.websocket.inbound;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/** One turn of a session: a task of its queue, which holds the queue until it ends. */
public interface SessionTurn extends Callable<CompletionStage<@Nullable Void>> {

	Level level();

	/** Sets the observer of the message of the turn, before the turn is submitted. */
	void observedBy(ObservedMessage observed);

}
