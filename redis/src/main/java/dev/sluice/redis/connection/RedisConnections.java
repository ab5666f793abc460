package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/** Connections of a store, which are opened again when they are lost. */
public final class RedisConnections implements AutoCloseable {

	/*
	 * The owner calls "watch" at an interval. It opens closed connections, on a thread of
	 * its own, as that may block. Successive attempts have a pause that grows to half a
	 * second, so a server that accepts connections and rejects commands gets no more
	 * attempts than a server that is down. The owner is notified of each new connection
	 * for messages, as messages sent before it are lost. A lost connection is closed
	 * first if the connector has not closed it, as its client might reopen it and repeat
	 * unanswered commands.
	 *
	 * A command may stay without a reply on an open connection whose other commands are
	 * answered: the client has lost it, or the connection to one master of a cluster is
	 * dead. Calls for its key wait for it. Such a connection is therefore closed after
	 * the time of ten replies, as it is when probes have no reply.
	 *
	 * Attacked by RedisFaultTests, RedisConnectionsTests and RedisResentCommandTests.
	 */

	/** Time after which an attempt without a reply counts as failed for now. */
	private static final Duration LATE = Duration.ofSeconds(1);

	/** Number of timeouts that a command may be without a reply. */
	private static final int SILENT_TIMEOUTS = 10;

	private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();

	/** Time without an attempt after which the next one is made at once. */
	private static final long QUIET = Duration.ofSeconds(5).toNanos();

	private final Connector connector;

	private final Duration timeout;

	/** Time after which a command without a reply has none to come, in nanoseconds. */
	private final long silence;

	private final BiConsumer<String, String> messages;

	private final Consumer<Set<String>> subscribed;

	private final AtomicBoolean opening = new AtomicBoolean();

	private volatile Connector.@Nullable Connection commands;

	private volatile @Nullable Subscription subscription;

	private volatile Connector.@Nullable Connection blocking;

	private volatile Channels channels;

	private volatile boolean needsBlocking;

	private volatile @Nullable RedisException failure;

	private volatile long attemptedAt = System.nanoTime() - QUIET;

	/** Time of the begin of the attempt that is under way. */
	private volatile @Nullable Long openingSince;

	private volatile long pause;

	private volatile boolean closed;

	/**
	 * Creates an instance without open connections.
	 * @param connector the connector that opens connections
	 * @param timeout the maximum time for closing, and the timeout of a command
	 * @param channels the channels to subscribe to
	 * @param messages the consumer of channel and message, called on an event loop
	 * @param subscribed the callback for channels that have been subscribed to, called on
	 * any thread
	 */
	public RedisConnections(Connector connector, Duration timeout, Channels channels,
			BiConsumer<String, String> messages, Consumer<Set<String>> subscribed) {
		this.connector = connector;
		this.timeout = timeout;
		this.silence = TimeUnit.NANOSECONDS.convert(timeout.multipliedBy(SILENT_TIMEOUTS));
		this.channels = channels;
		this.messages = messages;
		this.subscribed = subscribed;
	}

	/** Adds a connection for blocking commands. */
	public void needBlocking() {
		this.needsBlocking = true;
	}

	/** Changes the channels; takes effect with the next opening of connections. */
	public void listenTo(Channels channels) {
		this.channels = channels;
	}

	/** Opens the connections if the server is available. */
	public void open() {
		this.opening.set(true);
		openClosed();
	}

