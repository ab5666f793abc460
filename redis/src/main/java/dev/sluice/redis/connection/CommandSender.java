package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** Sender of commands to Redis, which limits the time to wait for replies. */
public final class CommandSender {

	/*
	 * A command is sent only on an open connection, so no command is queued until a
	 * server is available again. Each command that is sent has a reply or fails when its
	 * connection is replaced, as a key or a release may wait for it before the next one.
	 * A connection with a command that has no reply for long, although a later one has,
	 * is replaced.
	 *
	 * The first use of a script on a connection sends its text, later uses its digest. So
	 * the server has the script, unless its scripts were flushed or it is another server
	 * of a cluster, and runs commands in the order in which they are sent. An unknown
	 * digest costs a second round trip, and commands sent in between run first.
	 *
	 * The breaker counts the outcome of each command that a caller waits for. An open
	 * breaker does not prevent commands: a release, for example, is sent on any open
	 * connection. But no caller waits for a reply while it is open.
	 *
	 * Attacked by RedisFaultTests and RedisOutageTests.
	 */

	/** Divisor of the timeout; a server that takes longer than that part is far. */
	private static final int FAR = 4;

	private static final int SCANNED_AT_ONCE = 1000;

	private final RedisConnections connections;

	private final Duration timeout;

	private final ScheduledExecutorService timer;

	private final CircuitBreaker breaker = new CircuitBreaker();

	private final CallGate gate = new CallGate();

	private final CommandStatistics statistics = new CommandStatistics();

	private final AtomicInteger unanswered = new AtomicInteger();

	/** Completes when all commands are answered; set by awaitAnswers. */
	private volatile @Nullable CompletableFuture<Void> allAnswered;

	private volatile long lastAnswerNanos;

	/**
	 * Failure since the last success: an error of the server, if there was one, as it
	 * explains those that follow, such as a connection that was closed for it.
	 */
	private volatile @Nullable Throwable lastFailure;

	/**
	 * Creates a sender.
	 * @param connections the connections to send on
	 * @param timeout the timeout of a command
	 * @param timer the timer for timeouts, which is never blocked
	 */
	public CommandSender(RedisConnections connections, Duration timeout, ScheduledExecutorService timer) {
		this.connections = connections;
		this.timeout = timeout;
		this.timer = timer;
	}

	/** Returns whether no reply can be expected. */
	public boolean isUnavailable() {
		return this.breaker.isOpen() || this.gate.isClosed() || !this.connections.isConnected();
	}

	/** Returns the gate of calls that request permits. */
	public CallGate gate() {
		return this.gate;
	}

	/**
	 * Returns whether replies take so long that two of them would exceed the timeout.
	 */
	public boolean isFar() {
		return this.lastAnswerNanos > this.timeout.toNanos() / FAR;
	}

	public Duration timeout() {
		return this.timeout;
	}

	/** Returns the last failure that opened the breaker, while it is open. */
	@Nullable Throwable failure() {
		return this.breaker.isOpen() ? this.lastFailure : null;
	}

	public CommandStatistics statistics() {
		return this.statistics;
	}

	// Sending

	/** Runs a script that returns a list. */
	public CompletableFuture<List<Object>> ask(Script script, String[] keys, String... arguments) {
		return run(script, ScriptOutputType.MULTI, keys, arguments);
	}

	/**
	 * Runs a script without blocking.
	 * @param script the script
	 * @param keys the keys that it uses, in one slot
	 * @param arguments the arguments
	 * @return the reply, or a failure by {@link StoreUnavailableException}; without a
	 * timeout
	 */
	public <T> CompletableFuture<T> run(Script script, ScriptOutputType type, String[] keys, String... arguments) {
		return sendOn(this.connections.commands(), (connection) -> {
			RedisClusterAsyncCommands<String, String> commands = connection.commands();
			if (!connection.sent().contains(script)) {
				CompletionStage<T> first = commands.eval(script.text(), type, keys, arguments);
				connection.sent().add(script);
				return first;
			}
			CompletionStage<T> known = commands.evalsha(script.digest(), type, keys, arguments);
			return known.exceptionallyCompose((failure) -> (failure instanceof RedisNoScriptException)
					? commands.eval(script.text(), type, keys, arguments) : CompletableFuture.failedFuture(failure));
		});
	}

