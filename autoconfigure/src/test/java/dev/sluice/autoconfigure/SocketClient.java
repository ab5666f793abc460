package dev.sluice.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** A WebSocket client that keeps what it receives, in order. */
final class SocketClient implements WebSocket.Listener, AutoCloseable {

	static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private final CompletableFuture<Integer> closed = new CompletableFuture<>();

	private final StringBuilder parts = new StringBuilder();

	private final WebSocket socket;

	private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

	SocketClient(int port, String path) {
		this(port, path, "http://localhost:" + port);
	}

	SocketClient(int port, String path, String origin, String... protocols) {
		WebSocket.Builder builder = HTTP.newWebSocketBuilder().header("Origin", origin);
		if (protocols.length > 0) {
			builder.subprotocols(protocols[0], Arrays.copyOfRange(protocols, 1, protocols.length));
		}
		this.socket = builder.buildAsync(URI.create("ws://localhost:" + port + path), this).join();
	}

	/** Sends a text behind those sent before; does not wait. */
	void send(String text) {
		this.sent = this.sent.thenCompose((before) -> this.socket.sendText(text, true));
	}

	void sendBinary(byte[] bytes) {
		this.sent = this.sent.thenCompose((before) -> this.socket.sendBinary(ByteBuffer.wrap(bytes), true));
	}

	/** Whether the server has taken all that was sent, or its buffers have. */
	boolean hasSentAll() {
		return this.sent.isDone();
	}

	String next() throws InterruptedException {
		String text = this.received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		assertThat(text).as("message within " + PATIENCE).isNotNull();
		return text;
	}

	List<String> next(int count) throws InterruptedException {
		List<String> texts = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			texts.add(next());
		}
		return texts;
	}

	/** Waits for the close frame and returns its code. */
	int closeCode() {
		return this.closed.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
	}

	boolean isClosed() {
		return this.closed.isDone();
	}

	@Override
	public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
		this.parts.append(data);
		if (last) {
			this.received.add(this.parts.toString());
			this.parts.setLength(0);
		}
		webSocket.request(1);
		return null;
	}

	@Override
	public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
		this.closed.complete(statusCode);
		return null;
	}

	@Override
	public void onError(WebSocket webSocket, Throwable error) {
		this.closed.completeExceptionally(error);
	}

	@Override
	public void close() {
		if (!isClosed()) {
			this.sent.thenCompose((all) -> this.socket.sendClose(WebSocket.NORMAL_CLOSURE, ""))
				.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
				.join();
		}
	}

}
