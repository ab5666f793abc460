package dev.sluice.compatibility;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client of SockJS over HTTP: one request that streams what the server sends, renewed
 * when the server ends it, and one request after the other for what the client sends.
 */
final class XhrLink implements Link {

	private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/** Reads what the server streams, a thread for each client. */
	private static final Executor READERS = Executors.newCachedThreadPool((reading) -> {
		Thread thread = new Thread(reading, "reader");
		thread.setDaemon(true);
		return thread;
	});

	private final CountDownLatch open = new CountDownLatch(1);

	private final String url;

	private final SockJsFrames frames;

	private final Consumer<String> ended;

	private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

	private volatile boolean over;

	XhrLink(int port, String path, Consumer<String> received, Consumer<String> ended) {
		this.url = "http://localhost:" + port + path + "/000/" + UUID.randomUUID();
		this.frames = new SockJsFrames(received, this::end);
		this.ended = ended;
		receive();
		try {
			this.open.await(Inbox.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void receive() {
		HTTP.sendAsync(request("/xhr_streaming").POST(BodyPublishers.noBody()).build(), BodyHandlers.ofLines())
			.thenAcceptAsync((response) -> response.body().forEach(this::accept), READERS)
			.whenComplete((nothing, failure) -> {
				if (failure != null) {
					end("cut off");
				}
				else if (!this.over) {
					receive();
				}
			});
	}

	private void accept(String frame) {
		this.frames.accept(frame);
		if (frame.equals("o")) {
			this.open.countDown();
		}
	}

	private void end(String how) {
		if (!this.over) {
			this.over = true;
			this.ended.accept(how);
			this.open.countDown();
		}
	}

	@Override
	public synchronized void send(String text) {
		HttpRequest request = request("/xhr_send").POST(BodyPublishers.ofString(SockJsFrames.frame(text))).build();
		this.sent = this.sent.thenCompose((before) -> HTTP.sendAsync(request, BodyHandlers.discarding()));
	}

	private HttpRequest.Builder request(String transport) {
		return HttpRequest.newBuilder(URI.create(this.url + transport)).header("Content-Type", "application/json");
	}

	/** Leaves the server to find out, as pages do. */
	@Override
	public void close() {
		this.over = true;
	}

}
