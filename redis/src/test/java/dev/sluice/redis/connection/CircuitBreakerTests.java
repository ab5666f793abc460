package dev.sluice.redis.connection;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CircuitBreakerTests {

	private final CircuitBreaker breaker = new CircuitBreaker();

	@Test
	void opensWhenFiveOfTheLastTenCommandsHaveFailed() {
		for (int i = 0; i < 4; i++) {
			this.breaker.failed();
			this.breaker.succeeded();
		}
		assertThat(this.breaker.isOpen()).isFalse();

		this.breaker.failed();

		assertThat(this.breaker.isOpen()).isTrue();
	}

	@Test
	void forgetsWhatIsLongAgo() {
		for (int i = 0; i < 100; i++) {
			this.breaker.failed();
			this.breaker.succeeded();
			this.breaker.succeeded();
		}

		assertThat(this.breaker.isOpen()).isFalse();
	}

	@Test
	void closesWhenACommandSucceedsAndThenStartsAfresh() {
		failFiveTimes();
		assertThat(this.breaker.isOpen()).isTrue();

		this.breaker.succeeded();
		assertThat(this.breaker.isOpen()).isFalse();
		this.breaker.failed();
		assertThat(this.breaker.isOpen()).isFalse();

		failFiveTimes();
		assertThat(this.breaker.isOpen()).isTrue();
	}

	private void failFiveTimes() {
		for (int i = 0; i < 5; i++) {
			this.breaker.failed();
		}
	}

}
