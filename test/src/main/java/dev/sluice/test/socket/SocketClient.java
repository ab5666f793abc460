package dev.sluice.test.socket;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A WebSocket client for tests. It queues the received texts in order and returns them
 * one by one; {@link #next()} waits for at most {@link #PATIENCE}. <pre class="code">
 * try (SocketClient client = new SocketClient(port, "/echo")) {
 *     client.send("hello");
 *     assertThat(client.next()).isEqualTo("You said: hello");
 * }
 * </pre> An instance is used by one thread; messages arrive on other threads.
 *
 * @since 0.1.0
 */
public final class SocketClient implements AutoCloseable {

	/** Time limit of each waiting method: 30 seconds. */
	public static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	/** The texts, and an empty value behind the last one. */
	private final BlockingQueue<Optional<String>> received = new LinkedBlockingQueue<>();

	private final CompletableFuture<Integer> closed = new CompletableFuture<>();

	private final WebSocket socket;

	private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

	private volatile boolean reading = true;

	/** Whether this client has ended the connection. */
	private volatile boolean ended;

	private volatile @Nullable String closeReason;

	/**
	 * Connects to a server on this machine like a page of the same origin.
	 * @param port the server's port
	 * @param path the path, which may have a query
	 * @throws CompletionException if the handshake fails; its cause is a
	 * {@link java.net.http.WebSocketHandshakeException} where the server rejected it, and
	 * a {@link java.net.http.HttpTimeoutException} if it does not answer in time
	 */
	public SocketClient(int port, String path) {
		this(port, path, "http://localhost:" + port);
	}

	/**
	 * Connects to a server on this machine like a page of the given origin.
	 * @param port the server's port
	 * @param path the path, which may have a query
	 * @param origin the origin of the page, such as {@code https://example.org}, or the
	 * text {@code null}; a sub-protocol in its place is rejected
	 * @param protocols the sub-protocols to offer, the preferred one first
	 * @throws IllegalArgumentException if {@code origin} has no scheme and is not the
	 * text {@code null}
	 * @throws CompletionException if the handshake fails; its cause is a
	 * {@link java.net.http.WebSocketHandshakeException} where the server rejected it, and
	 * a {@link java.net.http.HttpTimeoutException} if it does not answer in time
	 */
	public SocketClient(int port, String path, String origin, String... protocols) {
		this(port, path, checked(origin), (handshake) -> {
			if (protocols.length > 0) {
				handshake.subprotocols(protocols[0], Arrays.copyOfRange(protocols, 1, protocols.length));
			}
		});
	}

	/**
	 * Connects to a server on this machine like a page of the same origin, with a
	 * customized handshake, for example with the header {@code Authorization}.
	 * @param port the server's port
	 * @param path the path, which may have a query
	 * @param handshake the callback that customizes the handshake; called once, on the
	 * calling thread
	 * @throws CompletionException if the handshake fails; its cause is a
	 * {@link java.net.http.WebSocketHandshakeException} where the server rejected it, and
	 * a {@link java.net.http.HttpTimeoutException} if it does not answer in time
	 */
	public SocketClient(int port, String path, Consumer<WebSocket.Builder> handshake) {
		this(port, path, "http://localhost:" + port, handshake);
	}

	private static String checked(String origin) {
		if (!origin.contains("://") && !origin.equals("null")) {
			throw new IllegalArgumentException("'origin' must begin with a scheme, as 'http://localhost:8080' does: '"
					+ origin + "'; sub-protocols follow the origin");
		}
		return origin;
	}

	private SocketClient(int port, String path, String origin, Consumer<WebSocket.Builder> handshake) {
		WebSocket.Builder builder = HTTP.newWebSocketBuilder().connectTimeout(PATIENCE).header("Origin", origin);
		handshake.accept(builder);
		this.socket = builder.buildAsync(URI.create("ws://localhost:" + port + path), new Listener()).join();
	}

	/**
	 * Sends a text after all earlier messages. Does not wait. If the server has ended the
	 * connection, the text is not sent.
	 * @param text the text
	 * @throws IllegalStateException if this client is closed
	 */
	public void send(String text) {
		requireOpen();
		this.sent = this.sent.thenCompose((before) -> this.socket.sendText(text, true));
	}

	/**
	 * Sends bytes after all earlier messages. Does not wait. If the server has ended the
	 * connection, the bytes are not sent.
	 * @param bytes the bytes
	 * @throws IllegalStateException if this client is closed
	 */
	public void sendBinary(byte[] bytes) {
		requireOpen();
		this.sent = this.sent.thenCompose((before) -> this.socket.sendBinary(ByteBuffer.wrap(bytes), true));
	}

	private void requireOpen() {
		if (this.ended) {
			throw new IllegalStateException("The client is closed, and sends no more messages");
		}
	}

	/**
	 * Returns whether all messages have been sent, to the server or to the network
	 * buffers.
	 * @return {@code true} if no message is waiting to be sent
	 */
	public boolean hasSentAll() {
		return this.sent.isDone();
	}

	/**
	 * Stops reading. One more message is received and none after it, not even a ping.
	 */
	public void stopReading() {
		this.reading = false;
	}

	/** Resumes reading after {@link #stopReading()}. */
	public void resumeReading() {
		this.reading = true;
		this.socket.request(1);
	}

	/**
	 * Waits for the next text.
	 * @return the text
	 * @throws AssertionError if no text arrives in time, or the connection has ended and
	 * all texts are returned
	 * @throws InterruptedException if the thread is interrupted while waiting
	 */
	public String next() throws InterruptedException {
		Optional<String> text = this.received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		if (text == null) {
			throw new AssertionError("No message within " + PATIENCE);
		}
		if (text.isEmpty()) {
			this.received.add(text);
			throw new AssertionError("No message: the connection is closed" + describeEnd());
		}
		return text.get();
	}

	/**
	 * Waits for a number of texts.
	 * @param count the number of texts
	 * @return the texts, in the order of their arrival
	 * @throws AssertionError if a text does not arrive in time
	 * @throws InterruptedException if the thread is interrupted while waiting
	 */
	public List<String> next(int count) throws InterruptedException {
		List<String> texts = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			texts.add(next());
		}
		return texts;
	}

	/**
	 * Waits for the server to close the connection.
	 * @return the code of its close frame; 1006 if the connection ended without one
	 * @throws AssertionError if the connection is not closed in time
	 */
	public int closeCode() {
		try {
			return this.closed.copy().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof TimeoutException) {
				throw new AssertionError("The connection is not closed within " + PATIENCE);
			}
			throw ex;
		}
	}

	/**
	 * Returns the close reason of the server.
	 * @return the reason of its close frame, or {@code null} before that frame arrives
	 */
	public @Nullable String closeReason() {
		return this.closeReason;
	}

	/**
	 * Returns whether the connection has ended.
	 * @return {@code true} if it has ended, for any reason
	 */
	public boolean isClosed() {
		return this.closed.isDone();
	}

	/** Ends the connection without a close frame. */
	public void abort() {
		this.ended = true;
		this.socket.abort();
	}

	/**
	 * Closes the connection with code 1000 after all earlier messages, and waits until
	 * they are sent. Has no effect if the connection has already ended.
	 */
	@Override
	public void close() {
		this.ended = true;
		if (!isClosed() && !this.socket.isOutputClosed()) {
			try {
				this.sent.thenCompose((all) -> this.socket.sendClose(WebSocket.NORMAL_CLOSURE, ""))
					.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
					.join();
			}
			catch (CompletionException ex) {
				if (!(ex.getCause() instanceof IOException)) {
					throw ex;
				}
			}
		}
	}

	private String describeEnd() {
		return " with " + this.closed.join() + ((this.closeReason != null) ? " " + this.closeReason : "");
	}

	/** Receives. */
	private final class Listener implements WebSocket.Listener {

		private static final int CLOSED_ABNORMALLY = 1006;

		private final StringBuilder parts = new StringBuilder();

		@Override
		public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
			this.parts.append(data);
			if (last) {
				SocketClient.this.received.add(Optional.of(this.parts.toString()));
				this.parts.setLength(0);
			}
			if (SocketClient.this.reading) {
				webSocket.request(1);
			}
			return null;
		}

		@Override
		public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
			SocketClient.this.closeReason = reason;
			end(statusCode);
			return null;
		}

		@Override
		public void onError(WebSocket webSocket, Throwable error) {
			end(CLOSED_ABNORMALLY);
		}

		private void end(int statusCode) {
			SocketClient.this.closed.complete(statusCode);
			SocketClient.this.received.add(Optional.empty());
		}

	}

}
