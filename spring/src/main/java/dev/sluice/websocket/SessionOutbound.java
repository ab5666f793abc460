package dev.sluice.websocket;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.execution.TaskQueue;
import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Sends the messages of one session in order, one at a time, and closes it in that order.
 */
final class SessionOutbound {

	/*
	 * Every message, and the closing, is a task of the session's outbound queue that
	 * holds the queue until the container has finished with it; so neither two sends nor
	 * a send and a close ever meet. "closing" stops the intake, and that of the client's
	 * messages. "ended" is set once, before the container is told to close or when it
	 * tells that it has: tasks that find it fail with it, so nothing waits behind a
	 * connection that is gone.
	 *
	 * A queue is forgotten when the container reports the end. A send that raced with
	 * that may have made the queue anew: who submits looks at "closed" afterwards and
	 * removes the queue again, and the end is marked before the removal, so one of the
	 * two sees the other. Attacked by SessionOutboundTests.
	 */

	private static final Log logger = LogFactory.getLog(SessionOutbound.class);

	private static final Executor REPORT_TIME = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

	private static final ByteBuffer PING = StandardCharsets.US_ASCII.encode("sluice").asReadOnlyBuffer();

	private static final VarHandle CLOSING;

	private static final VarHandle ENDED;

	private static final VarHandle PARTS;

	private static final VarHandle BYTES;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			CLOSING = lookup.findVarHandle(SessionOutbound.class, "closing", boolean.class);
			ENDED = lookup.findVarHandle(SessionOutbound.class, "ended", SessionClosedException.class);
			PARTS = lookup.findVarHandle(SessionOutbound.class, "parts", Parts.class);
			BYTES = lookup.findVarHandle(Outgoing.class, "bytes", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final WebSocketSession session;

	private final TaskQueue queue;

	private final Executor control;

	private final SendBuffer buffer;

	private final FrameSender frames;

	private final Runnable beforeClose;

	private final @Nullable SentMessageRecorder recorder;

	private final SessionObserver observer;

	private volatile boolean closing;

	private volatile @Nullable SessionClosedException ended;

	private volatile @Nullable CompletableFuture<@Nullable Void> inFlight;

	/** When the container got the message that it sends, by the clock; 0 for none. */
	private volatile long sendingSince;

	private volatile long lastMessage;

	private final NanoClock clock;

	/** Made with the first part of a message. */
	private volatile @Nullable Parts parts;

	private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

	/**
	 * Creates the sender.
	 * @param workers wait where the container cannot send otherwise
	 * @param control close the session
	 * @param beforeClose run before the container is told to close the session
	 * @param recorder told what became of messages, or null
	 * @param observer watches the messages
	 * @param total bounds what waits in all sessions
	 */
	SessionOutbound(WebSocketSession session, TaskQueue queue, Executor workers, Executor control, SessionLimits limits,
			NanoClock clock, Runnable beforeClose, @Nullable SentMessageRecorder recorder, SessionObserver observer,
			TotalBuffer total) {
		this.session = session;
		this.beforeClose = beforeClose;
		this.recorder = recorder;
		this.observer = observer;
		this.queue = queue;
		this.control = control;
		this.clock = clock;
		this.lastMessage = clock.nanoTime();
		this.buffer = new SendBuffer(limits.sendBufferSizeLimit(), limits.sendOverflow(), total);
		this.frames = (session instanceof StandardWebSocketSession standard)
				? new AsyncFrameSender(standard, workers, limits.sendTimeLimit(), this::sendFailed)
				: new BlockingFrameSender(session, workers);
	}

	/** Whether messages are still taken. */
	boolean isOpen() {
		return !isOver() && this.session.isOpen();
	}

	private boolean isOver() {
		return this.closing || this.ended != null;
	}

	/** Whether the connection takes no more. */
	boolean hasEnded() {
		return this.ended != null;
	}

	/** Whether the server has begun to close the session, of its own accord. */
	boolean isClosing() {
		return this.closing;
	}

	/**
	 * Queues a message. The payload must not change afterwards.
	 * @return ends with the message's own outcome: sent, or why not; has failed already
	 * with an {@link UnencodableTextException} if the message cannot be sent to anybody
	 */
	CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Level level) {
		return send(message, level, false);
	}

