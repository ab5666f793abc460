package com.example.existing;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator.OverflowStrategy;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * Keeps messages that a client does not read in a buffer of Spring's, from its own
 * threads.
 */
final class DecoratingHandler extends TextWebSocketHandler implements AutoCloseable {

	private static final int SEND_TIME = 20_000;

	private static final int SENDERS = 4;

	private final Map<String, WebSocketSession> decorated = new ConcurrentHashMap<>();

	private final ExecutorService senders = Executors.newFixedThreadPool(SENDERS);

	private final int buffer;

	private final OverflowStrategy overflow;

	DecoratingHandler(int buffer, OverflowStrategy overflow) {
		this.buffer = buffer;
		this.overflow = overflow;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) {
		this.decorated.put(session.getId(),
				new ConcurrentWebSocketSessionDecorator(session, SEND_TIME, this.buffer, this.overflow));
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) {
		int count = Integer.parseInt(message.getPayload());
		WebSocketSession target = Objects.requireNonNull(this.decorated.get(session.getId()));
		for (int sender = 0; sender < SENDERS; sender++) {
			this.senders.submit(() -> {
				for (int i = 0; i < count / SENDERS; i++) {
					target.sendMessage(new TextMessage(Work.message(i).repeat(100)));
				}
				return null;
			});
		}
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		this.decorated.remove(session.getId());
	}

	@Override
	public void close() {
		this.senders.shutdownNow();
	}

}
