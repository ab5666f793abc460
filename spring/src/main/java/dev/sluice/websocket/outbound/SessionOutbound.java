package dev.sluice.websocket.outbound;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskQueue;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SendLimits;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.container.AbruptClose;
import dev.sluice.websocket.container.AsyncFrameSender;
import dev.sluice.websocket.container.BlockingFrameSender;
import dev.sluice.websocket.container.BlockingSendTimeout;
import dev.sluice.websocket.container.ClientReading;
import dev.sluice.websocket.container.ControlChannel;
import dev.sluice.websocket.container.FrameSender;
import dev.sluice.websocket.container.HttpSockJsFrameSender;
import dev.sluice.websocket.container.JettySessions;
import dev.sluice.websocket.journal.SessionJournal;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.UnencodableTextException;
import dev.sluice.websocket.message.WrittenMessage;
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
import org.springframework.web.socket.sockjs.transport.SockJsSession;
import org.springframework.web.socket.sockjs.transport.session.AbstractHttpSockJsSession;

/**
 * Sends the messages of one session in order, one at a time, and closes it in that order.
 */
public final class SessionOutbound implements ControlChannel.Owner {

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

	/** How long a message that is being sent delays a close that is due at once. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/**
	 * How long a message may be sent while more waits behind it than the limit of a
	 * session that may exceed it.
	 */
	private static final Duration STALL = Duration.ofSeconds(2);

	/** How long a message waits for one that is sent past this class. */
	private static final long BUSY_MILLIS = 5;

	/**
	 * How long what is being handled, and what waits to be sent, each delay a close that
	 * comes from the client.
	 */
	private static final Duration MAX_CLOSE_DELAY = Duration.ofSeconds(1);

	/** The pings after which others are read. */
	private static final int MAX_PINGS = 64;

	private static final Executor REPORT_TIME = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

	private static final ByteBuffer PING = StandardCharsets.US_ASCII.encode("sluice").asReadOnlyBuffer();

	private static final VarHandle CLOSING;

	private static final VarHandle ENDED;

	private static final VarHandle PARTS;

	private static final VarHandle PONG;

	private static final VarHandle LATEST;

