package dev.sluice.autoconfigure;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.sluice.test.socket.SocketClient;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.web.socket.WebSocketHttpHeaders;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.messaging.WebSocketStompClient;

import static org.assertj.core.api.Assertions.assertThat;

/** A STOMP client that keeps what it receives, in order. */
final class StompClient extends StompSessionHandlerAdapter implements AutoCloseable {

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private final BlockingQueue<String> errors = new LinkedBlockingQueue<>();

	private final StompSession session;

	StompClient(int port, String path) throws InterruptedException, ExecutionException, TimeoutException {
		WebSocketStompClient client = new WebSocketStompClient(new StandardWebSocketClient());
		client.setInboundMessageSizeLimit(1024 * 1024);
		this.session = client.connectAsync("ws://localhost:" + port + path, new WebSocketHttpHeaders(), this)
			.get(SocketClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
	}

	/** Subscribes, and waits until the server has. */
	void subscribe(String destination) throws InterruptedException {
		this.session.subscribe(destination, this);
	}

	void send(String destination, String payload) {
		this.session.send(destination, payload.getBytes(StandardCharsets.UTF_8));
	}

	void send(String destination, String header, String value, String payload) {
		StompHeaders headers = new StompHeaders();
		headers.setDestination(destination);
		headers.set(header, value);
		this.session.send(headers, payload.getBytes(StandardCharsets.UTF_8));
	}

	boolean isConnected() {
		return this.session.isConnected();
	}

	String next() throws InterruptedException {
		return next(this.received);
	}

	List<String> next(int count) throws InterruptedException {
		List<String> texts = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			texts.add(next());
		}
		return texts;
	}

	/** Waits for an ERROR frame and returns its body. */
	String nextError() throws InterruptedException {
		return next(this.errors);
	}

	@Override
	public Type getPayloadType(StompHeaders headers) {
		return byte[].class;
	}

	@Override
	public void handleFrame(StompHeaders headers, @Nullable Object payload) {
		String text = (payload != null) ? new String((byte[]) payload, StandardCharsets.UTF_8) : "";
		((headers.getSubscription() != null) ? this.received : this.errors).add(text);
	}

	@Override
	public void handleException(StompSession session, @Nullable StompCommand command, StompHeaders headers,
			byte[] payload, Throwable exception) {
		this.errors.add(exception.toString());
	}

	@Override
	public void close() {
		if (this.session.isConnected()) {
			this.session.disconnect();
		}
	}

	private static String next(BlockingQueue<String> queue) throws InterruptedException {
		String text = queue.poll(SocketClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		assertThat(text).as("message within " + SocketClient.PATIENCE).isNotNull();
		return text;
	}

}
