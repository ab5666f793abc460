package dev.sluice.websocket.journal;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessageJournal;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.outbound.SessionOutbound;
import dev.sluice.websocket.outbound.TestOutbound;
import dev.sluice.websocket.settings.SessionLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One record for each message that ended, whatever becomes of the journal. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class SentMessageRecorderTests {

	private final ExecutorService workers = Executors.newCachedThreadPool();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final FailingJournal journal = new FailingJournal();

	private SentMessageRecorder recorder = recorder(5);

	@AfterEach
	void stop() throws InterruptedException {
		this.recorder.stop();
		this.workers.shutdownNow();
		assertThat(this.workers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aMessageToAClientWhoseNameCannotBeReadIsRecorded() {
		this.recorder.start();
		StubSession session = new StubSession("unnamed") {

			@Override
			public Principal getPrincipal() {
				return () -> {
					throw new IllegalStateException("expected");
				};
			}

		};
		SessionJournal journal = new SessionJournal(this.recorder, session, "unnamed", false);
		journal.begin(new TextMessage("hello"), null, Level.NORMAL).ended(null);
		await().until(() -> this.journal.written.size() == 1);
		assertThat(this.journal.written.get(0)).returns(null, SentMessage::user);
	}

	@Test
	void aMessageIsRecordedWhenItWasSentWithItsSizeLevelAndTimes() {
		this.recorder.start();
		SessionOutbound outbound = outbound();
		outbound.send(new TextMessage("\u00e4"), Level.HIGH).join();
		outbound.send(new BinaryMessage(new byte[3]), Level.NORMAL).join();
		await().until(() -> this.journal.written.size() == 2);
		SentMessage text = this.journal.written.get(0);
		assertThat(text).returns("session", SentMessage::sessionId)
			.returns(Level.HIGH, SentMessage::level)
			.returns(2, SentMessage::size)
			.returns(SentMessage.Outcome.SENT, SentMessage::outcome);
		assertThat(text.sentAt()).isAfterOrEqualTo(text.queuedAt());
		assertThat(this.journal.written.get(1).size()).isEqualTo(3);
	}

	@Test
	void whatFailsOrIsRejectedIsRecordedAsFailedAndControlFramesAreNotRecorded() {
		this.recorder.start();
		SessionOutbound outbound = outbound();
		outbound.send(new TextMessage("\ud83d"), Level.NORMAL);
		outbound.send(new TextMessage("fail"), Level.NORMAL).exceptionally((ex) -> null).join();
		outbound.send(new PingMessage(), Level.HIGH).join();
		outbound.close(CloseStatus.NORMAL, Level.NORMAL);
		outbound.send(new TextMessage("too late"), Level.NORMAL);
		await().until(() -> this.journal.written.size() >= 3);
		this.recorder.stop();
		assertThat(this.journal.written).hasSize(3)
			.allMatch((message) -> message.outcome() == SentMessage.Outcome.FAILED);
	}

	@Test
	void recordsHaveTheOrderInWhichTheMessagesWereSent() {
		this.recorder.start();
		AtomicReference<SessionOutbound> outbound = new AtomicReference<>();
		outbound.set(outbound(new FailingSession() {
			@Override
			public void sendMessage(WebSocketMessage<?> message) throws IOException {
				if (message.getPayloadLength() == 1) {
					outbound.get().send(new TextMessage("22"), Level.NORMAL);
				}
				super.sendMessage(message);
			}
		}));
		outbound.get().send(new TextMessage("1"), Level.NORMAL);
		await().until(() -> this.journal.written.size() == 2);
		assertThat(this.journal.written).extracting(SentMessage::size).containsExactly(1, 2);
	}

	@Test
	void aJournalThatCannotWriteLosesNeitherMessagesNorRecords() {
		this.journal.failing = true;
		this.recorder = recorder(7);
		this.recorder.start();
		SessionOutbound outbound = outbound();
		for (int i = 0; i < 7; i++) {
			outbound.send(new BinaryMessage(new byte[i]), Level.NORMAL).join();
		}
		await().until(() -> this.journal.calls.size() > 1);
		assertThat(this.journal.written).isEmpty();
		this.journal.failing = false;
		await().until(() -> this.journal.written.size() == 7);
		assertThat(this.journal.written).extracting(SentMessage::size).containsExactly(0, 1, 2, 3, 4, 5, 6);
		assertThat(this.journal.calls.get(1)).isEqualTo(this.journal.calls.get(0));
	}

	@Test
	void aJournalThatFailsIsToldToTheLogOnceAndWhenItWritesAgain(CapturedOutput output) {
		this.journal.failing = true;
		this.recorder.start();
		outbound().send(new TextMessage("message"), Level.NORMAL).join();
		await().until(() -> this.recorder.consecutiveFailures() > 1);
		assertThat(output.getAll().split("journal of sent messages has failed", -1)).hasSize(2);
		assertThat(output).contains("java.io.IOException: expected");
		this.journal.failing = false;
		await().untilAsserted(() -> assertThat(output).contains("The journal of sent messages writes again ("));
		assertThat(this.recorder.consecutiveFailures()).isZero();
	}

	@Test
	void recordsThatFindNoPlaceGoToTheLog(CapturedOutput output) {
		this.journal.failing = true;
		this.recorder.start();
		SessionOutbound outbound = outbound();
		for (int i = 0; i < 10; i++) {
			outbound.send(new BinaryMessage(new byte[i]), Level.NORMAL).join();
		}
		await().until(() -> !this.journal.calls.isEmpty());
		this.journal.failing = false;
		await().until(() -> this.journal.written.size() + messages(output) == 10);
		assertThat(lines(output)).isNotEmpty()
			.allSatisfy((line) -> assertThat(line).contains(" B to session 'session'").contains("full"));
	}

	@Test
	void manyRecordsThatFindNoPlaceAreOneWarning(CapturedOutput output) {
		UnjournalledMessages unjournalled = new UnjournalledMessages();
		for (int i = 0; i < 1_000; i++) {
			unjournalled.add(new SentMessage("session", null, null, null, Level.NORMAL, i, Instant.EPOCH, Instant.EPOCH,
					SentMessage.Outcome.SENT), new IllegalStateException("expected"));
		}
		unjournalled.write();
		unjournalled.write();
		assertThat(lines(output)).singleElement()
			.asString()
			.contains("not journalled (1000 in all):", "SENT 9 B", "990 more")
			.doesNotContain("SENT 10 B");
	}

	@Test
	void whatIsLeftWhenItStopsAndWhatComesLaterGoesToTheLog(CapturedOutput output) {
		this.journal.failing = true;
		this.recorder.start();
		SessionOutbound outbound = outbound();
		for (int i = 0; i < 3; i++) {
			outbound.send(new BinaryMessage(new byte[i]), Level.NORMAL).join();
		}
		this.recorder.stop();
		assertThat(this.recorder.isRunning()).isFalse();
		await().untilAsserted(() -> assertThat(messages(output)).isEqualTo(3));
		outbound.send(new BinaryMessage(new byte[3]), Level.NORMAL).join();
		await().untilAsserted(() -> assertThat(messages(output)).isEqualTo(4));
		assertThat(String.join("", lines(output))).contains("0 B to", "1 B to", "2 B to", "3 B to");
	}

	@Test
	void whatComesWhileItStopsGoesToTheLog(CapturedOutput output) {
		CountDownLatch release = new CountDownLatch(1);
		this.journal.gate = release;
		this.recorder.start();
		SessionOutbound outbound = outbound();
		outbound.send(new BinaryMessage(new byte[1]), Level.NORMAL).join();
		await().until(() -> this.recorder.snapshot().slots().get(0).inFlight() == 1);
		this.recorder.stop(() -> {
		});
		outbound.send(new BinaryMessage(new byte[2]), Level.NORMAL).join();
		await().untilAsserted(() -> assertThat(lines(output)).singleElement().asString().contains("2 B to"));
		release.countDown();
		await().until(() -> !this.recorder.isRunning());
		assertThat(this.journal.written).singleElement().returns(1, SentMessage::size);
	}

	@Test
	void aJournalThatHangsDelaysNoMessage() {
		CountDownLatch release = new CountDownLatch(1);
		this.journal.gate = release;
		this.recorder.start();
		SessionOutbound outbound = outbound();
		List<CompletableFuture<?>> sent = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			sent.add(outbound.send(new TextMessage("message"), Level.NORMAL));
		}
		assertThat(CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)))
			.succeedsWithin(Duration.ofSeconds(20));
		release.countDown();
	}

	@Test
	void ofATextThatAClientMayChooseTheHeadIsKept() {
		this.recorder.start();
		SessionJournal journal = new SessionJournal(this.recorder, new FailingSession(), "session", true);
		TextMessage frame = new TextMessage("MESSAGE\ndestination:" + "d".repeat(1000) + "\n\nbody");
		journal.begin(frame, "t".repeat(1000), Level.NORMAL).ended(null);
		await().until(() -> !this.journal.written.isEmpty());
		assertThat(this.journal.written.get(0)).returns("d".repeat(256), SentMessage::destination)
			.returns("t".repeat(256), SentMessage::type);
	}

	@Test
	void theHeadOfATextEndsWithAWholeCharacter() {
		this.recorder.start();
		SessionJournal journal = new SessionJournal(this.recorder, new FailingSession(), "session", false);
		journal.begin(new TextMessage("body"), "t".repeat(255) + "\ud83d\ude00", Level.NORMAL).ended(null);
		await().until(() -> !this.journal.written.isEmpty());
		assertThat(this.journal.written.get(0)).returns("t".repeat(255), SentMessage::type);
	}

	@Test
	void theLoggingJournalWritesNoLineThatAClientHasChosen() {
		SentMessage message = new SentMessage("session", "ann", "balance", "/topic/a\nSENT", Level.NORMAL, 5,
				Instant.EPOCH, Instant.EPOCH, SentMessage.Outcome.SENT);
		assertThat(LoggingSentMessageJournal.line(message))
			.startsWith("SENT 5 B to session 'session', user 'ann', type 'balance',"
					+ " destination '/topic/a?SENT', level NORMAL");
	}

	@Test
	void theLoggingJournalWritesALineForEachMessage(CapturedOutput output) {
		this.recorder = SentMessageRecorder.builder(new LoggingSentMessageJournal(), this.workers)
			.pushInterval(Duration.ofMillis(10))
			.build();
		this.recorder.start();
		outbound().send(new TextMessage("hello"), Level.NORMAL).join();
		await().untilAsserted(() -> assertThat(output).contains("SENT 5 B to session 'session', level NORMAL"));
	}

	private SentMessageRecorder recorder(int maxWaiting) {
		return SentMessageRecorder.builder(this.journal, this.workers)
			.batchSize(2)
			.maxWaiting(maxWaiting)
			.pushInterval(Duration.ofMillis(10))
			.stopTimeout(Duration.ofMillis(200))
			.build();
	}

	private SessionOutbound outbound() {
		return outbound(new FailingSession());
	}

	private SessionOutbound outbound(StubSession session) {
		return new SessionOutbound(session, this.executor.queue("session"), "handler", SessionLimits.DEFAULTS.send(),
				() -> {
				}, TestOutbound.resources(this.workers, NanoClock.system(), SendOverflow.TERMINATE, this.recorder));
	}

	private static List<String> lines(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("Messages not journalled")).toList();
	}

	private static int messages(CapturedOutput output) {
		return lines(output).stream()
			.mapToInt((line) -> Integer
				.parseInt(line.replaceFirst(".*Messages not journalled \\((\\d+) in all\\): .*", "$1")))
			.sum();
	}

	private static final class FailingJournal implements SentMessageJournal {

		private final List<List<SentMessage>> calls = new CopyOnWriteArrayList<>();

		private final List<SentMessage> written = new CopyOnWriteArrayList<>();

		private volatile boolean failing;

		private volatile CountDownLatch gate = new CountDownLatch(0);

		@Override
		public void write(List<SentMessage> messages) throws Exception {
			this.gate.await();
			this.calls.add(messages);
			if (this.failing) {
				throw new IOException("expected");
			}
			this.written.addAll(messages);
		}

	}

	private static class FailingSession extends StubSession {

		FailingSession() {
			super("session");
		}

		@Override
		public void sendMessage(WebSocketMessage<?> message) throws IOException {
			if (message.getPayload().equals("fail")) {
				throw new IOException("expected");
			}
			super.sendMessage(message);
		}

	}

}
