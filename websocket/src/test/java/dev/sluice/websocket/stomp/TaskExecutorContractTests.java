package dev.sluice.websocket.stomp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What Spring promises of every task executor, asked of those that the channels get; and
 * what channels need of one.
 */
class TaskExecutorContractTests {

	private static final long SECONDS = 10;

	private final ExecutorService workers = Executors.newFixedThreadPool(2, (task) -> new Thread(task, "worker"));

	private final SequentialLeveledTaskExecutor queues = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final AsyncTaskExecutor executor = new StompTaskExecutor(
			WebSocketDispatcher.builder(this.queues, this.queues, this.workers).build(), this.workers, null, null);

	@AfterEach
	void stop() {
		this.workers.shutdownNow();
	}

	static List<TaskExecutor> executors() {
		SequentialLeveledTaskExecutor queues = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		return List.of(new StompTaskExecutor(WebSocketDispatcher.builder(queues, queues, Runnable::run).build(),
				Runnable::run, null, null), new PublishingThreadExecutor());
	}

	@ParameterizedTest
	@MethodSource("executors")
	void aMissingTaskIsRejected(TaskExecutor executor) {
		assertThatIllegalArgumentException().isThrownBy(() -> executor.execute(null));
	}

	@ParameterizedTest
	@MethodSource("executors")
	void aTaskThatFailsIsNotTheCallersBusiness(TaskExecutor executor) {
		List<String> done = new ArrayList<>();
		ExecutorSubscribableChannel channel = channel(executor);
		channel.subscribe((message) -> {
			throw new AssertionError("expected");
		});
		channel.subscribe((message) -> done.add("second"));
		assertThat(channel.send(message(SimpMessageType.MESSAGE, null))).isTrue();
		assertThat(done).containsExactly("second");
	}

	@Test
	void executesOnAWorker() throws InterruptedException {
		AtomicReference<String> thread = new AtomicReference<>();
		CountDownLatch done = new CountDownLatch(1);
		this.executor.execute(() -> {
			thread.set(Thread.currentThread().getName());
			done.countDown();
		});
		assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
		assertThat(thread).hasValue("worker");
	}

	@Test
	void submitsRunnables() throws Exception {
		Future<?> future = this.executor.submit(() -> {
		});
		assertThat(future.get(SECONDS, TimeUnit.SECONDS)).isNull();
	}

	@Test
	void submitsCallables() throws Exception {
		assertThat(this.executor.submit(() -> Thread.currentThread().getName()).get(SECONDS, TimeUnit.SECONDS))
			.isEqualTo("worker");
	}

	@Test
	void tellsTheFailureOfWhatWasSubmitted() {
		Future<?> runnable = this.executor.submit((Runnable) TaskExecutorContractTests::fail);
		Future<?> callable = this.executor.submit((Callable<?>) TaskExecutorContractTests::fail);
		for (Future<?> future : List.of(runnable, callable)) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> future.get(SECONDS, TimeUnit.SECONDS))
				.withMessageContaining("expected");
			assertThat(future.isDone()).isTrue();
		}
	}

	@Test
	void submitsCompletables() {
		assertThat(this.executor.submitCompletable(() -> {
		}).orTimeout(SECONDS, TimeUnit.SECONDS).join()).isNull();
		assertThat(this.executor.submitCompletable(() -> Thread.currentThread().getName())
			.orTimeout(SECONDS, TimeUnit.SECONDS)
			.join()).isEqualTo("worker");
	}

	@Test
	void tellsTheFailureOfCompletables() {
		AtomicReference<Throwable> outcome = new AtomicReference<>();
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> this.executor.submitCompletable((Callable<?>) TaskExecutorContractTests::fail)
				.whenComplete((result, ex) -> outcome.set(ex))
				.orTimeout(SECONDS, TimeUnit.SECONDS)
				.join());
		assertThat(outcome).hasValueMatching(CompletionException.class::isInstance);
	}

	@Test
	void aTaskThatWaitsCanBeCancelled() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		this.executor.execute(() -> await(release));
		this.executor.execute(() -> await(release));
		FutureTask<String> waiting = new FutureTask<>(() -> "done");
		this.executor.execute(waiting);
		assertThat(waiting.cancel(false)).isTrue();
		release.countDown();
		assertThat(this.executor.submit(() -> "next").get(SECONDS, TimeUnit.SECONDS)).isEqualTo("next");
	}

	@Test
	void whenThereAreNoWorkersAnyMoreThenTasksRunOnTheCallingThread() {
		this.workers.shutdown();
		assertThat(this.executor.submitCompletable(() -> Thread.currentThread()))
			.isCompletedWithValue(Thread.currentThread());
	}

	@Test
	void aMessageOfASessionThatIsGoneIsHandledByItsSender() {
		ExecutorSubscribableChannel channel = channel(this.executor);
		List<Thread> threads = new ArrayList<>();
		MessageHandler handler = (message) -> threads.add(Thread.currentThread());
		channel.subscribe(handler);
		channel.send(message(SimpMessageType.DISCONNECT, "gone"));
		assertThat(threads).containsExactly(Thread.currentThread());
		assertThat(this.queues.snapshot(0).queues()).isZero();
	}

	@Test
	void aMessageThatIsSentWhileAnotherGoesOutFollowsIt() {
		ExecutorSubscribableChannel channel = channel(new PublishingThreadExecutor());
		List<String> sent = new ArrayList<>();
		channel.subscribe((message) -> {
			if (SimpMessageType.CONNECT_ACK == type(message)) {
				channel.send(message(SimpMessageType.MESSAGE, "session"));
			}
			sent.add(String.valueOf(type(message)));
		});
		channel.send(message(SimpMessageType.CONNECT_ACK, "session"));
		assertThat(sent).containsExactly("CONNECT_ACK", "MESSAGE");
	}

	private static ExecutorSubscribableChannel channel(TaskExecutor executor) {
		ExecutorSubscribableChannel channel = new ExecutorSubscribableChannel(executor);
		if (executor instanceof StompTaskExecutor stomp) {
			channel.addInterceptor(stomp.interceptor());
		}
		return channel;
	}

	private static Message<byte[]> message(SimpMessageType type, String sessionId) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(type);
		headers.setSessionId(sessionId);
		return MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders());
	}

	private static SimpMessageType type(Message<?> message) {
		return SimpMessageHeaderAccessor.getMessageType(message.getHeaders());
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static String fail() {
		throw new IllegalStateException("expected");
	}

}