	/**
	 * Queues a message that many sessions send. Its payload, which is there once, is
	 * counted for all sessions together by whoever sends it.
	 */
	CompletableFuture<@Nullable Void> sendShared(WebSocketMessage<?> message, Level level) {
		return send(message, level, true);
	}

	private CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Level level, boolean shared) {
		return (this.recorder != null)
				? this.recorder.record(this.session.getId(), message, level, () -> queue(message, level, shared))
				: queue(message, level, shared);
	}

	private CompletableFuture<@Nullable Void> queue(WebSocketMessage<?> message, Level level, boolean shared) {
		if (isOver()) {
			return CompletableFuture.failedFuture(closedException());
		}
		int objects = (this.recorder != null) ? MessageCost.JOURNALLED : MessageCost.SENT;
		int bytes;
		try {
			bytes = objects + EncodedSize.of(message);
		}
		catch (UnencodableTextException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (!this.buffer.reserve(bytes, level, this.queue.id())) {
			return overflown();
		}
		int held = shared ? objects : bytes;
		this.buffer.hold(held);
		Outgoing outgoing = new Outgoing(message, bytes, held,
				isData(message) ? this.observer.sending(this.session.getId(), level) : ObservedMessage.NONE);
		CompletableFuture<@Nullable Void> part = null;
		if (isData(message)) {
			this.lastMessage = this.clock.nanoTime();
			part = sendPart(outgoing, level);
		}
		CompletableFuture<@Nullable Void> sent = (part != null) ? part : this.queue.submitStage(level, outgoing);
		sent.whenComplete((result, ex) -> outgoing.ended(ex));
		if (sent instanceof LeveledTask<?> task) { // a part of a message is none
			this.buffer.add(task, level);
		}
		forgetIfClosed();
		return sent;
	}

	/** Returns the bytes that wait or are on their way, zero once the session ends. */
	long waiting() {
		return (this.ended != null) ? 0 : this.buffer.held();
	}

	/** Ends a session whose client takes too little of what waits for it. */
	void overflown(String reason) {
		logger.warn("Cutting off session '" + this.session.getId() + "': " + reason);
		cutOff(CloseStatus.SESSION_NOT_RELIABLE,
				new SessionLimitExceededException(reason, CloseStatus.SESSION_NOT_RELIABLE));
	}

	private CompletableFuture<@Nullable Void> overflown() {
		if (this.buffer.drops()) {
			return CompletableFuture
				.failedFuture(new TaskDroppedException(this.queue.id(), OverflowStrategy.DROP_OLDEST));
		}
		SessionLimitExceededException overflow = new SessionLimitExceededException(
				"Session '" + this.session.getId() + "' has " + this.buffer, CloseStatus.SESSION_NOT_RELIABLE);
		cutOff(CloseStatus.SESSION_NOT_RELIABLE, overflow);
		return CompletableFuture.failedFuture(overflow);
	}

	/**
	 * Sends a message as part of one in parts, which is a task of its own from the first
	 * part to the last.
	 * @return the part's outcome, or {@code null} if the message is whole
	 */
	private @Nullable CompletableFuture<@Nullable Void> sendPart(Outgoing part, Level level) {
		FragmentedMessage message = open(part.message().isLast(), level);
		return (message != null) ? message.add(part, part.message().isLast()) : null;
	}

	/** Finds the message that a part belongs to; it begins with the first part. */
	private @Nullable FragmentedMessage open(boolean last, Level level) {
		Parts parts = this.parts;
		if (parts == null) {
			if (last) {
				return null;
			}
			parts = parts();
		}
		parts.lock.lock();
		try {
			FragmentedMessage open = parts.fragmented;
			if (last && (open == null || level == Level.HIGH)) {
				return null;
			}
			FragmentedMessage message = (open != null) ? open : new FragmentedMessage();
			parts.fragmented = last ? null : message;
			if (open == null) {
				this.queue.submitStage(level, message).exceptionally((ex) -> {
					message.fail(ex);
					return null;
				});
			}
			return message;
		}
		finally {
			parts.lock.unlock();
		}
	}

	private Parts parts() {
		Parts made = new Parts();
		Parts present = (Parts) PARTS.compareAndExchange(this, null, made);
		return (present != null) ? present : made;
	}

	/** A message whose last part cannot come any more must not hold the queue. */
	private void endParts() {
		Parts parts = this.parts;
		if (parts == null) {
			return;
		}
		FragmentedMessage unfinished;
		parts.lock.lock();
		try {
			unfinished = parts.fragmented;
			parts.fragmented = null;
		}
		finally {
			parts.lock.unlock();
		}
		if (unfinished != null) {
			unfinished.fail(closedException());
		}
	}

	private static boolean isData(WebSocketMessage<?> message) {
		return message instanceof TextMessage || message instanceof BinaryMessage;
	}

	/**
	 * Closes the session behind what waits at the level and before; only the first call
	 * has an effect.
	 * @return ends when the container has reported the end
	 */
	CompletableFuture<@Nullable Void> close(CloseStatus status, Level level) {
		if (!this.closed.isDone() && CLOSING.compareAndSet(this, false, true)) {
			endParts();
			LeveledTask<@Nullable Void> task = this.queue.submitStage(level,
					() -> closeNow(status, closedException(), false));
			task.exceptionally((rejected) -> {
				closeNow(status, closedException(), false);
				return null;
			});
			forgetIfClosed();
		}
		return this.closed;
	}

	/** Closes the session at once; what waits fails with the reason. */
	void terminate(CloseStatus status, Throwable reason) {
		terminate(status, reason, false);
	}

	/** As {@link #terminate}, for a client from which no answer is to be expected. */
	void cutOff(CloseStatus status, Throwable reason) {
		terminate(status, reason, true);
	}

	/** Ends the session now, without a closing handshake where the container can. */
	void abort() {
		cutOff(CloseStatus.GOING_AWAY, new CancellationException("Session was aborted"));
	}

	/** Closes a session that nobody has used for long. */
	void closeIdle() {
		close(CloseStatus.GOING_AWAY.withReason("Idle"), Level.NORMAL);
	}

	/** Asks the client's end for a sign of life, before all that waits. */
	CompletableFuture<@Nullable Void> ping() {
		return send(new PingMessage(PING.duplicate()), Level.HIGH);
	}

	/** When the last message was to be sent. */
	long lastMessage() {
		return this.lastMessage;
	}

	/** Whether the container has a message of the session. */
	boolean isSending() {
		return this.sendingSince != 0;
	}

	/** Whether the container has had a message of the session for long. */
	boolean isSendingLongerThan(long now, Duration time) {
		long since = this.sendingSince;
		return since != 0 && now - since > time.toNanos() && this.ended == null;
	}

	/** Whether a pong answers a ping of ours. */
	static boolean isOwn(PongMessage pong) {
		return pong.getPayload().equals(PING);
	}

	/** Told when the container has reported the end of the connection. */
	void closed() {
		ENDED.compareAndSet(this, null, closedException());
		endParts();
		this.closed.complete(null);
		failInFlight();
		this.queue.remove();
	}

	private void terminate(CloseStatus status, Throwable reason, boolean abruptly) {
		this.closing = true;
		end(status, reason, abruptly);
	}

	/**
	 * The connection takes no more, often because the client has closed it: what the
	 * client sent before is still handled.
	 */
	private void sendFailed(Throwable ex) {
		end(CloseStatus.SESSION_NOT_RELIABLE, ex, false);
	}

	private void end(CloseStatus status, Throwable reason, boolean abruptly) {
		if (this.ended == null) {
			logger.debug("Terminating session '" + this.session.getId() + "' with " + status, reason);
			closeNow(status, new SessionClosedException(this.session.getId(), reason), abruptly);
			endParts();
		}
	}

	/**
	 * A thread that no handler keeps busy closes, since containers wait until the close
	 * frame is written; where there is none, the calling thread does.
	 */
	private CompletionStage<@Nullable Void> closeNow(CloseStatus status, SessionClosedException reason,
			boolean abruptly) {
		CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
		if (!ENDED.compareAndSet(this, null, reason)) {
			done.complete(null);
			return done;
		}
		Runnable close = () -> {
			try {
				this.beforeClose.run();
				this.frames.beforeClose();
				if (!abruptly || !AbruptClose.close(this.session, status)) {
					this.session.close(status);
				}
				else {
					forgetInFlight(reason);
				}
			}
			catch (IOException | RuntimeException ex) {
				logger.debug("Failed to close session '" + this.session.getId() + "' with " + status, ex);
			}
			finally {
				done.complete(null);
			}
		};
		try {
			this.control.execute(close);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			close.run();
		}
		return done;
	}

	/**
	 * Sees to it that a send ends when its connection does, and that the next begins only
	 * when nothing of this one is left to be noted. Tomcat drops a message that meets the
	 * closing frame, and tells nobody.
	 */
	private CompletableFuture<@Nullable Void> track(CompletableFuture<@Nullable Void> sending) {
		this.inFlight = sending;
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		sending.whenComplete((nothing, failure) -> {
			this.sendingSince = 0;
			this.inFlight = null;
			if (failure != null) {
				sent.completeExceptionally(failure);
			}
			else {
				sent.complete(null);
			}
		});
		if (this.closed.isDone()) {
			failInFlight();
		}
		return sent;
	}

	/** What the container has sent is given the time to be reported as such. */
	private void failInFlight() {
		CompletableFuture<@Nullable Void> sending = this.inFlight;
		if (sending != null && !sending.isDone()) {
			REPORT_TIME.execute(() -> sending.completeExceptionally(closedException()));
		}
	}

	/** The client was cut off: what is on its way to it does not arrive. */
	private void forgetInFlight(SessionClosedException reason) {
		CompletableFuture<@Nullable Void> sending = this.inFlight;
		if (sending != null) {
			sending.completeExceptionally(reason);
		}
	}

	private void forgetIfClosed() {
		if (this.closed.isDone()) {
			this.queue.remove();
		}
	}

	private void begun() {
		long now = this.clock.nanoTime();
		this.sendingSince = (now != 0) ? now : 1;
	}

	private SessionClosedException closedException() {
		return new SessionClosedException(this.session.getId());
	}

	/** A message that waits for its turn, and its bytes. */
	private final class Outgoing implements Callable<CompletionStage<@Nullable Void>> {

		private final WebSocketMessage<?> message;

		/** What is not given back yet. */
		private volatile int bytes;

		private final int held;

		private final ObservedMessage observed;

		Outgoing(WebSocketMessage<?> message, int bytes, int held, ObservedMessage observed) {
			this.message = message;
			this.bytes = bytes;
			this.held = held;
			this.observed = observed;
		}

		WebSocketMessage<?> message() {
			return this.message;
		}

		/**
		 * Sends the message. Tomcat refuses from the client's close frame on, some time
		 * before it tells that the connection has ended.
		 */
		@Override
		public CompletionStage<@Nullable Void> call() throws Exception {
			release();
			SessionClosedException reason = SessionOutbound.this.ended;
			if (reason != null) {
				throw reason;
			}
			ObservedMessage.Scope scope = this.observed.open();
			try {
				return track(SessionOutbound.this.frames.send(this.message, SessionOutbound.this::begun));
			}
			catch (IllegalStateException ex) {
				sendFailed(ex);
				throw new SessionClosedException(SessionOutbound.this.session.getId(), ex);
			}
			finally {
				scope.close();
			}
		}

		void ended(@Nullable Throwable refusal) {
			release();
			SessionOutbound.this.buffer.letGo(this.held);
			this.observed.ended(refusal);
		}

		/** Gives the bytes back: when its turn has come, or when it ends without one. */
		void release() {
			SessionOutbound.this.buffer.release((int) BYTES.getAndSet(this, 0));
		}

	}

	/** The message whose last part is yet to come. */
	private static final class Parts {

		private final ReentrantLock lock = new ReentrantLock();

		/** Guarded by "lock". */
		private @Nullable FragmentedMessage fragmented;

	}

}
