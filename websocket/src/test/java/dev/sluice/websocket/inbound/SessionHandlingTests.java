package dev.sluice.websocket.inbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.endpoint.ConnectedSessions;
import dev.sluice.websocket.endpoint.EndpointHandler;
import dev.sluice.websocket.endpoint.SessionObjects;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.LivenessLimits;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** Stages of typed sessions that do not end. */
class SessionHandlingTests {

	private final SettableClock clock = new SettableClock();

	private final StubSession client = new StubSession("1");

	private final List<Object> told = new ArrayList<>();

	private final CompletableFuture<String> stage = new CompletableFuture<>();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
		.settings(TestSettings.of(TestSettings.NOT_BLOCKING,
				new LivenessLimits(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(1),
						null),
				new QuotaLimits(1, Integer.MAX_VALUE, Integer.MAX_VALUE)))
		.control(Runnable::run)
		.clock(this.clock)
		.build();

	private WebSocketHandler handler;

	@BeforeEach
	void open() throws Exception {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("session", new RootBeanDefinition(Endless.class, BeanDefinition.SCOPE_PROTOTYPE,
				() -> new Endless(this.stage, this.told)));
		this.handler = EndpointHandler.ordered(Endless.class, this.dispatcher.context(),
				new ConnectedSessions(new SessionObjects(beans, "session"), this.dispatcher.context().messages()));
		this.handler.afterConnectionEstablished(this.client);
	}

	@Test
	void aStageThatTakesTooLongIsCancelledAndItsMethodHasFailed() throws Exception {
		send("endless");
		send("next");
		advance(Duration.ofSeconds(4));
		assertThat(this.client.sent).isEmpty();
		advance(Duration.ofSeconds(2));
		assertThat(this.stage).isCancelled();
		assertThat(this.told).singleElement().isInstanceOf(TimeoutException.class);
		assertThat(this.client.sent).containsExactly("{\"type\":\"error\",\"reason\":\"failed\"}", "next");
	}

	@Test
	void eachStageHasItsOwnTime() throws Exception {
		send("endless");
		advance(Duration.ofSeconds(4));
		this.stage.complete("done");
		advance(Duration.ofSeconds(4));
		assertThat(this.told).isEmpty();
		assertThat(this.client.sent).containsExactly("done");
	}

	@Test
	void aStageThatTakesTooLongEndsThoughItsClientHasLeft() throws Exception {
		send("endless");
		send("next");
		leave();
		assertThat(this.told).isEmpty();
		advance(Duration.ofSeconds(6));
		assertThat(this.told).hasSize(2).last().isEqualTo(CloseStatus.NO_CLOSE_FRAME);
		assertThat(this.inbound.snapshot(0).queues()).isZero();
	}

	@Test
	void aSessionWhoseClientHasLeftMayBeAbandoned() throws Exception {
		assertThat(this.dispatcher.sessions().abandon("1")).isFalse();
		send("endless");
		send("next");
		assertThat(this.dispatcher.sessions().abandon("1")).isFalse();
		leave();
		assertThat(this.dispatcher.sessions().abandon("1")).isTrue();
		assertThat(this.stage).isCancelled();
		assertThat(this.told).hasSize(2).last().isEqualTo(CloseStatus.NO_CLOSE_FRAME);
		assertThat(this.inbound.snapshot(0).queues()).isZero();
		assertThat(this.dispatcher.sessions().abandon("1")).isFalse();
		StubSession next = new StubSession("2");
		this.handler.afterConnectionEstablished(next);
		assertThat(next.isOpen()).isTrue();
	}

	private void send(String message) throws Exception {
		this.handler.handleMessage(this.client, new TextMessage(message));
	}

	private void leave() throws Exception {
		this.handler.afterConnectionClosed(this.client, CloseStatus.NO_CLOSE_FRAME);
	}

	private void advance(Duration time) {
		for (long i = 0; i < time.toMillis(); i += 100) {
			this.clock.advance(Duration.ofMillis(100));
		}
	}

	static class Endless extends ManagedSession {

		private final CompletableFuture<String> stage;

		private final List<Object> told;

		Endless(CompletableFuture<String> stage, List<Object> told) {
			this.stage = stage;
			this.told = told;
		}

		@OnMessage
		CompletionStage<String> handle(String message) {
			return message.equals("endless") ? this.stage : CompletableFuture.completedFuture(message);
		}

		@Override
		protected void onError(Throwable error) {
			this.told.add(error);
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.told.add(status);
		}

	}

}
