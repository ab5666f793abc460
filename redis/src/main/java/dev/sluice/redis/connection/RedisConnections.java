package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** The way to the server: connections that are opened again whenever they are lost. */
public final class RedisConnections implements AutoCloseable {

	/*
	 * A command is sent only on an open connection, so nothing waits in a queue for a
	 * server to come back. Somebody has it watch both connections at an interval; it
	 * opens what is not open, on a thread of its own, as that may block. Whoever needs to
	 * know is told of each connection for messages, as those sent before it are lost.
	 * What was lost is closed first: its client might open it again, and whoever is told
	 * of one grant twice takes the second for one that came too late, and gives it back.
	 *
	 * The breaker hears how each command went that somebody waits for. It keeps nobody
	 * from sending: what is given back, say, is sent on whatever connection there is. But
	 * nobody waits while it is open.
	 *
	 * Attacked by RedisFaultTests and RedisConnectionsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(RedisConnections.class.getName());

	/** In how many parts of its time an answer is far. */
	private static final int FAR = 4;

	/** An error of the server; within a script, one before 7.0 puts others first. */
	private static final Pattern ERROR = Pattern.compile("(?:ERR Error running script .*: -)?([A-Z]+)");

	/** Errors that are about the whole server, and not about one command. */
	private static final Set<String> UNABLE = Set.of("BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF",
			"NOREPLICAS", "OOM", "READONLY");

	private final Connector connector;

	private final Duration timeout;

	private final ScheduledExecutorService timer;

	private final CircuitBreaker breaker = new CircuitBreaker();

	private final CallGate intake = new CallGate();

	private final CommandStatistics statistics = new CommandStatistics();

	private final String[] channels;

	private final BiConsumer<String, String> messages;

	private final Runnable subscribed;

	private final AtomicBoolean opening = new AtomicBoolean();

	private final AtomicInteger unanswered = new AtomicInteger();

	/** Completes when nothing is unanswered, if anybody waits for that. */
	private volatile @Nullable CompletableFuture<Void> allAnswered;

	private volatile Connector.@Nullable Connection connection;

	private volatile @Nullable StatefulRedisPubSubConnection<String, String> subscription;

	private volatile Connector.@Nullable Connection aside;

	private volatile boolean needsAside;

	private volatile boolean away;

	private volatile long lastAnswerNanos;

	private volatile boolean closed;

	/**
	 * Prepares the way, and opens nothing.
	 * @param connector opens connections
	 * @param timeout how long an answer may take
	 * @param timer runs the watch, and is never blocked
	 * @param channels where messages come from
	 * @param messages takes channel and message, on an event loop
	 * @param subscribed called whenever messages can be had anew, on any thread
	 */
	public RedisConnections(Connector connector, Duration timeout, ScheduledExecutorService timer, String[] channels,
			BiConsumer<String, String> messages, Runnable subscribed) {
		this.connector = connector;
		this.timeout = timeout;
		this.timer = timer;
		this.channels = channels;
		this.messages = messages;
		this.subscribed = subscribed;
	}

	/** Has a connection, too, that the server may hold up. */
	public void openAside() {
		this.needsAside = true;
	}

	/** Opens the connections, if it can now. */
	public void open() {
		this.opening.set(true);
		openWhatIsNot();
	}

