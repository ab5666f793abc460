package dev.sluice.journal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Sends short texts and keeps what comes back. */
final class EchoClient implements WebSocket.Listener {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private final WebSocket socket;

	private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

	EchoClient(int port) {
		this.socket = HTTP.newWebSocketBuilder()
			.buildAsync(URI.create("ws://localhost:" + port + "/echo"), this)
			.join();
	}

	void send(String text) {
		this.sent = this.sent.thenCompose((before) -> this.socket.sendText(text, true));
	}

	/** Returns as many answers as come, up to the number, each within thirty seconds. */
	List<String> receive(int count) {
		List<String> answers = new ArrayList<>();
		try {
			String answer;
			while (answers.size() < count && (answer = this.received.poll(30, TimeUnit.SECONDS)) != null) {
				answers.add(answer);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return answers;
	}

	void close() {
		this.socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
	}

	@Override
	public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.received.add(data.toString());
		socket.request(1);
		return null;
	}

}
