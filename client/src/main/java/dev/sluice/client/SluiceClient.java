package dev.sluice.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Client of a WebSocket endpoint whose sessions resume. It connects when it is built and
 * reconnects after each loss of the connection, and continues its session at the last
 * positions until the session has ended. <pre class="code">
 * SluiceClient client = SluiceClient.builder(URI.create("wss://bank.example/rooms/7"), listener).connect();
 * client.send(Map.of("type", "say", "text", "hi"));
 * </pre> It has no thread of its own and blocks none. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class SluiceClient implements AutoCloseable {

	private final ResumingConnection connection;

	private SluiceClient(ClientOptions options) {
		this.connection = new ResumingConnection(options);
		this.connection.start();
	}

	/**
	 * Returns a builder of a client.
	 * @param uri the address of the endpoint, with the scheme {@code ws} or {@code wss}
	 * @param listener the callback for messages and events
	 * @return a builder
	 */
	public static Builder builder(URI uri, ClientListener listener) {
		return new Builder(uri, listener);
	}

	/**
	 * Sends a message of the application as JSON, after those sent before. Messages are
	 * not kept: a message may be lost with its connection. Never blocks.
	 * @param message the message, which becomes a JSON object whose {@code type}, if any,
	 * is neither {@code resume} nor {@code ack}
	 * @return whether the message was queued; {@code false} if the client has no session
	 * at this moment, or 1,000 messages wait to be sent
	 * @throws IllegalArgumentException if the message is not a JSON object, or has a type
	 * of the protocol
	 * @throws tools.jackson.core.JacksonException if the message cannot be written
	 */
	public boolean send(Object message) {
		return this.connection.send(message);
	}

	/**
	 * Returns the state.
	 * @return the state at this moment
	 */
	public ClientState state() {
		return this.connection.state();
	}

	/**
	 * Replaces the connection at once, or ends the wait for the next one. Without effect
	 * on a client that is closed.
	 */
	public void reconnect() {
		this.connection.reconnect();
	}

	/**
	 * Leaves the session, which a client with the same store may resume within the
	 * server's window. Messages that wait to be handled are dropped; a listener that runs
	 * is not interrupted. Does not wait.
	 */
	public void suspend() {
		this.connection.suspend();
	}

	/**
	 * Ends the session and removes it from the store. Without a connection, the server
	 * ends it after its window. Messages that wait to be handled are dropped; a listener
	 * that runs is not interrupted. Does not wait.
	 */
	@Override
	public void close() {
		this.connection.close();
	}

	/**
	 * Builder of a {@link SluiceClient}. To be used by one thread.
	 */
	public static final class Builder {

		private final URI uri;

		private final ClientListener listener;

		private Delivery delivery = Delivery.AT_LEAST_ONCE;

		private @Nullable SessionStore store;

		private @Nullable HttpClient httpClient;

		private Consumer<WebSocket.Builder> handshake = (builder) -> {
		};

		private Executor executor = ForkJoinPool.commonPool();

		private DelayScheduler scheduler = Builder::later;

		private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

		private Duration handshakeTimeout = Duration.ofSeconds(15);

		private Duration pingInterval = Duration.ofSeconds(20);

		private int queueCapacity = 10_000;

		private JsonMapper jsonMapper = JsonMapper.shared();

		private @Nullable Function<WebSocket.Listener, CompletionStage<WebSocket>> dialer;

		private Builder(URI uri, ClientListener listener) {
			if (!"ws".equalsIgnoreCase(uri.getScheme()) && !"wss".equalsIgnoreCase(uri.getScheme())) {
				throw new IllegalArgumentException("'uri' must have the scheme 'ws' or 'wss': " + uri);
			}
			this.uri = uri;
			this.listener = listener;
		}

		/**
		 * Sets when the position of a message is stored; at least once by default.
		 * @param delivery the delivery
		 * @return this builder
		 */
		public Builder delivery(Delivery delivery) {
			this.delivery = delivery;
			return this;
		}

		/**
		 * Sets the store of the token and the positions. By default there is no store,
		 * and the session ends with the client.
		 * @param store the store, for this client alone
		 * @return this builder
		 */
		public Builder store(SessionStore store) {
			this.store = store;
			return this;
		}

		/**
		 * Sets the HTTP client that makes the connections, with its TLS, proxy and
		 * authenticator; by default one that all clients share.
		 * @param httpClient the HTTP client
		 * @return this builder
		 */
		public Builder httpClient(HttpClient httpClient) {
			this.httpClient = httpClient;
			return this;
		}

		/**
		 * Sets a customizer of each handshake, for example to add a header.
		 * @param handshake called once for each connection; must not block
		 * @return this builder
		 */
		public Builder handshake(Consumer<WebSocket.Builder> handshake) {
			this.handshake = handshake;
			return this;
		}

		/**
		 * Sets the executor that runs the listener; by default the common pool. A
		 * listener that blocks needs threads of its own. If the executor rejects a task,
		 * the client is suspended.
		 * @param executor the executor
		 * @return this builder
		 */
		public Builder executor(Executor executor) {
			this.executor = executor;
			return this;
		}

		/**
		 * Sets the scheduler of reconnects, acknowledgements and pings; by default a
		 * timer of the JDK.
		 * @param scheduler the scheduler
		 * @return this builder
		 */
		public Builder scheduler(DelayScheduler scheduler) {
			this.scheduler = scheduler;
			return this;
		}

		/**
		 * Sets the source of random delays.
		 * @param random the generator, used under the lock of the client
		 * @return this builder
		 */
		public Builder random(RandomGenerator random) {
			this.random = random;
			return this;
		}

		/**
		 * Sets how long a connection may take until its session is opened or resumed; 15
		 * seconds by default.
		 * @param handshakeTimeout the time, more than zero
		 * @return this builder
		 * @throws IllegalArgumentException if the time is not more than zero
		 */
		public Builder handshakeTimeout(Duration handshakeTimeout) {
			this.handshakeTimeout = positive("handshakeTimeout", handshakeTimeout);
			return this;
		}

		/**
		 * Sets the interval between pings; 20 seconds by default. A connection that
		 * receives nothing between two pings counts as lost.
		 * @param pingInterval the time, more than zero
		 * @return this builder
		 * @throws IllegalArgumentException if the time is not more than zero
		 */
		public Builder pingInterval(Duration pingInterval) {
			this.pingInterval = positive("pingInterval", pingInterval);
			return this;
		}

		/**
		 * Sets how many messages may wait for the listener; 10,000 by default. When the
		 * queue is full, the client closes the connection, and resumes when half of the
		 * messages have been handled.
		 * @param queueCapacity the number, at least 1
		 * @return this builder
		 * @throws IllegalArgumentException if the number is less than 1
		 */
		public Builder queueCapacity(int queueCapacity) {
			if (queueCapacity < 1) {
				throw new IllegalArgumentException("'queueCapacity' must be at least 1: " + queueCapacity);
			}
			this.queueCapacity = queueCapacity;
			return this;
		}

		/**
		 * Sets the mapper that writes messages.
		 * @param jsonMapper the mapper
		 * @return this builder
		 */
		public Builder jsonMapper(JsonMapper jsonMapper) {
			this.jsonMapper = jsonMapper;
			return this;
		}

		/** Sets the factory of connections, for tests. */
		Builder dialer(Function<WebSocket.Listener, CompletionStage<WebSocket>> dialer) {
			this.dialer = dialer;
			return this;
		}

		/**
		 * Builds a client and starts to connect; does not block.
		 * @return the client
		 */
		public SluiceClient connect() {
			return new SluiceClient(new ClientOptions(this.listener, this.delivery, this.store,
					(this.dialer != null) ? this.dialer : dialer(), this.executor, this.scheduler, this.random,
					this.handshakeTimeout, this.pingInterval, this.queueCapacity, this.jsonMapper));
		}

		private Function<WebSocket.Listener, CompletionStage<WebSocket>> dialer() {
			HttpClient http = (this.httpClient != null) ? this.httpClient : SharedHttpClient.INSTANCE;
			URI address = this.uri;
			Duration timeout = this.handshakeTimeout;
			Consumer<WebSocket.Builder> customizer = this.handshake;
			return (connection) -> {
				WebSocket.Builder builder = http.newWebSocketBuilder().connectTimeout(timeout);
				customizer.accept(builder);
				return builder.buildAsync(address, connection);
			};
		}

		private static Duration positive(String name, Duration time) {
			if (time.isNegative() || time.isZero()) {
				throw new IllegalArgumentException("'" + name + "' must be more than zero: " + time);
			}
			return time;
		}

		private static CompletableFuture<?> later(Runnable task, Duration delay) {
			return CompletableFuture.runAsync(task,
					CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS));
		}

	}

	/** Shared by all clients, because it has its own thread. */
	private static final class SharedHttpClient {

		private static final HttpClient INSTANCE = HttpClient.newHttpClient();

	}

}