	/** Opens what is not open, in the background. */
	public void watch() {
		if (isOpen() || this.closed || !this.opening.compareAndSet(false, true)) {
			return;
		}
		Thread thread = new Thread(this::openWhatIsNot, "sluice-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	private boolean isOpen() {
		return isConnected() && isOpen(this.subscription) && (!this.needsAside || isOpen(channel(this.aside)));
	}

	/** Returns whether commands can be sent. */
	public boolean isConnected() {
		return isOpen(channel());
	}

	/** Returns whether it makes no sense to wait for an answer. */
	public boolean isAway() {
		return this.breaker.isOpen() || this.intake.isClosed() || !isConnected();
	}

	/** Returns what calls go through that ask for permits. */
	public CallGate intake() {
		return this.intake;
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

	public CircuitBreaker breaker() {
		return this.breaker;
	}

	public CommandStatistics statistics() {
		return this.statistics;
	}

	/** Closes the connections, so that they are opened anew. */
	public void drop() {
		closeAll();
	}

	private @Nullable StatefulConnection<String, String> channel() {
		return channel(this.connection);
	}

	private static @Nullable StatefulConnection<String, String> channel(Connector.@Nullable Connection connection) {
		return (connection != null) ? connection.channel() : null;
	}

	private static boolean isOpen(@Nullable StatefulConnection<String, String> connection) {
		return connection != null && connection.isOpen();
	}

	private void openWhatIsNot() {
		try {
			if (!isOpen(channel())) {
				close(channel());
				this.connection = this.connector.connect();
			}
			if (!isOpen(this.subscription)) {
				close(this.subscription);
				subscribe();
			}
			if (this.needsAside && !isOpen(channel(this.aside))) {
				close(channel(this.aside));
				this.aside = this.connector.connect();
			}
			tell(false, null);
		}
		catch (RedisException ex) {
			tell(true, ex);
		}
		finally {
			this.opening.set(false);
			if (this.closed) {
				closeAll();
			}
		}
	}

	private void subscribe() {
		StatefulRedisPubSubConnection<String, String> subscription = this.connector.subscribe();
		subscription.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String message) {
				RedisConnections.this.messages.accept(channel, message);
			}

			@Override
			public void subscribed(String channel, long count) {
				if (count == RedisConnections.this.channels.length) {
					RedisConnections.this.subscribed.run();
				}
			}

		});
		try {
			subscription.sync().subscribe(this.channels);
		}
		catch (RedisException ex) {
			close(subscription);
			throw ex;
		}
		this.subscription = subscription;
	}

	private void tell(boolean away, @Nullable RedisException cause) {
		if (away && !this.away) {
			LOGGER.log(System.Logger.Level.WARNING, "Redis cannot be reached, and will be tried again", cause);
		}
		else if (!away && this.away) {
			LOGGER.log(System.Logger.Level.INFO, "Redis can be reached again");
		}
		this.away = away;
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
		return send((commands) -> {
			CompletableFuture<T> result = new CompletableFuture<>();
			CompletionStage<T> known = commands.evalsha(script.digest(), type, keys, arguments);
			known.whenComplete((reply, failure) -> {
				if (failure instanceof RedisNoScriptException) {
					CompletionStage<T> unknown = commands.eval(script.text(), type, keys, arguments);
					unknown.whenComplete((late, cause) -> complete(result, late, cause));
				}
				else {
					complete(result, reply, failure);
				}
			});
			return result;
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
		return send(this.connection, command);
	}

	/** Sends commands that hold up a connection, as {@link #send} does others. */
	<T> CompletableFuture<T> sendAside(
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return send(this.aside, command);
	}

	private <T> CompletableFuture<T> send(Connector.@Nullable Connection connection,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		if (connection == null || !connection.channel().isOpen()) {
			return CompletableFuture.failedFuture(new StoreUnavailableException("Redis is not connected"));
		}
		CompletableFuture<T> result = new CompletableFuture<>();
		long sentAt = System.nanoTime();
		try {
			CompletionStage<T> sent = command.apply(connection.commands());
			this.unanswered.incrementAndGet();
			sent.whenComplete((reply, failure) -> {
				this.lastAnswerNanos = System.nanoTime() - sentAt;
				if (failure != null && isMasterNoMore(failure)) {
					close(connection.channel());
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

	private static boolean isMasterNoMore(Throwable failure) {
		return error(cause(failure)).equals("READONLY");
	}

	/** Returns the first word of what the server has answered, if it was an error. */
	private static String error(Throwable cause) {
		Matcher error = ERROR.matcher(String.valueOf(cause.getMessage()));
		return (cause instanceof RedisCommandExecutionException && error.lookingAt()) ? error.group(1) : "";
	}

	private static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Returns whether a command may have been run, or may still be, that has failed. It
	 * was not if it was never sent, or if an error was the answer.
	 */
	public static boolean mayBeRun(Throwable failure) {
		Throwable cause = cause(failure).getCause();
		return cause != null && !(cause instanceof RedisCommandExecutionException);
	}

	private static <T> void complete(CompletableFuture<T> result, @Nullable T reply, @Nullable Throwable failure) {
		if (failure == null) {
			result.complete(reply);
		}
		else {
			Throwable cause = cause(failure);
			result.completeExceptionally((cause instanceof StoreUnavailableException) ? cause
					: new StoreUnavailableException("Redis failed: " + cause.getMessage(), cause));
		}
	}

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
	public <T> T await(CompletableFuture<T> answer, long since) {
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
			throw (ex.getCause() instanceof StoreUnavailableException unavailable) ? unavailable
					: new StoreUnavailableException("Redis failed: " + ex.getCause(), ex);
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

	/** Notes how a command went that somebody waited for. */
	private void note(long since, @Nullable Throwable failure) {
		Throwable cause = (failure instanceof StoreUnavailableException) ? failure.getCause() : failure;
		if (failure == null) {
			this.breaker.succeeded();
			this.statistics.answer(System.nanoTime() - since);
		}
		else if (cause != null) {
			this.statistics.fail();
			if (!(cause instanceof RedisCommandExecutionException) || UNABLE.contains(error(cause))) {
				this.breaker.failed();
			}
		}
	}

	/**
	 * Rejects to go on to {@link #await} on a thread that must not block; for calls that
	 * would change something first.
	 * @throws IllegalStateException on such a thread
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
		long since = System.nanoTime();
		CompletableFuture<T> timed = answer.copy();
		if (!timed.isDone()) {
			try {
				Future<?> alarm = this.timer.schedule(() -> timed.completeExceptionally(late()), this.timeout.toNanos(),
						TimeUnit.NANOSECONDS);
				timed.whenComplete((reply, failure) -> alarm.cancel(false));
			}
			catch (RejectedExecutionException ex) {
				timed.completeExceptionally(new StoreUnavailableException("The store is closed"));
			}
		}
		timed.whenComplete((reply, failure) -> note(since, (failure != null) ? cause(failure) : null));
		return timed;
	}

	/** Closes the connections; no message is taken after that. */
	@Override
	public void close() {
		this.closed = true;
		if (!this.opening.get()) {
			closeAll().completeOnTimeout(null, this.timeout.toNanos(), TimeUnit.NANOSECONDS)
				.exceptionally((failure) -> null)
				.join();
		}
	}

	private CompletableFuture<Void> closeAll() {
		return CompletableFuture.allOf(close(channel()), close(this.subscription), close(channel(this.aside)));
	}

	private static CompletableFuture<Void> close(@Nullable StatefulConnection<String, String> connection) {
		if (connection == null || connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed()) {
			return CompletableFuture.completedFuture(null);
		}
		return connection.closeAsync();
	}

	/** Runs a script whose answer is a list. */
	public CompletableFuture<List<Object>> ask(Script script, String[] keys, String... arguments) {
		return run(script, ScriptOutputType.MULTI, keys, arguments);
	}

}