	/**
	 * Sends a command without blocking.
	 * @param command the command
	 * @return the reply, or a failure by {@link StoreUnavailableException}; without a
	 * timeout
	 */
	public <T> CompletableFuture<T> send(
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return sendOn(this.connections.commands(), (connection) -> command.apply(connection.commands()));
	}

	/** Sends blocking commands, on their own connection. */
	<T> CompletableFuture<T> sendBlocking(
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return sendOn(this.connections.blocking(), (connection) -> command.apply(connection.commands()));
	}

	private <T> CompletableFuture<T> sendOn(Connector.@Nullable Connection connection,
			Function<Connector.Connection, CompletionStage<T>> command) {
		if (connection == null || !connection.channel().isOpen()) {
			return CompletableFuture.failedFuture(notConnected());
		}
		CompletableFuture<T> result = new CompletableFuture<>();
		long sentAt = System.nanoTime();
		try {
			CompletionStage<T> sent = command.apply(connection);
			this.unanswered.incrementAndGet();
			connection.unanswered().put(result, sentAt);
			sent.whenComplete((reply, failure) -> {
				connection.answered(result, sentAt);
				this.lastAnswerNanos = System.nanoTime() - sentAt;
				if (failure != null && RedisErrors.isMasterNoMore(failure)) {
					Connector.close(connection.channel());
				}
				complete(result, reply, failure);
				answered();
			});
			if (!connection.channel().isOpen()) {
				complete(result, null, Connector.connectionClosed());
			}
		}
		catch (RedisException ex) {
			complete(result, null, ex);
		}
		return result;
	}

	/** Returns the failure of a command that is not sent for lack of a connection. */
	public static StoreUnavailableException notConnected() {
		return new StoreUnavailableException("Redis is not connected");
	}

	private static <T> void complete(CompletableFuture<T> result, @Nullable T reply, @Nullable Throwable failure) {
		if (failure == null) {
			result.complete(reply);
		}
		else {
			result.completeExceptionally(RedisErrors.unavailable(failure));
		}
	}

	/** Counts a reply, after the commands that it has caused. */
	private void answered() {
		if (this.unanswered.decrementAndGet() > 0) {
			return;
		}
		CompletableFuture<Void> waiting = this.allAnswered;
		if (waiting != null) {
			waiting.complete(null);
		}
	}

	/**
	 * Waits until all commands are answered, including further commands that a reply
	 * causes, at most for the timeout of a command.
	 */
	public void awaitAnswers() {
		CompletableFuture<Void> waiting = new CompletableFuture<>();
		this.allAnswered = waiting;
		if (this.unanswered.get() == 0) {
			waiting.complete(null);
		}
		waiting.completeOnTimeout(null, this.timeout.toNanos(), TimeUnit.NANOSECONDS).join();
	}

	/** Passes the matching keys in Redis to an action, in batches; blocks. */
	public void scan(String pattern, Consumer<List<String>> action) {
		ScanArgs matching = ScanArgs.Builder.matches(pattern).limit(SCANNED_AT_ONCE);
		ScanCursor cursor = ScanCursor.INITIAL;
		while (!cursor.isFinished()) {
			ScanCursor from = cursor;
			KeyScanCursor<String> found = await(send((commands) -> commands.scan(from, matching)));
			if (!found.getKeys().isEmpty()) {
				action.accept(found.getKeys());
			}
			cursor = found;
		}
	}

	/** Removes keys; blocks. */
	public void unlink(String... keys) {
		await(send((commands) -> commands.unlink(keys)));
	}

	// Waiting

	/**
	 * Waits for a reply, at most for the timeout of a command. An interrupt does not end
	 * the wait, as the request may be granted, and is restored afterwards.
	 * @param answer the reply to wait for
	 * @return the reply
	 * @throws StoreUnavailableException if there is no reply in time
	 * @throws IllegalStateException on a thread that must not block
	 */
	public <T> T await(CompletableFuture<T> answer) {
		return await(answer, System.nanoTime());
	}

