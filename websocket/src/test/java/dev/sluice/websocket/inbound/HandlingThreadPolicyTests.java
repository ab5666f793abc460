package dev.sluice.websocket.inbound;

import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.websocket.container.FrameGate;
import dev.sluice.websocket.container.HandlingReaders;
import dev.sluice.websocket.container.SocketReading;
import dev.sluice.websocket.message.TotalBuffers;
import dev.sluice.websocket.settings.InboundLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandlingThreadPolicyTests {

	private final AtomicLong time = new AtomicLong();

	private int maxReaders = 1;

	private final HandlingReaders readers = new HandlingReaders(() -> this.maxReaders);

	private final HandlingThreadPolicy policy = policy(pressure(false));

	@Test
	void aPromptHandlerRunsOnTheReader() {
		for (int i = 0; i < 1_000; i++) {
			assertThat(handle(HandlingThreadPolicy.LONG_NANOS - 1)).isTrue();
		}
	}

	@Test
	void afterAHandlerThatTookLongSomeMessagesAreLeftToWorkers() {
		assertThat(handle(HandlingThreadPolicy.LONG_NANOS)).isTrue();
		for (int i = 0; i < HandlingThreadPolicy.LEFT_TO_WORKERS; i++) {
			assertThat(handle(0)).isFalse();
		}
		assertThat(handle(0)).isTrue();
	}

	@Test
	void aReaderThatReadsAheadLeavesMessagesToWorkers() {
		assertThat(policy(pressure(true)).begin()).isFalse();
	}

	@Test
	void noMoreReadersHandleMessagesThanMay() {
		HandlingThreadPolicy other = policy(pressure(false));
		assertThat(this.policy.begin()).isTrue();
		assertThat(other.begin()).isFalse();
		this.maxReaders = 2;
		assertThat(other.begin()).isTrue();
		other.end();
		this.policy.end();
		assertThat(handle(0)).isTrue();
		this.maxReaders = 0;
		assertThat(handle(0)).isFalse();
	}

	private boolean handle(long nanos) {
		boolean begun = this.policy.begin();
		if (begun) {
			this.time.addAndGet(nanos);
			this.policy.end();
		}
		return begun;
	}

	private HandlingThreadPolicy policy(InboundPressure pressure) {
		return new HandlingThreadPolicy(pressure, this.readers, this.time::get);
	}

	private static InboundPressure pressure(boolean ahead) {
		return new InboundPressure(new InboundLimits(4, 1, 100, true), ahead, TotalBuffers.unbounded(),
				new GatedReading(), () -> {
				});
	}

	/** Socket of which each frame is read when it may be. */
	private static final class GatedReading implements SocketReading {

		@Override
		public void suspend() {
		}

		@Override
		public void resume() {
		}

		@Override
		public boolean connect(FrameGate gate) {
			return true;
		}

		@Override
		public boolean mayBlock() {
			return true;
		}

	}

}
