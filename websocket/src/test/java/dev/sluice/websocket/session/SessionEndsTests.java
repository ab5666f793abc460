package dev.sluice.websocket.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is handled and sent of what waits when a session ends, by how the application ends
 * it. The container sends when the test says.
 */
class SessionEndsTests {

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, this.outbound, this.sending::add)
		.control(this.sending::add)
		.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
		.build();

	private final List<Object> handled = new ArrayList<>();

	private final WebSocketHandler handler = this.dispatcher.decorate(new Echo());

	private final StubSession client = new StubSession("1");

	private ManagedSession session;

	@BeforeEach
	void open() throws Exception {
		this.handler.afterConnectionEstablished(this.client);
		this.session = this.dispatcher.sessions().get("1").orElseThrow();
		this.session.post("first");
	}

	@Test
	void closingComesBehindWhatWasSentAndBeforeWhatWasPosted() throws Exception {
		closes(() -> this.session.close(CloseStatus.SERVICE_RESTARTED));
	}

	@Test
	void closingAllDoesTheSameForEach() throws Exception {
		closes(() -> this.dispatcher.sessions().closeAll(CloseStatus.SERVICE_RESTARTED));
	}

	@Test
	void closingOneByItsIdDoesTheSame() throws Exception {
		WebSocketSessionManager sessions = this.dispatcher.sessions();
		assertThat(sessions.close("2", CloseStatus.SERVICE_RESTARTED)).isCompletedWithValue(false);
		CompletableFuture<Boolean> closed = new CompletableFuture<>();
		closes(() -> sessions.close("1", CloseStatus.SERVICE_RESTARTED).thenApply((found) -> {
			closed.complete(found);
			return found;
		}));
		assertThat(closed).isCompletedWithValue(true);
	}

	private void closes(Supplier<CompletableFuture<?>> closing) throws Exception {
		CompletableFuture<?> posted = this.session.post("posted");
		this.session.send("sent");
		CompletableFuture<?> closed = closing.get();
		CompletableFuture<?> again = this.session.close(CloseStatus.SERVER_ERROR);
		assertThat(this.session.isOpen()).isFalse();
		assertThat(this.session.send("late")).isCompletedExceptionally();
		send();
		assertThat(this.client.sent).containsExactly("first", "sent", CloseStatus.SERVICE_RESTARTED);
		assertThat(posted).isCompletedExceptionally();
		assertThat(closed).isNotDone();
		this.handler.afterConnectionClosed(this.client, CloseStatus.SERVICE_RESTARTED);
		assertThat(closed).isCompleted();
		assertThat(again).isCompleted();
	}

	@Test
	void drainingHandlesWhatWaitsSendsAllAndTakesNothingMore() throws Exception {
		drains(() -> this.session.drainAndClose());
	}

	@Test
	void drainingAllDoesTheSameForEach() throws Exception {
		drains(() -> this.dispatcher.sessions().drainAndCloseAll());
	}

	private void drains(Supplier<CompletableFuture<?>> draining) throws Exception {
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.NORMAL, () -> busy);
		this.handler.handleMessage(this.client, new TextMessage("waiting"));
		CompletableFuture<?> ended = draining.get();
		this.handler.handleMessage(this.client, new TextMessage("late"));
		send();
		assertThat(this.client.sent).containsExactly("first");
		this.session.post("second");
		busy.complete(null);
		this.session.close(CloseStatus.SERVER_ERROR);
		send();
		assertThat(this.handled).containsExactly("waiting");
		assertThat(this.client.sent).containsExactly("first", "second", "waiting", CloseStatus.NORMAL);
		assertThat(ended).isNotDone();
		this.handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		assertThat(ended).isCompleted();
	}

	@Test
	void aBroadcastThatIsSentGoesBeforeOneThatIsPosted() {
		CompletableFuture<Integer> posted = this.dispatcher.sessions().postToAll("posted");
		CompletableFuture<Integer> sent = this.dispatcher.sessions().sendToAll("sent");
		send();
		assertThat(this.client.sent).containsExactly("first", "sent", "posted");
		assertThat(posted).isCompletedWithValue(1);
		assertThat(sent).isCompletedWithValue(1);
	}

	@Test
	void aBroadcastCountsThoseWhoGotItOnly() throws Exception {
		StubSession other = new StubSession("2");
		this.handler.afterConnectionEstablished(other);
		CompletableFuture<Integer> sent = this.dispatcher.sessions().postToAll("news");
		this.session.abort();
		send();
		assertThat(other.sent).containsExactly("news");
		assertThat(sent).isCompletedWithValue(1);
	}

	@Test
	void whatWaitsToBeHandledIsForgottenOnceTheServerCloses() throws Exception {
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.NORMAL, () -> busy);
		this.handler.handleMessage(this.client, new TextMessage("waiting"));
		this.session.abort();
		this.handler.handleMessage(this.client, new TextMessage("late"));
		busy.complete(null);
		assertThat(this.handled).isEmpty();
	}

	@Test
	void whatCameBeforeAMessageThatIsTooLargeIsHandledAndTheCloseIsLast() throws Exception {
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.NORMAL, () -> busy);
		this.handler.handleMessage(this.client, new TextMessage("waiting"));
		this.handler.handleMessage(this.client, new TextMessage("x".repeat(65 * 1024)));
		this.handler.handleMessage(this.client, new TextMessage("late"));
		send();
		assertThat(this.client.sent).startsWith("first")
			.last()
			.asInstanceOf(InstanceOfAssertFactories.type(CloseStatus.class))
			.returns(CloseStatus.TOO_BIG_TO_PROCESS.getCode(), CloseStatus::getCode);
		this.handler.afterConnectionClosed(this.client, CloseStatus.TOO_BIG_TO_PROCESS);
		busy.complete(null);
		assertThat(this.handled).containsExactly("waiting",
				CloseStatuses.tooBig("A message may have at most 65536 bytes"));
		assertThat(this.inbound.snapshot(0).queues()).isZero();
		assertThat(this.outbound.snapshot(0).queues()).isZero();
	}

	@Test
	void whatIsNotHandledOnceTheServerClosesHasFailed() throws Exception {
		List<Throwable> rejections = new ArrayList<>();
		WebSocketDispatcher watching = WebSocketDispatcher.builder(this.inbound, this.outbound, this.sending::add)
			.control(this.sending::add)
			.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
			.observer(new Watching(rejections))
			.build();
		WebSocketHandler watched = watching.decorate(new Echo());
		StubSession other = new StubSession("2");
		watched.afterConnectionEstablished(other);
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("2", Level.NORMAL, () -> busy);
		watched.handleMessage(other, new TextMessage("waiting"));
		watching.sessions().abortAll();
		send();
		watched.afterConnectionClosed(other, CloseStatus.GOING_AWAY);
		busy.complete(null);
		assertThat(this.handled).containsExactly(CloseStatus.GOING_AWAY);
		assertThat(rejections).singleElement().isInstanceOf(SessionClosedException.class);
	}

	@Test
	void aTaskThatComesAfterTheEndFailsAndLeavesNoQueue() throws Exception {
		this.handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		List<String> ran = new ArrayList<>();
		CompletableFuture<?> submitted = this.session.submit(() -> ran.add("submitted"));
		CompletableFuture<?> executed = this.session.execute(() -> ran.add("executed"));
		assertThat(submitted).isCompletedExceptionally();
		assertThat(executed).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(SessionClosedException.class);
		assertThat(ran).isEmpty();
		assertThat(this.inbound.snapshot(0).queues()).isZero();
	}

	@Test
	void aTaskThatWasSubmittedBeforeTheEndRunsBeforeIt() throws Exception {
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.NORMAL, () -> busy);
		CompletableFuture<Boolean> before = this.session.submit(() -> this.handled.add("before"));
		this.handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		CompletableFuture<?> after = this.session.submit(() -> this.handled.add("after"));
		busy.complete(null);
		assertThat(this.handled).containsExactly("before", CloseStatus.NORMAL);
		assertThat(before).isCompletedWithValue(true);
		assertThat(after).isCompletedExceptionally();
		assertThat(this.inbound.snapshot(0).queues()).isZero();
	}

	@Test
	void aMessageThatMeetsTheEndOnItsWayIsNotHandledAfterIt() throws Exception {
		AtomicReference<WebSocketHandler> decorated = new AtomicReference<>();
		WebSocketHandler ending = WebSocketDispatcher.builder(this.inbound, this.outbound, this.sending::add)
			.control(this.sending::add)
			.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
			.levels((session, message) -> {
				end(decorated.get());
				return null;
			})
			.build()
			.decorate(new Echo());
		decorated.set(ending);
		handleAfterTheEnd(ending);
	}

	@Test
	void aFrameThatMeetsTheEndOnItsWayIsNotHandledAfterIt() throws Exception {
		AtomicReference<WebSocketHandler> decorated = new AtomicReference<>();
		WebSocketHandler ending = this.dispatcher.decorate(new Echo() {

			@Override
			public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
				end(decorated.get());
				SessionEndsTests.this.dispatcher.tasks().submit(session.getId(), Level.NORMAL, (turn) -> {
					SessionEndsTests.this.handled.add(message.getPayload());
					return CompletableFuture.completedFuture(null);
				});
			}

		}, "frames", () -> null);
		decorated.set(ending);
		handleAfterTheEnd(ending);
	}

	private void handleAfterTheEnd(WebSocketHandler ending) throws Exception {
		this.handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		send();
		this.handled.clear();
		ending.afterConnectionEstablished(this.client);
		ending.handleMessage(this.client, new TextMessage("on its way"));
		assertThat(this.handled).containsExactly(CloseStatus.NO_CLOSE_FRAME);
		assertThat(this.inbound.snapshot(0).queues()).isZero();
		assertThat(this.outbound.snapshot(0).queues()).isZero();
	}

	private void end(WebSocketHandler ending) {
		try {
			ending.afterConnectionClosed(this.client, CloseStatus.NO_CLOSE_FRAME);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void partsOfAMessageThatIsNotCompleteWhenTheConnectionEndsFail() throws Exception {
		part("1");
		send();
		CompletableFuture<?> next = part("2");
		CompletableFuture<?> behind = this.session.send("behind");
		this.handler.afterConnectionClosed(this.client, CloseStatus.NO_CLOSE_FRAME);
		send();
		assertThat(behind).isCompletedExceptionally();
		assertThat(part("3")).isCompletedExceptionally();
		assertThat(next).isDone();
		assertThat(this.outbound.snapshot(0).queues()).isZero();
	}

	@Test
	void whereTheContainerSeesNoCloseFrameTheHandlerIsToldWhyTheClientWasCutOff() throws Exception {
		this.session.abort();
		this.handler.afterConnectionClosed(this.client, CloseStatus.NO_CLOSE_FRAME);
		assertThat(this.handled).containsExactly(CloseStatus.GOING_AWAY);
	}

	@Test
	void aClientThatLeavesWhileTheServerClosesIsSaidToHaveLeft() throws Exception {
		this.session.close(CloseStatus.NORMAL);
		send();
		this.handler.afterConnectionClosed(this.client, CloseStatus.NO_CLOSE_FRAME);
		assertThat(this.handled).containsExactly(CloseStatus.NO_CLOSE_FRAME);
	}

	@Test
	void abortingFailsThePartsThatWait() {
		CompletableFuture<?> part = part("1");
		CompletableFuture<?> next = part("2");
		this.session.abort();
		send();
		assertThat(part).isCompletedExceptionally();
		assertThat(next).isCompletedExceptionally();
	}

	@Test
	void abortingFailsWhatWaitsBehindAMessageWhoseLastPartIsMissing() {
		part("1");
		send();
		CompletableFuture<?> behind = this.session.send("behind");
		this.session.abort();
		assertThat(behind).isCompletedExceptionally();
		send();
		assertThat(this.client.sent).containsExactly("first", "1", CloseStatus.GOING_AWAY);
	}

	@Test
	void whenNothingIsSentAnyMoreThenClosingStillHappens() {
		this.outbound.shutdown();
		this.session.close(CloseStatus.NORMAL);
		send();
		assertThat(this.client.sent).containsExactly("first", CloseStatus.NORMAL);
	}

	@Test
	void aThreadThatWaitsForRoomGoesOnWhenItsSessionCloses() throws Exception {
		WebSocketDispatcher full = WebSocketDispatcher.builder(this.inbound, this.outbound, Runnable::run)
			.control(Runnable::run)
			.settings(TestSettings.of(TestSettings.limits(new InboundLimits(1, 0, 1024, true))))
			.build();
		WebSocketHandler handler = full.decorate(new Echo());
		StubSession other = new StubSession("2");
		handler.afterConnectionEstablished(other);
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("2", Level.NORMAL, () -> busy);
		CompletableFuture<?> delivering = CompletableFuture.runAsync(() -> {
			try {
				handler.handleMessage(other, new TextMessage("waiting"));
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		});
		assertThat(delivering).isNotDone();
		full.sessions().abortAll();
		assertThat(delivering).succeedsWithin(Duration.ofMinutes(1));
		busy.complete(null);
		assertThat(this.handled).isEmpty();
	}

	@Test
	void theOwnersBufferIsFreeAsSoonAsItsMessageIsQueued() {
		byte[] bytes = { 1 };
		CompletableFuture<?> sent = this.session.post(bytes);
		bytes[0] = 2;
		send();
		assertThat(sent).isCompleted();
		assertThat(this.client.sent).containsExactly("first", ByteBuffer.wrap(new byte[] { 1 }));
	}

	@Test
	void aPongThatTheApplicationHasAskedForIsHandledAndOneOfTheServersOwnPingsIsNot() throws Exception {
		ByteBuffer mine = StandardCharsets.US_ASCII.encode("mine");
		this.handler.handleMessage(this.client, new PongMessage(StandardCharsets.US_ASCII.encode("sluice")));
		this.handler.handleMessage(this.client, new PongMessage(mine));
		assertThat(this.handled).containsExactly(mine);
	}

	private CompletableFuture<?> part(String text) {
		return this.session.post(new TextMessage(text, false));
	}

	/** The container sends all that it has, and what follows from that. */
	private void send() {
		for (Runnable next = this.sending.poll(); next != null; next = this.sending.poll()) {
			next.run();
		}
	}

	/** Notes why messages had no turn. */
	private record Watching(List<Throwable> rejections) implements MessageObserver, ObservedMessage {

		@Override
		public ObservedMessage received(String sessionType, String sessionId, Level level) {
			return this;
		}

		@Override
		public ObservedMessage sending(String sessionType, String sessionId, Level level) {
			return ObservedMessage.NONE;
		}

		@Override
		public Scope open() {
			return Scope.NONE;
		}

		@Override
		public void failed(Throwable failure) {
		}

		@Override
		public void ended(Throwable rejection) {
			this.rejections.add(rejection);
		}

	}

	private class Echo extends AbstractWebSocketHandler {

		@Override
		public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) throws IOException {
			SessionEndsTests.this.handled.add(message.getPayload());
			session.sendMessage(message);
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			SessionEndsTests.this.handled.add(status);
		}

	}

}
