package dev.sluice.websocket.message;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.endpoint.ConnectedSessions;
import dev.sluice.websocket.endpoint.EndpointHandler;
import dev.sluice.websocket.endpoint.SessionObjects;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages that wait take no more of the heap than they are counted for. */
class MessageCostTests {

	private static final int MESSAGES = 20_000;

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run)
		.queueCapacity(Integer.MAX_VALUE)
		.build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run)
		.queueCapacity(Integer.MAX_VALUE)
		.build();

	@Test
	void aMessageThatWaitsToBeSent() throws Exception {
		assertThat(costToSend(null)).isBetween(MessageCost.SENT / 4L, (long) MessageCost.SENT);
	}

	@Test
	void aMessageOfWhichAJournalIsToBeTold() throws Exception {
		SentMessageRecorder recorder = SentMessageRecorder.builder((messages) -> {
		}, Runnable::run).pushInterval(Duration.ofSeconds(1)).build();
		assertThat(costToSend(recorder)).isBetween(MessageCost.JOURNALLED / 4L, (long) MessageCost.JOURNALLED);
	}

	@Test
	void aMessageThatWaitsToBeHandled() throws Exception {
		WebSocketHandler handler = WebSocketDispatcher.builder(this.inbound, this.outbound, Runnable::run)
			.settings(TestSettings
				.of(TestSettings.limits(new InboundLimits(Integer.MAX_VALUE, 0, Integer.MAX_VALUE, false))))
			.build()
			.decorate(new Deaf());
		StubSession session = new StubSession("1");
		handler.afterConnectionEstablished(session);
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.HIGH, () -> busy);
		long before = liveHeap();
		for (int i = 0; i < MESSAGES; i++) {
			handler.handleMessage(session, new TextMessage(new String(new char[] { 'x' })));
		}
		assertThat((liveHeap() - before) / MESSAGES).isBetween(MessageCost.RECEIVED / 4L, (long) MessageCost.RECEIVED);
		busy.complete(null);
	}

	@Test
	void aJsonMessageThatWaitsToBeHandled() throws Exception {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("session",
				new RootBeanDefinition(Numbers.class, BeanDefinition.SCOPE_PROTOTYPE, Numbers::new));
		WebSocketDispatcher dispatcher = WebSocketDispatcher.builder(this.inbound, this.outbound, Runnable::run)
			.settings(TestSettings
				.of(TestSettings.limits(new InboundLimits(Integer.MAX_VALUE, 0, Integer.MAX_VALUE, false))))
			.build();
		WebSocketHandler handler = EndpointHandler.ordered(Numbers.class, dispatcher.context(),
				new ConnectedSessions(new SessionObjects(beans, "session"), dispatcher.context().messages()));
		StubSession session = new StubSession("1");
		handler.afterConnectionEstablished(session);
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.HIGH, () -> busy);
		String json = "{\"type\":\"sum\",\"numbers\":[1" + ",1".repeat(500) + "]}";
		long before = liveHeap();
		for (int i = 0; i < MESSAGES / 10; i++) {
			handler.handleMessage(session, new TextMessage(new StringBuilder(json)));
		}
		assertThat((liveHeap() - before) / (MESSAGES / 10)).isLessThan(MessageCost.RECEIVED + json.length());
		busy.complete(null);
	}

	private long costToSend(SentMessageRecorder recorder) throws Exception {
		WebSocketDispatcher dispatcher = WebSocketDispatcher.builder(this.inbound, this.outbound, (task) -> {
		})
			.settings(TestSettings.of(TestSettings.limits(new SendLimits(Duration.ofSeconds(10), Integer.MAX_VALUE))))
			.recorder(recorder)
			.build();
		dispatcher.decorate(new Deaf()).afterConnectionEstablished(new StubSession("1"));
		ManagedSession session = dispatcher.sessions().get("1").orElseThrow();
		session.post("on its way");
		long before = liveHeap();
		for (int i = 0; i < MESSAGES; i++) {
			session.post(new String(new char[] { 'x' }));
		}
		long cost = (liveHeap() - before) / MESSAGES;
		assertThat(session.isOpen()).isTrue();
		return cost;
	}

	/**
	 * Returns what collections leave when they free nothing more of what other tests
	 * left.
	 */
	private static long liveHeap() {
		long live = Long.MAX_VALUE;
		long before;
		do {
			before = live;
			System.gc();
			live = ManagementFactory.getMemoryPoolMXBeans()
				.stream()
				.filter((pool) -> pool.getType() == MemoryType.HEAP)
				.mapToLong((pool) -> pool.getCollectionUsage().getUsed())
				.sum();
		}
		while (live < before - MESSAGES);
		return live;
	}

	/** Does nothing with messages. */
	private static final class Deaf extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
		}

	}

	static class Numbers extends ManagedSession {

		@OnMessage(value = "sum", level = Level.HIGH)
		int sum(Map<String, Object> message) {
			return message.size();
		}

	}

}