	/** Closes a silent connection, and opens closed connections in the background. */
	public void watch() {
		Connector.Connection commands = this.commands;
		if (commands != null && commands.isSilentFor(this.silence)) {
			Connector.close(commands.channel());
		}
		if (isOpen() || this.closed || !isDue() || !this.opening.compareAndSet(false, true)) {
			return;
		}
		Thread thread = new Thread(this::openClosed, "sluice-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	private boolean isDue() {
		long since = System.nanoTime() - this.attemptedAt;
		return since >= QUIET || since >= this.pause;
	}

	/**
	 * Returns the failure of the last attempt to open connections, if it failed, or of
	 * the present attempt, if it takes long.
	 */
	public @Nullable RedisException failure() {
		RedisException known = this.failure;
		Long since = this.openingSince;
		boolean late = since != null && System.nanoTime() - since > LATE.toNanos();
		return (known == null && late)
				? new RedisCommandTimeoutException("Redis did not answer an attempt to connect within " + LATE) : known;
	}

	/** Returns whether all connections are open. */
	public boolean isOpen() {
		return isConnected() && isSubscribed() && (!this.needsBlocking || isOpen(channel(this.blocking)));
	}

	private boolean isSubscribed() {
		Subscription subscription = this.subscription;
		Channels channels = this.channels;
		return channels.groups().isEmpty() ? subscription == null
				: subscription != null && subscription.isSubscribedTo(channels);
	}

	/** Returns whether commands can be sent. */
	public boolean isConnected() {
		return isOpen(channel(this.commands));
	}

	/** Returns the connection for commands, or {@code null}. */
	Connector.@Nullable Connection commands() {
		return this.commands;
	}

	/** Returns the connection for blocking commands, or {@code null}. */
	Connector.@Nullable Connection blocking() {
		return this.blocking;
	}

	private static @Nullable StatefulConnection<String, String> channel(Connector.@Nullable Connection connection) {
		return (connection != null) ? connection.channel() : null;
	}

	private static boolean isOpen(@Nullable StatefulConnection<String, String> connection) {
		return connection != null && connection.isOpen();
	}

	private void openClosed() {
		long now = System.nanoTime();
		this.pause = (now - this.attemptedAt >= QUIET) ? FIRST_PAUSE : Math.min(2 * this.pause, LONGEST_PAUSE);
		this.attemptedAt = now;
		this.openingSince = now;
		try {
			this.commands = opened(this.commands);
			subscribe(this.channels);
			if (this.needsBlocking) {
				this.blocking = opened(this.blocking);
			}
			this.failure = null;
		}
		catch (RedisException ex) {
			this.failure = ex;
		}
		finally {
			this.openingSince = null;
			this.opening.set(false);
			if (this.closed) {
				drop();
			}
		}
	}

	private Connector.Connection opened(Connector.@Nullable Connection connection) {
		if (connection != null && connection.channel().isOpen()) {
			return connection;
		}
		Connector.close(channel(connection));
		if (connection != null) {
			connection.failUnanswered();
		}
		return this.connector.connections().get();
	}

	private void subscribe(Channels channels) {
		Subscription subscription = this.subscription;
		boolean needed = !channels.groups().isEmpty();
		if (subscription != null && (!needed || !subscription.isOpen())) {
			subscription.close();
			this.subscription = null;
			subscription = null;
		}
		if (!needed) {
			return;
		}
		if (subscription == null) {
			subscription = new Subscription(this.connector.subscriptions().get(), this.messages, this.subscribed);
			this.subscription = subscription;
		}
		if (!subscription.isSubscribedTo(channels)) {
			subscription.listenTo(channels);
		}
	}

	/** Closes the connections, so that they are opened again. */
	public CompletableFuture<Void> drop() {
		Subscription subscription = this.subscription;
		CompletableFuture<Void> silent = (subscription != null) ? subscription.close()
				: CompletableFuture.completedFuture(null);
		return CompletableFuture.allOf(Connector.close(channel(this.commands)), silent,
				Connector.close(channel(this.blocking)));
	}

	/** Closes the connections; no message is passed on after that. */
	@Override
	public void close() {
		this.closed = true;
		if (!this.opening.get()) {
			drop().completeOnTimeout(null, this.timeout.toNanos(), TimeUnit.NANOSECONDS)
				.exceptionally((failure) -> null)
				.join();
		}
	}

}
