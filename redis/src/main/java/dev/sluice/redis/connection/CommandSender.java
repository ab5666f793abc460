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

/** Commands to Redis, and the time that their answers may take. */
public final class CommandSender {

	/*
	 * A command is sent only on an open connection, so nothing waits in a queue for a
	 * server to come back.
	 *
	 * A script is sent in full first on each connection, and by its digest after that. So
	 * the server has it, unless its scripts were flushed or it is another server of a
	 * cluster, and commands are run in the order in which they are sent: a digest that is
	 * not known costs a second trip, and commands sent in the meantime are run first.
	 *
	 * The breaker counts the outcome of each command that a caller waits for. An open
	 * breaker does not keep commands from being sent: a release, for example, is sent on
	 * any open connection. But no caller waits for an answer while it is open.
	 *
	 * Attacked by RedisFaultTests and RedisOutageTests.
	 */

	/** In how many parts of its time an answer is far. */
	private static final int FAR = 4;

	private static final int SCANNED_AT_ONCE = 1000;

	private final RedisConnections connections;

	private final Duration timeout;

	private final ScheduledExecutorService timer;

	private final CircuitBreaker breaker = new CircuitBreaker();

	private final CallGate gate = new CallGate();

	private final CommandStatistics statistics = new CommandStatistics();

	private final AtomicInteger unanswered = new AtomicInteger();

	/** Completes when nothing is unanswered, if anybody waits for that. */
	private volatile @Nullable CompletableFuture<Void> allAnswered;

	private volatile long lastAnswerNanos;

	private volatile @Nullable Throwable lastFailure;

	/**
	 * Prepares to send, and sends nothing.
	 * @param connections to send on
	 * @param timeout how long an answer may take
	 * @param timer ends what takes longer, and is never blocked
	 */
	public CommandSender(RedisConnections connections, Duration timeout, ScheduledExecutorService timer) {
		this.connections = connections;
		this.timeout = timeout;
		this.timer = timer;
	}

	/** Returns whether it makes no sense to wait for an answer. */
	public boolean isUnavailable() {
		return this.breaker.isOpen() || this.gate.isClosed() || !this.connections.isConnected();
	}

	/** Returns the gate of calls that ask for permits. */
	public CallGate gate() {
		return this.gate;
	}

	/**
	 * Returns whether answers take so long that whoever had to wait for two of them would
	 * have to be told that there was none in time.
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

	/** Runs a script whose answer is a list. */
	public CompletableFuture<List<Object>> ask(Script script, String[] keys, String... arguments) {
		return run(script, ScriptOutputType.MULTI, keys, arguments);
	}

	/**
	 * Runs a script without blocking.
	 * @param script what to run
	 * @param keys the keys it uses, of one slot
	 * @param arguments what it is told
	 * @return what it returns, or a failure by {@link StoreUnavailableException}; without
	 * a limit of time
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
	 * @param command what to send
	 * @return what the server answers, or a failure by {@link StoreUnavailableException};
	 * without a limit of time
	 */
	public <T> CompletableFuture<T> send(
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return sendOn(this.connections.commands(), (connection) -> command.apply(connection.commands()));
	}

	/** Sends commands that the server holds up, as {@link #send} does others. */
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
			sent.whenComplete((reply, failure) -> {
				this.lastAnswerNanos = System.nanoTime() - sentAt;
				if (failure != null && RedisErrors.isMasterNoMore(failure)) {
					Connector.close(connection.channel());
				}
				complete(result, reply, failure);
				answered();
			});
		}
		catch (RedisException ex) {
			complete(result, null, ex);
		}
		return result;
	}

	/** Returns what a command fails with that is not sent, as there is no connection. */
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

	/** Counts an answer, after what was sent because of it. */
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
	 * Waits until all is answered that was sent, and that was sent because of an answer;
	 * for no longer than an answer may take.
	 */
	public void awaitAnswers() {
		CompletableFuture<Void> waiting = new CompletableFuture<>();
		this.allAnswered = waiting;
		if (this.unanswered.get() == 0) {
			waiting.complete(null);
		}
		waiting.completeOnTimeout(null, this.timeout.toNanos(), TimeUnit.NANOSECONDS).join();
	}

	/** Passes the keys in Redis that match to an action, several at a time; blocks. */
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
	 * Waits for an answer, for no longer than one may take. An interrupt is kept for
	 * later, as what was sent may be granted.
	 * @param answer what to wait for
	 * @return the answer
	 * @throws StoreUnavailableException if there is none in time
	 * @throws IllegalStateException on a thread that must not block
	 */
	public <T> T await(CompletableFuture<T> answer) {
		return await(answer, System.nanoTime());
	}

	/** Waits for an answer as {@link #await(CompletableFuture)}, but since a time. */
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

	/** Records how a command went that somebody waited for. */
	private void note(long since, @Nullable Throwable failure) {
		Throwable cause = (failure instanceof StoreUnavailableException) ? failure.getCause() : failure;
		if (failure == null) {
			this.breaker.succeeded();
			this.statistics.answer(System.nanoTime() - since);
		}
		else if (cause != null) {
			this.statistics.fail();
			if (RedisErrors.isServerUnable(cause)) {
				this.lastFailure = failure;
				this.breaker.failed();
			}
		}
	}

	/**
	 * Requires a thread on which {@link #await} is possible; for calls that would change
	 * something first.
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
	 * Gives an answer as long as one may take.
	 * @param answer what to wait for; goes on as it is
	 * @return the answer, or a failure by {@link StoreUnavailableException} if there is
	 * none in time
	 */
	public <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
		return inTime(answer, 0);
	}

	/**
	 * Gives an answer as long as one may take, as {@link #inTime(CompletableFuture)}
	 * does.
	 * @param waitedNanos how much of that time is over
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
