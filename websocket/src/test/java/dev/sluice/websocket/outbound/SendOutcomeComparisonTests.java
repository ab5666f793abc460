package dev.sluice.websocket.outbound;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.settings.SessionLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Three senders, of whom the first is sending while the second, whose message will fail,
 * and the third come: what each is told, here and by Spring's decorator.
 */
class SendOutcomeComparisonTests {

	private static final long SECONDS = 10;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final SessionOutboundTests.GatedSession session = new SessionOutboundTests.GatedSession();

	@AfterEach
	void stop() {
		this.session.release(1_000);
		this.threads.shutdownNow();
	}

	@Test
	void eachSenderIsToldItsOwnOutcomeAndAllIsSent() throws Exception {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		SessionOutbound outbound = new SessionOutbound(this.session, executor.queue("session"), "handler",
				SessionLimits.DEFAULTS.send(), () -> {
				}, TestOutbound.resources(this.threads, NanoClock.system()));
		CompletableFuture<?> first = outbound.send(new TextMessage("A"), Level.NORMAL);
		CompletableFuture<?> second = outbound.send(new TextMessage("fail B"), Level.NORMAL);
		CompletableFuture<?> third = outbound.send(new TextMessage("C"), Level.NORMAL);
		this.session.release(3);
		first.get(SECONDS, TimeUnit.SECONDS);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> second.get(SECONDS, TimeUnit.SECONDS))
			.withCauseExactlyInstanceOf(IOException.class)
			.withMessageContaining("fail B");
		third.get(SECONDS, TimeUnit.SECONDS);
		assertThat(this.session.sent).containsExactly("A", "C");
	}

	@Test
	void springsDecoratorTellsTheFirstOfTheSecondsFailureAndLeavesTheThirdBehind() {
		ConcurrentWebSocketSessionDecorator decorator = new ConcurrentWebSocketSessionDecorator(this.session, 10_000,
				1_000);
		CompletableFuture<?> first = CompletableFuture.runAsync(() -> {
			try {
				decorator.sendMessage(new TextMessage("A"));
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}, this.threads);
		await().until(this.session::isSending);
		assertThatCode(() -> decorator.sendMessage(new TextMessage("fail B"))).doesNotThrowAnyException();
		assertThatCode(() -> decorator.sendMessage(new TextMessage("C"))).doesNotThrowAnyException();
		this.session.release(3);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> first.get(SECONDS, TimeUnit.SECONDS))
			.withStackTraceContaining("fail B");
		assertThat(this.session.sent).containsExactly("A");
		assertThat(decorator.getBufferSize()).isEqualTo("C".length());
	}

}