	/**
	 * Waits for a reply as {@link #await(CompletableFuture)}, with a timeout since a
	 * time.
	 */
	<T> T await(CompletableFuture<T> answer, long since) {
		requireMayBlock();
		if (this.breaker.isOpen() && !answer.isDone()) {
			throw new StoreUnavailableException("Redis does not answer in time at present");
		}
		boolean interrupted = false;
		try {
			while (true) {
				try {
					long left = since + this.timeout.toNanos() - System.nanoTime();
					T reply = answer.get(left, TimeUnit.NANOSECONDS);
					note(since, null);
					return reply;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (TimeoutException ex) {
			StoreUnavailableException late = late();
			note(since, late);
			throw late;
		}
		catch (ExecutionException ex) {
			note(since, ex.getCause());
			throw RedisErrors.unavailable(ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private StoreUnavailableException late() {
		return new StoreUnavailableException("Redis did not answer within " + this.timeout, new TimeoutException());
	}

	/** Records the outcome of a command that a caller has waited for. */
	private void note(long since, @Nullable Throwable failure) {
		Throwable cause = (failure instanceof StoreUnavailableException) ? failure.getCause() : failure;
		if (failure == null) {
			if (this.lastFailure != null) {
				this.lastFailure = null;
			}
			this.breaker.succeeded();
			this.statistics.answer(System.nanoTime() - since);
		}
		else if (cause != null) {
			this.statistics.fail();
			if (RedisErrors.isServerUnable(cause)) {
				Throwable known = this.lastFailure;
				if (known == null || !RedisErrors.isAnswered(known)) {
					this.lastFailure = failure;
				}
				this.breaker.failed();
			}
		}
	}

	/**
	 * Requires a thread on which {@link #await} may block; for calls that would change
	 * state before it.
	 * @throws IllegalStateException on a thread that must not block
	 */
	public static void requireMayBlock() {
		Thread thread = Thread.currentThread();
		if (Schedulers.isInNonBlockingThread()
				|| thread instanceof FastThreadLocalThread netty && !netty.permitBlockingCalls()) {
			throw new IllegalStateException("Thread '" + thread.getName()
					+ "' must not block, and the answer is in Redis; use acquire, with a maxWait of zero if need be");
		}
	}

	/**
	 * Adds the timeout of a command to a reply.
	 * @param answer the reply, which is not affected
	 * @return the reply, or a failure by {@link StoreUnavailableException} if the reply
	 * does not arrive in time
	 */
	public <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
		return inTime(answer, 0);
	}

	/**
	 * Handles the reply to a call, or its failure, at the latest after the timeout. An
	 * exception of the handler, as of a reply of another format, ends the call.
	 */
	public void whenAnswered(CompletableFuture<List<Object>> asked, CompletableFuture<?> call,
			BiConsumer<List<Object>, Throwable> handler) {
		inTime(asked).whenComplete((reply, failure) -> {
			try {
				handler.accept(reply, failure);
			}
			catch (RuntimeException ex) {
				call.completeExceptionally(ex);
			}
		});
	}

	/**
	 * Adds the timeout of a command to a reply, as {@link #inTime(CompletableFuture)}
	 * does.
	 * @param waitedNanos the elapsed part of the timeout
	 */
	public <T> CompletableFuture<T> inTime(CompletableFuture<T> answer, long waitedNanos) {
		long since = System.nanoTime();
		CompletableFuture<T> timed = answer.copy();
		if (!timed.isDone()) {
			try {
				Future<?> alarm = this.timer.schedule(() -> timed.completeExceptionally(late()),
						this.timeout.toNanos() - waitedNanos, TimeUnit.NANOSECONDS);
				timed.whenComplete((reply, failure) -> alarm.cancel(false));
			}
			catch (RejectedExecutionException ex) {
				timed.completeExceptionally(new StoreUnavailableException("The store is closed"));
			}
		}
		timed.whenComplete((reply, failure) -> note(since, (failure != null) ? RedisErrors.cause(failure) : null));
		return timed;
	}

}
