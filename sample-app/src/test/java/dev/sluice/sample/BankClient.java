package dev.sluice.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** A customer at the other end of a real socket. */
final class BankClient implements WebSocket.Listener, AutoCloseable {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final Pattern NUMBER = Pattern.compile(",\"seq\":\\d+}$");

	private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();

	private final StringBuilder partial = new StringBuilder();

	private final WebSocket socket;

	/** A customer of the bank, who has a new session, and does not look at numbers. */
	BankClient(int port) {
		this(port, "/bank");
		send("{\"type\":\"resume\"}");
		assertThat(receive()).startsWith("{\"type\":\"session\"");
	}

	BankClient(int port, String path) {
		this.socket = HTTP.newWebSocketBuilder().buildAsync(URI.create("ws://localhost:" + port + path), this).join();
	}

	/** Sends the messages back to back, waiting for no answer. */
	BankClient send(String... messages) {
		for (String message : messages) {
			this.socket.sendText(message, true).join();
		}
		return this;
	}

	BankClient sendBinary(byte... message) {
		this.socket.sendBinary(ByteBuffer.wrap(message), true).join();
		return this;
	}

	BankClient deposit(int amount) {
		return send("{\"type\":\"deposit\",\"amount\":%d}".formatted(amount));
	}

	BankClient withdraw(int amount) {
		return send("{\"type\":\"withdraw\",\"amount\":%d}".formatted(amount));
	}

	String receive() {
		return receive(1).get(0);
	}

	List<String> receive(int count) {
		List<String> received = new ArrayList<>();
		while (received.size() < count) {
			received.add(next(received));
		}
		return received;
	}

	private String next(List<String> before) {
		try {
			String frame = this.frames.poll(30, TimeUnit.SECONDS);
			assertThat(frame).as("frame after %s", before).isNotNull();
			return frame;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.partial.append(data);
		if (last) {
			this.frames.add(NUMBER.matcher(this.partial).replaceFirst("}"));
			this.partial.setLength(0);
		}
		socket.request(1);
		return null;
	}

	@Override
	public CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
		this.frames.add("closed " + statusCode);
		return null;
	}

	/** Loses the connection. */
	void abort() {
		this.socket.abort();
	}

	@Override
	public void close() {
		this.socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
	}

}
