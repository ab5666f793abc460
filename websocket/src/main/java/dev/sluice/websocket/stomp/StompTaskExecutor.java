package dev.sluice.websocket.stomp;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.aop.Admission;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.handler.SessionTasks;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.message.FailureLog;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.MessageHandlingRunnable;
import org.springframework.util.Assert;

/**
 * Executor of the channel for messages from clients. It runs the messages of a session in
 * order, one at a time, and the messages of different sessions in parallel. With its
 * {@linkplain #interceptor() interceptor} on the channel, all subscribers of the channel
 * handle a message in one task of the session's queue; without it, each subscriber is a
 * task.
 * <p>
 * Heartbeats are handled immediately, by the thread that receives them: a heartbeat that
 * waited behind a slow message would arrive too late to prove that its client is alive.
 * Tasks that are not messages of a session run on a worker, or on the calling thread if
 * no worker is free, so that none is rejected.
 *
 * @since 0.1.0
 */
public final class StompTaskExecutor implements AsyncTaskExecutor {

	private final FailureLog failures = new FailureLog(LogFactory.getLog(StompTaskExecutor.class), NanoClock.system(),
			"Failed to handle");

	private final SessionTasks tasks;

	private final WebSocketSessionManager sessions;

	private final Executor workers;

	private final MessageLevels levels;

	private final @Nullable MessageLimits limits;

	/** The messages that the current thread is sending, the innermost first. */
	private final ThreadLocal<Deque<MessageTask>> sending = ThreadLocal.withInitial(ArrayDeque::new);

	/**
	 * Creates the executor.
	 * @param dispatcher has the sessions
	 * @param workers run tasks that belong to no session
	 * @param levelHeader the STOMP header with which clients request a level, or
	 * {@code null} if they may not
	 * @param gate acquires the permits that annotations on message-handling methods
	 * require, before a message is handled; without a gate, those methods acquire them,
	 * while they hold a thread
	 */
	public StompTaskExecutor(WebSocketDispatcher dispatcher, Executor workers, @Nullable String levelHeader,
			@Nullable ThrottleGate gate) {
		this.tasks = dispatcher.tasks();
		this.sessions = dispatcher.sessions();
		this.workers = workers;
		this.levels = new MessageLevels(levelHeader);
		this.limits = (gate != null) ? new MessageLimits(gate) : null;
	}

	/**
	 * Returns an interceptor that marks the first and the last task of a message for this
	 * executor.
	 * @return an interceptor for the channel
	 */
	public ChannelInterceptor interceptor() {
		return new Gathering();
	}

	@Override
	public void execute(Runnable task) {
		Assert.notNull(task, "'task' must not be null");
		if (!(task instanceof MessageHandlingRunnable handling)) {
			executeOnWorker(task);
			return;
		}
		MessageTask gathered = this.sending.get().peek();
		if (gathered != null) {
			gathered.add(handling);
			return;
		}
		MessageTask single = new MessageTask(this);
		single.add(handling);
		submit(single);
	}

	/**
	 * Consults the limits of a message, which its session may have to wait for.
	 * @return a future for the admission, or {@code null} if the message has no limits
	 */
	@Nullable CompletableFuture<Admission> admit(MessageHandlingRunnable handling, ManagedSession session) {
		return (this.limits != null) ? this.limits.admit(handling, session) : null;
	}

	FailureLog failures() {
		return this.failures;
	}

	private void executeOnWorker(Runnable task) {
		try {
			this.workers.execute(task);
		}
		catch (RejectedExecutionException ex) {
			MessageTask.run(task, this.failures);
		}
	}

	private void submit(MessageTask task) {
		Message<?> message = task.message();
		if (message == null) {
			return;
		}
		if (SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) == SimpMessageType.HEARTBEAT) {
			task.run(null);
			return;
		}
		String sessionId = SimpMessageHeaderAccessor.getSessionId(message.getHeaders());
		if (sessionId == null) {
			executeOnWorker(() -> task.run(null));
			return;
		}
		this.sessions.get(sessionId).ifPresent(task::belongsTo);
		this.tasks.submit(sessionId, this.levels.of(message), task);
	}

	/** Collects the tasks of a message while it is being sent. */
	private final class Gathering implements ChannelInterceptor {

		@Override
		public Message<?> preSend(Message<?> message, MessageChannel channel) {
			StompTaskExecutor.this.sending.get().push(new MessageTask(StompTaskExecutor.this));
			return message;
		}

		@Override
		public void afterSendCompletion(Message<?> message, MessageChannel channel, boolean sent,
				@Nullable Exception ex) {
			Deque<MessageTask> sending = StompTaskExecutor.this.sending.get();
			MessageTask gathered = sending.pop();
			if (sending.isEmpty()) {
				StompTaskExecutor.this.sending.remove();
			}
			submit(gathered);
		}

	}

}
