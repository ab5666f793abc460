package dev.sluice.websocket.container;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandlingReadersTests {

	private int limit = 2;

	private final HandlingReaders readers = new HandlingReaders(() -> this.limit);

	@Test
	void thoseThatHandleAndThoseThatWaitAreCountedTogether() {
		assertThat(this.readers.enter()).isTrue();
		assertThat(this.readers.enterToWait()).isTrue();
		assertThat(this.readers.enter()).isFalse();
		assertThat(this.readers.enterToWait()).isFalse();
		this.readers.leave();
		assertThat(this.readers.enterToWait()).isTrue();
		this.readers.leave();
		assertThat(this.readers.enter()).isTrue();
	}

	@Test
	void whereNoneMayHandleOneAtATimeMayWait() {
		this.limit = 0;
		assertThat(this.readers.enter()).isFalse();
		assertThat(this.readers.enterToWait()).isTrue();
		assertThat(this.readers.enterToWait()).isFalse();
		this.readers.leave();
		assertThat(this.readers.enterToWait()).isTrue();
	}

}
