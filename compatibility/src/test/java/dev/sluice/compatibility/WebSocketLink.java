package dev.sluice.compatibility;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A WebSocket of the JDK, which reads as fast as it can unless it is told to pause. */
final class WebSocketLink implements Link, WebSocket.Listener {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private final StringBuilder parts = new StringBuilder();

	private final Consumer<String> received;

	private final Consumer<String> ended;

	private final WebSocket socket;

	private CompletableFuture<WebSocket> sent;

	/** What is read waits for it. */
	private volatile CompletableFuture<Void> reading = CompletableFuture.completedFuture(null);

	WebSocketLink(int port, String path, Consumer<String> received, Consumer<String> ended) {
		this(port, path, received, ended, HTTP.newWebSocketBuilder());
	}

	private WebSocketLink(int port, String path, Consumer<String> received, Consumer<String> ended,
			WebSocket.Builder builder) {
		this.received = received;
		this.ended = ended;
		this.socket = builder.buildAsync(URI.create("ws://localhost:" + port + path), this).join();
		this.sent = CompletableFuture.completedFuture(this.socket);
	}

	/** Opens a link as a user whose password is the name. */
	static WebSocketLink open(Server server, String path, String user, Inbox inbox) {
		return new WebSocketLink(server.port(), server.path(path), inbox, inbox::end,
				HTTP.newWebSocketBuilder().header("Authorization", Server.authorization(user)));
	}

	@Override
	public void send(String text) {
		send(text, true);
	}

	/** Sends a part of a message behind those sent before. */
	synchronized void send(String part, boolean last) {
		this.sent = this.sent.thenCompose((before) -> this.socket.sendText(part, last));
	}

	@Override
	public synchronized void close() {
		this.sent = this.sent.thenCompose((before) -> this.socket.sendClose(WebSocket.NORMAL_CLOSURE, ""));
	}

	/** Ends the connection without a close frame. */
	void abort() {
		this.socket.abort();
	}

	/** Reads one more frame at most. */
	void pause() {
		this.reading = new CompletableFuture<>();
	}

	/** Goes on reading. */
	void resume() {
		this.reading.complete(null);
	}

	@Override
	public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
		this.parts.append(data);
		if (last) {
			this.received.accept(this.parts.toString());
			this.parts.setLength(0);
		}
		this.reading.thenRun(() -> webSocket.request(1));
		return null;
	}

	@Override
	public CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
		this.ended.accept("closed with " + statusCode);
		return null;
	}

	@Override
	public void onError(WebSocket webSocket, Throwable error) {
		this.ended.accept("cut off");
	}

}
