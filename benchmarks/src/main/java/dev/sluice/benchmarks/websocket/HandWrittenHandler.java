package dev.sluice.benchmarks.websocket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import com.google.common.util.concurrent.MoreExecutors;
import io.github.bucket4j.Bucket;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * Order, safe sends and a limit for each session, written by hand with what Spring, Guava
 * and Bucket4j provide.
 */
final class HandWrittenHandler extends TextWebSocketHandler {

	/** Permits a second of a session, too many to be used up. */
	static final int RATE = 1_000_000;

	private static final int SEND_TIME_LIMIT_MILLIS = 10_000;

	private static final int BUFFER_SIZE_LIMIT = 512 * 1024;

	private final Map<String, Client> clients = new ConcurrentHashMap<>();

	private final EchoServer.Answer answer;

	private final Executor pool;

	HandWrittenHandler(EchoServer.Answer answer, Executor pool) {
		this.answer = answer;
		this.pool = pool;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) {
		Bucket bucket = Bucket.builder()
			.addLimit((limit) -> limit.capacity(RATE).refillGreedy(RATE, Duration.ofSeconds(1)))
			.build();
		this.clients.put(session.getId(),
				new Client(new ConcurrentWebSocketSessionDecorator(session, SEND_TIME_LIMIT_MILLIS, BUFFER_SIZE_LIMIT),
						MoreExecutors.newSequentialExecutor(this.pool), bucket));
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) {
		Client client = Objects.requireNonNull(this.clients.get(session.getId()));
		client.tasks.execute(() -> {
			try {
				if (client.bucket.tryConsume(1)) {
					this.answer.give(client.session, message);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		this.clients.remove(session.getId());
	}

	/** State of a session. */
	private record Client(WebSocketSession session, Executor tasks, Bucket bucket) {
	}

}
