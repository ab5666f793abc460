package dev.sluice.jdbc.connection;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CircuitBreakerTests {

	private final CircuitBreaker breaker = new CircuitBreaker();

	@Test
	void fiveOfTenStatementsWithoutAnAnswerOpenIt() {
		for (int i = 0; i < 4; i++) {
			this.breaker.timedOut(new SQLException("late"));
			this.breaker.succeeded();
		}
		assertThat(this.breaker.isOpen()).isFalse();

		this.breaker.timedOut(new SQLException("late"));

		assertThat(this.breaker.isOpen()).isTrue();
	}

	@Test
	void itNamesTheReasonOfTheServer() {
		this.breaker.open(new SQLException("terminated", "57P01"));
		this.breaker.open(new SQLException("read-only", "25006"));
		this.breaker.open(new SQLException("late"));

		assertThat(this.breaker.cause()).hasMessage("read-only");
	}

	@Test
	void itNamesTheReasonOfTheServerForAFailedProbe() {
		this.breaker.open(new SQLException("late"));
		this.breaker.timedOut(new SQLException("lock timeout", "55P03"));
		this.breaker.timedOut(new SQLException("late"));

		assertThat(this.breaker.cause()).hasMessage("lock timeout");
	}

	@Test
	void onlyAProbeClosesIt() {
		this.breaker.open(new SQLException("terminated", "57P01"));
		this.breaker.succeeded();
		assertThat(this.breaker.isOpen()).isTrue();

		this.breaker.close();

		assertThat(this.breaker.isOpen()).isFalse();
	}

	@Test
	void itIsNotProbedAtOnce() {
		this.breaker.open(new SQLException("terminated", "57P01"));

		assertThat(this.breaker.mayProbe()).isFalse();
	}

}
