package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskQueue;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.container.ClientReading;
import dev.sluice.websocket.container.ControlChannel;
import dev.sluice.websocket.container.FrameSender;
import dev.sluice.websocket.container.FrameSenders;
import dev.sluice.websocket.journal.SessionJournal;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.UnencodableTextException;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.settings.SendLimits;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/** Outbound side of one session: messages in order, one at a time, then the close. */
public final class SessionOutbound {

	/*
	 * Every message, and the closing, is a task of the session's outbound queue that
	 * holds the queue until the container has finished with it. Two sends, or a send and
	 * a close, therefore never collide. "state" holds the progress of the end.
	 *
	 * A queue is forgotten when the container reports the end. A send that raced with
	 * that may have created the queue again: after submitting, the sender reads the state
	 * and removes the queue again, and the end is marked before the removal, so that one
	 * of the two detects the other. Attacked by SessionOutboundTests.
	 */

	private static final Log logger = LogFactory.getLog(SessionOutbound.class);

	/** Maximum time that a message waits for one that is sent past this class. */
	private static final long BUSY_MILLIS = 5;

	private final TaskQueue queue;

	private final ClientConnection connection;

	private final OutboundState state;

	private final SendBuffer buffer;

	private final OutboundParts parts;

	private final SendProgress progress;

	private final SessionClosing closing;

	/** Present if the container leaves control frames to Sluice. */
	private final @Nullable ControlFrames controlFrames;

	private final Executor control;

	private final NanoClock clock;

	private final Duration sendTimeLimit;

	private final SlowClientPolicy slowClient;

	private final @Nullable SessionJournal journal;

	private final MessageObserver observer;

	private final String type;

	private final OutgoingMessage.Transmission transmission;

	/** Present if the session may be resumed. */
	private volatile @Nullable DirectMessages direct;

	private volatile long lastMessage;

	/**
	 * Creates the outbound side of a session.
	 * @param type the type under which the session is counted
	 * @param limits the limits of messages to the client
	 * @param reading whether the client is read
	 * @param resources what all sessions share
	 */
	public SessionOutbound(WebSocketSession session, TaskQueue queue, String type, SendLimits limits,
			ClientReading reading, OutboundResources resources) {
		this.queue = queue;
		this.type = type;
		this.control = resources.control();
		this.clock = resources.clock();
		this.observer = resources.observer();
		this.journal = (resources.recorder() != null)
				? new SessionJournal(resources.recorder(), session, queue.id(), type.equals("stomp")) : null;
		this.lastMessage = this.clock.nanoTime();
		this.sendTimeLimit = limits.time();
		this.state = new OutboundState(queue.id());
		this.buffer = new SendBuffer(limits.bufferSize(), resources.overflow(), resources.total());
		this.transmission = new OutgoingMessage.Transmission(this.buffer, this::transmit);
		this.parts = new OutboundParts(queue);
		this.progress = new SendProgress(this.state, this.clock);
		this.slowClient = new SlowClientPolicy(queue.id(), this.buffer, resources.waits(), this.progress,
				this.sendTimeLimit, resources.cutOffs());
		ControlChannel opening = ControlChannel.opening();
		ControlChannel channel = (opening != null && opening.isAvailable()) ? opening : null;
		this.connection = new ClientConnection(session,
				FrameSenders.of(session, resources.workers(), this.sendTimeLimit, this::sendFailed, channel), channel,
				reading);
		this.closing = new SessionClosing(this.connection, queue, resources, this.sendTimeLimit, this.state,
				this.buffer, this.parts, this.progress);
		this.controlFrames = (channel != null) ? new ControlFrames(channel, reading, resources.readers(), queue,
				this.state, this.progress, this.closing) : null;
	}

	/** Returns the sender that passes the messages to the container. */
	public FrameSender sender() {
		return this.connection.frames();
	}

	/** Returns whether messages are still accepted. */
	public boolean isOpen() {
		return !this.state.isOver() && this.connection.session().isOpen();
	}

	/** Returns whether the connection accepts no more messages. */
	public boolean hasEnded() {
		return this.state.ended() != null;
	}

	/** Returns whether the server has begun to close the session by itself. */
	public boolean isClosing() {
		return this.state.isClosing();
	}

