package dev.sluice.websocket.handler;

import java.security.Principal;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.websocket.inbound.InboundMessage;
import dev.sluice.websocket.inbound.SessionInbound;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of channels whose messages are handled in the turns of sessions.
 *
 * @param sessions finds the session of a message
 */
public record SessionTasks(SessionRegistry sessions) {

	/**
	 * Handles a message in its session's turn. The session is closed with 1013 if the
	 * message cannot wait for it. If no session has the id (any longer), the message is
	 * handled immediately by the calling thread: the last turn of a session comes when it
	 * has already been removed.
	 * @param sessionId the session's id
	 * @param level the message's level
	 * @param task handles the message, without an exception; the session's next message
	 * waits for the stage
	 */
	public void submit(String sessionId, Level level, SessionTask task) {
		OrderedWebSocketSession reading = MessagingHandler.reading(sessionId);
		OrderedWebSocketSession session = (reading != null) ? reading : this.sessions.find(sessionId);
		if (session == null) {
			task.run(null);
			return;
		}
		LeveledTask<?> queued = session.inbound().submit(new ChannelMessage(session.inbound(), level, task));
		queued.exceptionally((ex) -> {
			session.rejected(ex);
			return null;
		});
		MessagingHandler.queued(queued);
	}

	/** A message that a channel passes to its subscribers. */
	private static final class ChannelMessage extends InboundMessage {

		private final SessionTask task;

		ChannelMessage(SessionInbound inbound, Level level, SessionTask task) {
			super(inbound, 0, level);
			this.task = task;
		}

		/**
		 * Messages before the end of a session are handled even if it is being closed.
		 */
		@Override
		protected boolean isTooLate(SessionInbound inbound) {
			return inbound.isOver();
		}

		@Override
		protected @Nullable Principal principal() {
			Principal known = this.task.principal();
			return (known != null) ? known : super.principal();
		}

		@Override
		protected CompletionStage<@Nullable Void> handle() {
			identified(this.task.type());
			return this.task.run(this);
		}

	}

}