	private static final VarHandle BYTES;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			CLOSING = lookup.findVarHandle(SessionOutbound.class, "closing", boolean.class);
			ENDED = lookup.findVarHandle(SessionOutbound.class, "ended", SessionClosedException.class);
			LATEST = lookup.findVarHandle(SessionOutbound.class, "latest", CompletableFuture.class);
			PONG = lookup.findVarHandle(SessionOutbound.class, "pong", ByteBuffer.class);
			PARTS = lookup.findVarHandle(SessionOutbound.class, "parts", Parts.class);
			BYTES = lookup.findVarHandle(Outgoing.class, "bytes", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final WebSocketSession session;

	private final TaskQueue queue;

	private final Executor workers;

	private final Executor control;

	private final SendBuffer buffer;

	private final FrameSender frames;

	private final @Nullable ControlChannel channel;

	private final Duration sendTimeLimit;

	private final SendWaits waits;

	private final ClientReading reading;

	private final @Nullable SessionJournal journal;

	private final MessageObserver observer;

	private final String type;

	private volatile boolean closing;

	/** Whether messages have been taken beyond the limit, for whoever may not wait. */
	private volatile boolean exceeded;

	private volatile @Nullable SessionClosedException ended;

	/** Why the client was cut off, if it was. */
	private volatile @Nullable CloseStatus cutOff;

	private volatile @Nullable CompletableFuture<@Nullable Void> inFlight;

	/** When the container got the message that it sends, by the clock; 0 for none. */
	private volatile long sendingSince;

	/** How many messages the container got; counted by whoever has the turn. */
	private volatile long begun;

	private volatile long lastMessage;

	private final NanoClock clock;

	/** The latest message that has not ended, which is sent behind most others. */
	private volatile @Nullable CompletableFuture<?> latest;

	/** Whether the client's close frame has waited; of the thread that reads. */
	private boolean closeHeldBack;

	/** The pings that came; of the thread that delivers them. */
	private int pings;

	/** The answer to the latest ping; of the thread that delivers them. */
	private @Nullable CompletableFuture<?> answer;

	/** The answer until which nothing is read; of the thread that delivers pings. */
	private @Nullable CompletableFuture<?> heldFor;

	/** What answers the client's latest ping, while it waits for its turn. */
	private volatile @Nullable ByteBuffer pong;

	/** Made with the first part of a message. */
	private volatile @Nullable Parts parts;

	private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

	/**
	 * Creates the sender.
	 * @param type what the session is counted as
	 * @param limits the limits of what is sent
	 * @param reading whether the client is read
	 * @param resources what all sessions share
	 */
	public SessionOutbound(WebSocketSession session, TaskQueue queue, String type, SendLimits limits,
			ClientReading reading, OutboundResources resources) {
		this.session = session;
		this.queue = queue;
		this.type = type;
		this.reading = reading;
		this.workers = resources.workers();
		this.control = resources.control();
		this.clock = resources.clock();
		this.waits = resources.waits();
		this.observer = resources.observer();
		this.journal = (resources.recorder() != null)
				? new SessionJournal(resources.recorder(), session, queue.id(), type.equals("stomp")) : null;
		this.lastMessage = this.clock.nanoTime();
		this.buffer = new SendBuffer(limits.bufferSize(), resources.overflow(), resources.total());
		this.sendTimeLimit = limits.time();
		ControlChannel opening = ControlChannel.opening();
		this.channel = (opening != null && opening.isAvailable()) ? opening : null;
		this.frames = frames();
		if (this.channel != null) {
			this.channel.connect(this);
		}
	}

	private FrameSender frames() {
		if (this.session instanceof StandardWebSocketSession standard) {
			return new AsyncFrameSender(standard, this.workers, this.sendTimeLimit, this::sendFailed);
		}
		FrameSender jetty = JettySessions.sender(this.session, this::sendFailed);
		if (jetty != null) {
			return jetty;
		}
		return (this.session instanceof AbstractHttpSockJsSession http) ? new HttpSockJsFrameSender(http, this.workers)
				: new BlockingFrameSender(this.session, this.workers, this.sendTimeLimit);
	}

	/** Tells how the container is given messages. */
	public FrameSender sender() {
		return this.frames;
	}

	/** Whether messages are still taken. */
	public boolean isOpen() {
		return !isOver() && this.session.isOpen();
	}

	private boolean isOver() {
		return this.closing || this.ended != null;
	}

	/** Whether the connection takes no more. */
	public boolean hasEnded() {
		return this.ended != null;
	}

	/** Whether the server has begun to close the session, of its own accord. */
	public boolean isClosing() {
		return this.closing;
	}

	/**
	 * Queues a message. The payload must not change afterwards.
	 * @return ends with the message's own outcome: sent, or why not; has failed already
	 * with an {@link UnencodableTextException} if the message cannot be sent to anybody
	 */
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Level level) {
		return send(message, null, level, false, null);
	}

	/** Queues a message, whose type the journal is told. */
	public CompletableFuture<@Nullable Void> send(WrittenMessage written, Level level) {
		return send(written.message(), written.type(), level, false, null);
	}

