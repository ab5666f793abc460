package dev.sluice.websocket.outbound;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.SessionClosedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.socket.CloseStatus;

/** Closing of a session, in the order of its messages or immediately. */
final class SessionClosing {

	/*
	 * The closing is a task of the session's outbound queue, as a message is, so it meets
	 * none. The thread that marks the end closes; see OutboundState. Attacked by
	 * SessionOutboundTests.
	 */

	private static final Log logger = LogFactory.getLog(SessionClosing.class);

	/** Maximum time for which a message that is being sent delays an immediate close. */
	static final Duration PATIENCE = Duration.ofMillis(500);

	private final ClientConnection connection;

	private final TaskQueue queue;

	private final Executor workers;

	private final Executor control;

	private final Duration sendTimeLimit;

	private final OutboundState state;

	private final SendBuffer buffer;

	private final OutboundParts parts;

	private final SendProgress progress;

	/** The status sent to the client, if the server has closed the session. */
	private volatile @Nullable CloseStatus told;

	/** The status of the cut-off, if the client was cut off. */
	private volatile @Nullable CloseStatus cutOff;

	SessionClosing(ClientConnection connection, TaskQueue queue, OutboundResources resources, Duration sendTimeLimit,
			OutboundState state, SendBuffer buffer, OutboundParts parts, SendProgress progress) {
		this.connection = connection;
		this.queue = queue;
		this.workers = resources.workers();
		this.control = resources.control();
		this.sendTimeLimit = sendTimeLimit;
		this.state = state;
		this.buffer = buffer;
		this.parts = parts;
		this.progress = progress;
	}

	/**
	 * Closes the session after the messages that wait at the level and before; only the
	 * first call has an effect.
	 * @return ends when the container has reported the end
	 */
	CompletableFuture<@Nullable Void> close(CloseStatus status, Level level) {
		if (!this.state.isClosed() && this.state.beginClosing()) {
			this.parts.end(this.state::closedException);
			LeveledTask<@Nullable Void> task = this.queue.submitStage(level,
					() -> closeNow(status, this.state.closedException(), this.sendTimeLimit));
			task.exceptionally((rejected) -> {
				closeNow(status, this.state.closedException(), this.sendTimeLimit);
				return null;
			});
			forgetIfClosed();
		}
		return this.state.closed();
	}

	/** Closes the session immediately; waiting messages fail with the reason. */
	void terminate(CloseStatus status, Throwable reason, boolean abruptly) {
		this.state.setClosing();
		end(status, reason, abruptly);
	}

	/**
	 * The connection accepts no more messages, usually because the client has closed it;
	 * messages that the client sent before are still handled.
	 */
	void end(CloseStatus status, Throwable reason, boolean abruptly) {
		if (this.state.ended() == null) {
			logger.debug("Terminating session '" + this.queue.id() + "' with " + status, reason);
			closeNow(status, new SessionClosedException(this.queue.id(), reason), abruptly ? Duration.ZERO : PATIENCE);
			this.parts.end(this.state::closedException);
		}
	}

	/**
	 * Returns the status with which the session has ended. If the client has confirmed a
	 * close by the server, with the code alone, the server's status applies. If the
	 * container has received no close frame because the client was cut off, the status of
	 * the cut-off applies.
	 */
	CloseStatus ended(CloseStatus reported) {
		CloseStatus told = this.told;
		if (told != null && reported.getCode() == told.getCode() && !StringUtils.hasLength(reported.getReason())) {
			return told;
		}
		CloseStatus cutOff = this.cutOff;
		return (cutOff != null && reported.getCode() == CloseStatus.NO_CLOSE_FRAME.getCode()) ? cutOff : reported;
	}

	/** Called when the container has reported the end of the connection. */
	void closed() {
		markEnded(this.state.closedException());
		this.parts.end(this.state::closedException);
		this.state.closed().complete(null);
		this.progress.failInFlight();
		this.queue.remove();
	}

	/** Removes the queue that a task has created again since the end. */
	void forgetIfClosed() {
		if (this.state.isClosed()) {
			this.queue.remove();
		}
	}

	boolean markEnded(SessionClosedException reason) {
		boolean first = this.state.markEnded(reason);
		this.buffer.end();
		return first;
	}

	/**
	 * Closes the session: sends the close frame and, when it is written or its time is
	 * over, makes the container close. A control thread does so, because other containers
	 * wait until the frame is written. For SockJS, which may wait for longer, it is a
	 * worker; if no worker is free, it is the calling thread.
	 * @param patience maximum time for the frame; zero to end the connection immediately
	 */
	private CompletionStage<@Nullable Void> closeNow(CloseStatus status, SessionClosedException reason,
			Duration patience) {
		CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
		if (!markEnded(reason)) {
			done.complete(null);
			return done;
		}
		if (patience.isZero()) {
			this.cutOff = status;
		}
		CloseStatus sendable = CloseStatuses.sendable(status);
		this.told = sendable;
		this.connection.sendCloseFrame(sendable, this.progress::idle, patience)
			.whenComplete((nothing, failure) -> close(sendable, reason, failure != null || patience.isZero(), done));
		return done;
	}

	private void close(CloseStatus status, SessionClosedException reason, boolean abruptly,
			CompletableFuture<@Nullable Void> done) {
		Runnable close = () -> {
			try {
				if (this.connection.close(status, abruptly, this.sendTimeLimit)) {
					this.progress.forgetInFlight(reason);
				}
			}
			catch (IOException | RuntimeException ex) {
				logger.debug("Failed to close session '" + this.queue.id() + "' with " + status, ex);
			}
			finally {
				done.complete(null);
			}
		};
		try {
			(this.connection.waitsToClose(abruptly) ? this.workers : this.control).execute(close);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			close.run();
		}
	}

}
