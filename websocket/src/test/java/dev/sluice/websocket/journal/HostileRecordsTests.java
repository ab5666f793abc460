package dev.sluice.websocket.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.sluice.execution.Level;
import dev.sluice.test.trial.HostileValues;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.StubSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompEncoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Hostile ids, names of principals, types, destinations and texts in the journal: each
 * record has them unchanged, up to the length that {@link SentMessage} documents, and
 * each is one line of the log.
 */
@Timeout(120)
class HostileRecordsTests {

	private static final int MAX_LENGTH = 256;

	private final ExecutorService workers = Executors.newCachedThreadPool();

	private final Queue<SentMessage> written = new ConcurrentLinkedQueue<>();

	private final SentMessageRecorder recorder = SentMessageRecorder.builder(this.written::addAll, this.workers)
		.pushInterval(Duration.ofMillis(1))
		.build();

	@AfterEach
	void stop() {
		this.recorder.stop();
		this.workers.shutdownNow();
	}

	@Test
	void recordsHaveHostileTextsUnchanged() {
		attack(300);
	}

	@Tag("full")
	@Test
	void manyRecordsHaveHostileTextsUnchanged() {
		attack(5_000);
	}

	private void attack(int times) {
		HostileValues values = HostileValues.create();
		List<Expected> expected = new ArrayList<>();
		this.recorder.start();
		for (int number = 0; number < times; number++) {
			String user = values.text(300);
			boolean stomp = values.oneIn(2);
			String id = values.text(100);
			String destination = stomp ? values.encodable(300) : null;
			String type = stomp ? null : values.text(300);
			SessionJournal journal = new SessionJournal(this.recorder, session(user), id, stomp);
			WebSocketMessage<?> message = stomp ? frame(destination, values) : new TextMessage(values.word(60_000));
			SessionJournal.Entry entry = journal.begin(message, type, Level.NORMAL);
			assertThat(entry).isNotNull();
			entry.ended(values.oneIn(2) ? null : new IllegalStateException("expected"));
			expected.add(new Expected(id, cut(user), cut(type), cut(destination)));
		}
		await().until(() -> this.written.size() == times);
		assertThat(this.written.stream()
			.map((message) -> new Expected(message.sessionId(), message.user(), message.type(), message.destination())))
			.as("seed %s", values.seed())
			.containsExactlyElementsOf(expected);
		assertThat(this.written).as("seed %s", values.seed())
			.allSatisfy((message) -> assertThat(LoggingSentMessageJournal.line(message))
				.matches("[^\\p{Cc}\\u2028\\u2029]*"));
	}

	private static @Nullable String cut(@Nullable String text) {
		if (text == null || text.length() <= MAX_LENGTH) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
	}

	/** Returns a frame as Spring encodes it, as text or bytes. */
	private static WebSocketMessage<?> frame(String destination, HostileValues values) {
		StompHeaderAccessor headers = StompHeaderAccessor.create(StompCommand.MESSAGE);
		headers.addNativeHeader("other", values.encodable(50));
		headers.addNativeHeader("destination", destination);
		Message<byte[]> message = MessageBuilder.createMessage(values.encodable(500).getBytes(StandardCharsets.UTF_8),
				headers.getMessageHeaders());
		byte[] frame = new StompEncoder().encode(message);
		return values.oneIn(2) ? new BinaryMessage(ByteBuffer.wrap(frame))
				: new TextMessage(new String(frame, StandardCharsets.UTF_8));
	}

	/** Spring escapes nothing in CONNECTED, so that its name ends with the line. */
	@Test
	void userOfConnectIsTheLineOfItsHeader() {
		this.recorder.start();
		HostileValues values = HostileValues.create();
		List<String> users = new ArrayList<>();
		for (int number = 0; number < 300; number++) {
			String user = HostileValues.utf8(values.text(250)).replace("\n", "");
			SessionJournal journal = new SessionJournal(this.recorder, session("handshake"), "s", true);
			SessionJournal.Entry entry = journal
				.begin(new TextMessage("CONNECTED\nversion:1.2\nuser-name:" + user + "\n\n\0"), null, Level.NORMAL);
			assertThat(entry).isNotNull();
			entry.ended(null);
			users.add(user);
		}
		await().until(() -> this.written.size() == users.size());
		assertThat(this.written.stream().map(SentMessage::user)).as("seed %s", values.seed())
			.containsExactlyElementsOf(users);
	}

	private static StubSession session(String user) {
		return new StubSession("stub") {

			@Override
			public Principal getPrincipal() {
				return () -> user;
			}

		};
	}

	/** Texts of a record. */
	private record Expected(String id, @Nullable String user, @Nullable String type, @Nullable String destination) {
	}

}