	/**
	 * Queues a message as {@link #send} does, but does not end the session of a client
	 * that takes what is sent to it, where there is no room for the message.
	 * @param full what to do instead, unless other messages may be dropped
	 */
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, FullBuffer full) {
		return send(message, null, Level.NORMAL, false, full);
	}

	/**
	 * Queues a message that many sessions send. Its payload, which is there once, is
	 * counted for all sessions together by whoever sends it.
	 */
	public CompletableFuture<@Nullable Void> sendShared(WrittenMessage written, Level level) {
		return send(written.message(), written.type(), level, true, null);
	}

	private CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, @Nullable String type, Level level,
			boolean shared, @Nullable FullBuffer full) {
		SessionJournal.Entry record = (this.journal != null) ? this.journal.begin(message, type, level) : null;
		CompletableFuture<@Nullable Void> sent = queue(message, record, level, shared, full);
		if (record != null) {
			sent.whenComplete((nothing, failure) -> record.ended(failure));
		}
		return sent;
	}

	private CompletableFuture<@Nullable Void> queue(WebSocketMessage<?> message, SessionJournal.@Nullable Entry record,
			Level level, boolean shared, @Nullable FullBuffer full) {
		if (isOver()) {
			return CompletableFuture.failedFuture(closedException());
		}
		int objects = (this.journal != null) ? MessageCost.JOURNALLED : MessageCost.SENT;
		int bytes;
		try {
			bytes = objects + EncodedSize.of(message);
		}
		catch (UnencodableTextException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (!this.buffer.reserve(bytes, level, this.queue.id()) && !findRoom(bytes, full)) {
			return isOver() ? CompletableFuture.failedFuture(closedException()) : overflown(level);
		}
		int held = shared ? objects : bytes;
		this.buffer.hold(held);
		Outgoing outgoing = new Outgoing(message, record, bytes, held,
				isData(message) ? this.observer.sending(this.type, this.queue.id(), level) : ObservedMessage.NONE);
		CompletableFuture<@Nullable Void> part = null;
		if (isData(message)) {
			this.lastMessage = this.clock.nanoTime();
			part = sendPart(outgoing, level);
		}
		CompletableFuture<@Nullable Void> sent = (part != null) ? part : this.queue.submitStage(level, outgoing);
		this.latest = sent;
		sent.whenComplete((result, ex) -> {
			outgoing.ended(ex);
			LATEST.compareAndSet(this, sent, null);
		});
		if (sent instanceof LeveledTask<?> task) { // a part of a message is none
			this.buffer.add(task, level);
		}
		forgetIfClosed();
		return sent;
	}

	/** Returns the bytes that wait or are on their way, zero once the session ends. */
	public long waiting() {
		return (this.ended != null) ? 0 : this.buffer.held();
	}

	/** Ends a session whose client takes too little of what waits for it. */
	public void overflown(String reason) {
		logger.warn("Cutting off session '" + this.queue.id() + "': " + reason);
		cutOff(CloseStatuses.TOO_SLOW, new SessionLimitExceededException(reason, CloseStatuses.TOO_SLOW));
	}

	/**
	 * Finds room for a message where the buffer has none.
	 * @return whether there is room, which is the caller's then
	 */
	private boolean findRoom(int bytes, @Nullable FullBuffer full) {
		if (full == null || this.buffer.drops()) {
			return false;
		}
		if (full == FullBuffer.EXCEED) {
			this.exceeded = true;
			this.buffer.exceed(bytes);
			return true;
		}
		AtomicBoolean room = new AtomicBoolean(true);
		try {
			if (!this.waits.block(() -> room.set(this.buffer.awaitRoom(bytes, this.sendTimeLimit, () -> this.begun)))) {
				this.buffer.exceed(bytes);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.buffer.exceed(bytes);
		}
		return room.get();
	}

	private CompletableFuture<@Nullable Void> overflown(Level level) {
		if (this.buffer.drops()) {
			return this.queue.drop(level);
		}
		SessionLimitExceededException overflow = new SessionLimitExceededException(
				"Session '" + this.queue.id() + "' has " + this.buffer, CloseStatuses.TOO_SLOW);
		cutOff(CloseStatuses.TOO_SLOW, overflow);
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
	public CompletableFuture<@Nullable Void> close(CloseStatus status, Level level) {
		if (!this.closed.isDone() && CLOSING.compareAndSet(this, false, true)) {
			endParts();
			LeveledTask<@Nullable Void> task = this.queue.submitStage(level,
					() -> closeNow(status, closedException(), this.sendTimeLimit));
			task.exceptionally((rejected) -> {
				closeNow(status, closedException(), this.sendTimeLimit);
				return null;
			});
			forgetIfClosed();
		}
		return this.closed;
	}

	/** Closes the session at once; what waits fails with the reason. */
	public void terminate(CloseStatus status, Throwable reason) {
		terminate(status, reason, false);
	}

	/**
	 * Closes the session at once as far as the client can see. What the client sent
	 * before is still handled, and what is sent by its handlers fails.
	 */
	public void refuse(CloseStatus status, Throwable reason) {
		end(status, reason, false);
	}

	/** As {@link #terminate}, for a client from which no answer is to be expected. */
	public void cutOff(CloseStatus status, Throwable reason) {
		terminate(status, reason, true);
	}

	/** Ends the session now, without a closing handshake where the container can. */
	public void abort() {
		cutOff(CloseStatuses.ABORTED, new CancellationException("Session was aborted"));
	}

	/** Closes a session that nobody has used for long. */
	public void closeIdle() {
		close(CloseStatuses.IDLE, Level.NORMAL);
	}

	/** Asks the client's end for a sign of life, before all that waits. */
	public CompletableFuture<@Nullable Void> ping() {
		return send(new PingMessage(PING.duplicate()), Level.HIGH);
	}

	/**
	 * The answer is sent in its turn, and if the client has pinged again until then, the
	 * latest ping is the one that is answered. A client that has pinged again is not read
	 * until the answer is out; nor is one that pings without end, until the container has
	 * had a thread for the others.
	 */
	@Override
	public void pinged(ByteBuffer payload) {
		if (PONG.getAndSet(this, payload) != null) {
			holdUntil(this.answer);
			return;
		}
		LeveledTask<@Nullable Void> answer = this.queue.submitStage(Level.HIGH, this::sendPong);
		answer.exceptionally((failure) -> {
			this.pong = null;
			return null;
		});
		this.answer = answer;
		if (++this.pings % MAX_PINGS == 0) {
			this.reading.hold();
			afterReading(this.reading::letGo);
		}
		forgetIfClosed();
	}

	private void holdUntil(@Nullable CompletableFuture<?> answer) {
		if (answer != null && answer != this.heldFor) {
			this.heldFor = answer;
			this.reading.hold();
			answer.whenComplete((nothing, failure) -> this.reading.letGo());
		}
	}

	private CompletionStage<@Nullable Void> sendPong() throws SessionClosedException {
		ByteBuffer payload = (ByteBuffer) PONG.getAndSet(this, null);
		SessionClosedException reason = this.ended;
		if (reason != null) {
			throw reason;
		}
		begun();
		return track(Objects.requireNonNull(this.channel).pong(payload), null);
	}

	/** What was sent before the client closed goes out before the answer. */
	@Override
	public boolean holdsBackClose() {
		CompletableFuture<?> last = this.latest;
		if (last == null || this.closeHeldBack) {
			return false;
		}
		this.closeHeldBack = true;
		this.reading.hold();
		last.copy()
			.orTimeout(MAX_CLOSE_DELAY.toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((nothing, failure) -> this.reading.letGo());
		return true;
	}

	/**
	 * Told of an error of the connection, as when its end comes without a close frame.
	 */
	public void failed() {
		if (this.channel != null && this.channel.isReader()) {
			awaitHandled();
		}
	}

	@Override
	public void awaitHandled() {
		if (this.ended != null) {
			return;
		}
		this.reading.awaitHandled(MAX_CLOSE_DELAY);
		CompletableFuture<?> last = this.latest;
		if (last != null && !isSendingLongerThan(this.clock.nanoTime(), PATIENCE)) {
			CompletableFuture<?> sent = last.handle((nothing, failure) -> null);
			sent.completeOnTimeout(null, MAX_CLOSE_DELAY.toMillis(), TimeUnit.MILLISECONDS).join();
		}
	}

	@Override
	public CompletableFuture<?> closing() {
		boolean stalls = this.inFlight != null && isSendingLongerThan(this.clock.nanoTime(), PATIENCE);
		markEnded(closedException());
		return stalls ? CompletableFuture.failedFuture(new TimeoutException("A message is being sent")) : idle();
	}

	/** Ends when the message that the container sends has been sent, or not. */
	private CompletableFuture<?> idle() {
		CompletableFuture<@Nullable Void> sending = this.inFlight;
		return (sending != null) ? sending.handle((nothing, failure) -> null) : CompletableFuture.completedFuture(null);
	}

	/** Runs a task when the container has had a thread for what has come in before. */
	public void afterReading(Runnable task) {
		if (this.channel != null) {
			this.channel.afterReading(task);
		}
		else {
			task.run();
		}
	}

	/** When the last message was to be sent. */
	public long lastMessage() {
		return this.lastMessage;
	}

	/** Whether the container has a message of the session. */
	public boolean isSending() {
		return this.sendingSince != 0;
	}

	/** Tells why the client takes too little, or {@code null} if it does not. */
	public @Nullable String lag(long now) {
		if (isSendingLongerThan(now, this.sendTimeLimit)) {
			return "A message took longer to be sent than " + this.sendTimeLimit;
		}
		return (this.exceeded && this.buffer.isExceeded() && isSendingLongerThan(now, STALL))
				? "Nothing was sent for " + STALL + ", with " + this.buffer : null;
	}

	/** Whether the container has had a message of the session for long. */
	private boolean isSendingLongerThan(long now, Duration time) {
		long since = this.sendingSince;
		return since != 0 && now - since > time.toNanos() && this.ended == null;
	}

	/** Whether a pong answers a ping of ours. */
	public static boolean isOwn(PongMessage pong) {
		return pong.getPayload().equals(PING);
	}

	/**
	 * Returns the status with which the session has ended: where the container has seen
	 * no close frame, as the client was cut off, the one that it was cut off with.
	 */
	public CloseStatus ended(CloseStatus reported) {
		CloseStatus cutOff = this.cutOff;
		return (cutOff != null && reported.getCode() == CloseStatus.NO_CLOSE_FRAME.getCode()) ? cutOff : reported;
	}

	/** Told when the container has reported the end of the connection. */
	public void closed() {
		markEnded(closedException());
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
		end(CloseStatuses.SEND_FAILED, ex, false);
	}

	private void end(CloseStatus status, Throwable reason, boolean abruptly) {
		if (this.ended == null) {
			logger.debug("Terminating session '" + this.queue.id() + "' with " + status, reason);
			closeNow(status, new SessionClosedException(this.queue.id(), reason), abruptly ? Duration.ZERO : PATIENCE);
			endParts();
		}
	}

	/**
	 * Closes the session: puts the close frame on its way and, when that is out or its
	 * time is over, tells the container. A control thread does so, as other containers
	 * wait until the frame is written, and for SockJS, which may wait for longer, a
	 * worker; where there is none, the calling thread does.
	 * @param patience how long the frame may take; zero to end the connection at once
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
		sendCloseFrame(sendable, patience)
			.whenComplete((nothing, failure) -> close(sendable, reason, failure != null || patience.isZero(), done));
		return done;
	}

	private boolean markEnded(SessionClosedException reason) {
		boolean first = ENDED.compareAndSet(this, null, reason);
		this.buffer.end();
		return first;
	}

	private CompletableFuture<@Nullable Void> sendCloseFrame(CloseStatus status, Duration patience) {
		if (this.channel == null || !(this.session instanceof StandardWebSocketSession)) {
			return this.frames.beforeClose(patience);
		}
		CompletableFuture<@Nullable Void> frame = this.channel.close(status, idle()).copy();
		return patience.isZero() ? CompletableFuture.completedFuture(null)
				: frame.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void close(CloseStatus status, SessionClosedException reason, boolean abruptly,
			CompletableFuture<@Nullable Void> done) {
		boolean waits = this.session instanceof SockJsSession && !(abruptly && AbruptClose.isPossible(this.session));
		Runnable close = () -> {
			try {
				this.reading.release();
				BlockingSendTimeout.set(this.session, this.sendTimeLimit);
				if (abruptly && AbruptClose.close(this.session, status)) {
					forgetInFlight(reason);
				}
				else if (!JettySessions.close(this.session, status)) {
					this.session.close(status);
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
			(waits ? this.workers : this.control).execute(close);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			close.run();
		}
	}

	/** Gives a message to the container. */
	private CompletableFuture<@Nullable Void> give(WebSocketMessage<?> message) throws Exception {
		if (this.channel != null && message instanceof PingMessage ping) {
			begun();
			return this.channel.ping(ping.getPayload());
		}
		if (this.channel != null && message instanceof PongMessage reply) {
			begun();
			return this.channel.pong(reply.getPayload());
		}
		return this.frames.send(message, this::begun);
	}

	/**
	 * Sees to it that a send ends when its connection does, and that the next begins only
	 * when nothing of this one is left to be noted. Tomcat drops a message that meets the
	 * closing frame, and tells nobody.
	 */
	private CompletableFuture<@Nullable Void> track(CompletableFuture<@Nullable Void> sending,
			SessionJournal.@Nullable Entry record) {
		this.inFlight = sending;
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		sending.whenComplete((nothing, failure) -> {
			this.sendingSince = 0;
			this.inFlight = null;
			if (record != null) {
				record.ended(failure);
			}
			SendWaits.runBarred(() -> {
				if (failure != null) {
					sent.completeExceptionally(failure);
				}
				else {
					sent.complete(null);
				}
			});
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

	@SuppressWarnings("NonAtomicVolatileUpdate") // one message at a time has the turn
	private void begun() {
		this.begun++;
		if (this.sendingSince == 0) {
			long now = this.clock.nanoTime();
			this.sendingSince = (now != 0) ? now : 1;
		}
	}

	private SessionClosedException closedException() {
		return new SessionClosedException(this.queue.id());
	}

	/** A message that waits for its turn, and its bytes. */
	private final class Outgoing implements Callable<CompletionStage<@Nullable Void>> {

		private final WebSocketMessage<?> message;

		private final SessionJournal.@Nullable Entry record;

		/** What is not given back yet. */
		private volatile int bytes;

		private final int held;

		private final ObservedMessage observed;

		Outgoing(WebSocketMessage<?> message, SessionJournal.@Nullable Entry record, int bytes, int held,
				ObservedMessage observed) {
			this.message = message;
			this.record = record;
			this.bytes = bytes;
			this.held = held;
			this.observed = observed;
		}

		WebSocketMessage<?> message() {
			return this.message;
		}

		/**
		 * Sends the message. Tomcat refuses while a message is sent past this class, by
		 * its own session, and from the client's close frame on, some time before it
		 * tells that the connection has ended.
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
				return track(SessionOutbound.this.give(this.message), this.record);
			}
			catch (IllegalStateException ex) {
				if (isBusy()) {
					return later();
				}
				sendFailed(ex);
				throw new SessionClosedException(SessionOutbound.this.queue.id(), ex);
			}
			finally {
				scope.close();
			}
		}

		/** Whether the container may take the message later. */
		private boolean isBusy() {
			return SessionOutbound.this.session.isOpen()
					&& !isSendingLongerThan(SessionOutbound.this.clock.nanoTime(), SessionOutbound.this.sendTimeLimit);
		}

		private CompletionStage<@Nullable Void> later() {
			Executor busy = CompletableFuture.delayedExecutor(BUSY_MILLIS, TimeUnit.MILLISECONDS,
					SessionOutbound.this.control);
			return CompletableFuture.<CompletionStage<@Nullable Void>>supplyAsync(() -> {
				try {
					return call();
				}
				catch (Exception ex) {
					return CompletableFuture.failedFuture(ex);
				}
			}, busy).thenCompose((sending) -> sending);
		}

		public void ended(@Nullable Throwable refusal) {
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
