package dev.sluice.websocket.inbound;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerPaceTests {

	private final AtomicLong time = new AtomicLong();

	private final HandlerPace pace = new HandlerPace(this.time::get);

	@Test
	void promptHandlersStayOnTheThreadThatReads() {
		for (int i = 0; i < 1_000; i++) {
			assertThat(this.pace.isPrompt()).isTrue();
			this.pace.run(() -> this.time.addAndGet(HandlerPace.LONG_NANOS - 1));
		}
	}

	@Test
	void afterOneThatTookLongSomeMessagesAreLeftToWorkers() {
		this.pace.run(() -> this.time.addAndGet(HandlerPace.LONG_NANOS));
		for (int i = 0; i < HandlerPace.LEFT_TO_WORKERS; i++) {
			assertThat(this.pace.isPrompt()).isFalse();
		}
		assertThat(this.pace.isPrompt()).isTrue();
	}

}