	/**
	 * Queues a message. The payload must not change afterwards.
	 * @return ends with the message's own outcome: sent, or the reason for the failure;
	 * has failed already with an {@link UnencodableTextException} if the message cannot
	 * be encoded
	 */
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Level level) {
		return send(new WrittenMessage(message, null), level, false, null);
	}

	/** Queues a message, whose type the journal records. */
	public CompletableFuture<@Nullable Void> send(WrittenMessage written, Level level) {
		return send(written, level, false, null);
	}

	/**
	 * Queues a direct message whose content is known when its turn has come.
	 * @param written the cost of the content
	 * @param content called in the message's turn, once for each attempt to send it
	 */
	public CompletableFuture<@Nullable Void> sendLate(WrittenMessage written, Level level, LateContent content) {
		return send(written, level, false, null, content);
	}

	/**
	 * Queues a message as {@link #send} does, but does not end the session for lack of
	 * room while its client keeps receiving.
	 */
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, FullBuffer full) {
		return send(new WrittenMessage(message, null), Level.NORMAL, false, full);
	}

	/**
	 * Queues a message that many sessions send. The sender counts the payload, which
	 * exists once, for all sessions together.
	 */
	public CompletableFuture<@Nullable Void> sendShared(WrittenMessage written, Level level) {
		return send(written, level, true, null);
	}

	/** Queues a message that many sessions send, and whose content is created late. */
	public CompletableFuture<@Nullable Void> sendShared(WrittenMessage written, FullBuffer full, LateContent content) {
		return send(written, Level.NORMAL, true, full, content);
	}

	/** Creates a stream whose dropped messages leave a gap, if messages are dropped. */
	public @Nullable DroppableStream droppable() {
		return this.buffer.drops() ? new DroppableStream(this.queue,
				(written, message, full) -> send(written, Level.NORMAL, full == null, full, message)) : null;
	}

	/** Returns the streams that may fall behind, if any may. */
	public @Nullable RecoverableStreams streams() {
		return this.buffer.streams();
	}

	/**
	 * Sends direct messages through the given sender, which numbers them, from now on.
	 */
	public void number(DirectMessages numbering) {
		this.direct = numbering;
	}

	/** Returns whether direct messages are numbered. */
	public boolean isNumbered() {
		return this.direct != null;
	}

	private CompletableFuture<@Nullable Void> send(WrittenMessage written, Level level, boolean shared,
			@Nullable FullBuffer full) {
		DirectMessages numbering = this.direct;
		return (numbering != null && written.direct() && OutgoingMessage.isData(written.message()))
				? numbering.send(written, level) : send(written, level, shared, full, null);
	}

	private CompletableFuture<@Nullable Void> send(WrittenMessage written, Level level, boolean shared,
			@Nullable FullBuffer full, @Nullable LateContent content) {
		SessionJournal.Entry record = (this.journal != null)
				? this.journal.begin(written.message(), written.type(), level) : null;
		CompletableFuture<@Nullable Void> sent = queue(written.message(), record, level, shared, full, content);
		if (record != null) {
			sent.whenComplete((nothing, failure) -> record.ended(failure));
		}
		return sent;
	}

	private CompletableFuture<@Nullable Void> queue(WebSocketMessage<?> message, SessionJournal.@Nullable Entry record,
			Level level, boolean shared, @Nullable FullBuffer full, @Nullable LateContent content) {
		if (this.state.isOver()) {
			return CompletableFuture.failedFuture(this.state.closedException());
		}
		int objects = (this.journal != null) ? MessageCost.JOURNALLED : MessageCost.SENT;
		int bytes;
		try {
			bytes = objects + EncodedSize.of(message);
		}
		catch (UnencodableTextException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (!this.slowClient.admits(bytes, level, full)) {
			return this.state.isOver() ? CompletableFuture.failedFuture(this.state.closedException())
					: dropOrCutOff(level, full);
		}
		int held = shared ? objects : bytes;
		this.buffer.hold(held);
		OutgoingMessage outgoing = new OutgoingMessage(message, content, record,
				(full != FullBuffer.IGNORE) ? bytes : 0, full != null && full.rejects(), held, this.transmission);
		CompletableFuture<@Nullable Void> sent;
		try {
			outgoing.observe(OutgoingMessage.isData(message) ? this.observer.sending(this.type, this.queue.id(), level)
					: ObservedMessage.NONE);
			sent = submit(outgoing, level);
		}
		catch (Throwable ex) {
			outgoing.ended(ex);
			throw ex;
		}
		if (sent.isDone() && !sent.isCompletedExceptionally()) {
			outgoing.ended(null);
		}
		else {
			sent = awaitEnd(outgoing, sent, level);
		}
		this.closing.forgetIfClosed();
		return sent;
	}

	private CompletableFuture<@Nullable Void> dropOrCutOff(Level level, @Nullable FullBuffer full) {
		if (this.buffer.drops() || full != null && full.rejects()) {
			return this.queue.drop(level);
		}
		SessionLimitExceededException overflow = this.slowClient.overflow();
		cutOff(overflow);
		return CompletableFuture.failedFuture(overflow);
	}

	/** Submits a message to the queue, or a part to the message that it belongs to. */
	private CompletableFuture<@Nullable Void> submit(OutgoingMessage outgoing, Level level) {
		if (OutgoingMessage.isData(outgoing.message())) {
			this.lastMessage = this.clock.nanoTime();
			CompletableFuture<@Nullable Void> part = this.parts.send(outgoing, outgoing.message().isLast(), level);
			if (part != null) {
				return part;
			}
		}
		return this.queue.runOrSubmitStage(level, outgoing);
	}

	private CompletableFuture<@Nullable Void> awaitEnd(OutgoingMessage outgoing, CompletableFuture<@Nullable Void> sent,
			Level level) {
		CompletableFuture<@Nullable Void> outcome = outgoing.follow(sent);
		this.progress.queued(sent);
		sent.whenComplete((result, ex) -> {
			outgoing.ended(ex);
			this.progress.ended(sent);
		});
		if (sent instanceof LeveledTask<?> task) { // parts of messages cannot be dropped
			if (this.buffer.drops()) {
				this.buffer.add(outgoing.waiting(task), level);
			}
		}
		return outcome;
	}

	/** Returns the bytes that wait or are being sent, zero once the session ends. */
	public long waiting() {
		return hasEnded() ? 0 : this.buffer.held();
	}

	/**
	 * Closes the session after the messages that wait at the level and before; only the
	 * first call has an effect.
	 * @return ends when the container has reported the end
	 */
	public CompletableFuture<@Nullable Void> close(CloseStatus status, Level level) {
		return this.closing.close(status, level);
	}

	/** Closes the session immediately; waiting messages fail with the reason. */
	public void terminate(CloseStatus status, Throwable reason) {
		this.closing.terminate(status, reason, false);
	}

	/**
	 * Closes the session at once as far as the client can see. Messages that the client
	 * sent before are still handled; messages that its handlers send fail.
	 */
	public void reject(CloseStatus status, Throwable reason) {
		this.closing.end(status, reason, false);
	}

	/** As {@link #terminate}, for a client that is not expected to answer. */
	public void cutOff(SessionLimitExceededException reason) {
		this.closing.terminate(reason.getStatus(), reason, true);
	}

	/** Ends a session whose client receives too little of its waiting messages. */
	public void cutOffTooSlow(String reason) {
		logger.warn("Cutting off session '" + this.queue.id() + "': " + reason);
		cutOff(SlowClientPolicy.tooMuch(reason));
	}

	/**
	 * Ends the session immediately, without a closing handshake if the container supports
	 * it.
	 */
	public void abort() {
		this.closing.terminate(CloseStatuses.ABORTED, new CancellationException("Session was aborted"), true);
	}

	private void sendFailed(Throwable ex) {
		this.closing.end(CloseStatuses.SEND_FAILED, ex, false);
	}

	/**
	 * Returns the status with which the session has ended: the status of the cut-off if
	 * the client was cut off and the container has received no close frame.
	 */
	public CloseStatus ended(CloseStatus reported) {
		return this.closing.ended(reported);
	}

	/** Called when the container has reported the end of the connection. */
	public void closed() {
		this.closing.closed();
	}

	/** Called for an error of the connection, such as an end without a close frame. */
	public void failed() {
		if (this.controlFrames != null) {
			this.controlFrames.failed();
		}
	}

	/** Sends a ping before all waiting messages. */
	public CompletableFuture<@Nullable Void> ping() {
		return send(OwnPings.ping(), Level.HIGH);
	}

	/**
	 * Runs a task once the container has had a thread to process the data received
	 * before.
	 */
	public void afterReading(Runnable task) {
		this.connection.afterReading(task);
	}

	/** Returns the time of the latest attempt to send a message, by the clock. */
	public long lastMessage() {
		return this.lastMessage;
	}

	/** Returns whether the container is sending a message of the session. */
	public boolean isSending() {
		return this.progress.isSending();
	}

	/** Returns why the client is too slow, or {@code null} if it is not. */
	public @Nullable SessionLimitExceededException lag(long now) {
		return this.slowClient.lag(now);
	}

	/**
	 * Sends a message whose turn has come. Tomcat rejects it while a message is sent past
	 * this class, through its own session, and from the client's close frame on, some
	 * time before it reports the end of the connection.
	 */
	private CompletionStage<@Nullable Void> transmit(OutgoingMessage outgoing) throws Exception {
		outgoing.begin(this.journal);
		ObservedMessage.Scope scope = outgoing.observed().open();
		this.progress.handOver();
		try {
			this.state.requireNotEnded();
			return this.progress.track(this.connection.send(outgoing.content(), this.progress::begin),
					outgoing.record());
		}
		catch (IllegalStateException ex) {
			if (this.connection.session().isOpen() && !this.progress.isSendingLongerThan(this.sendTimeLimit)) {
				return outgoing
					.callLater(CompletableFuture.delayedExecutor(BUSY_MILLIS, TimeUnit.MILLISECONDS, this.control));
			}
			sendFailed(ex);
			throw new SessionClosedException(this.queue.id(), ex);
		}
		finally {
			this.progress.handedOver();
			scope.close();
		}
	}

}
