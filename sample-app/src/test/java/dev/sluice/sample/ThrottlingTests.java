package dev.sluice.sample;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/** The limit of the bank, on a clock that stands still until it is moved. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ThrottlingTests {

	@LocalServerPort
	private int port;

	@Autowired
	private StandingClock clock;

	@Test
	void aFloodIsAnsweredInOrderAndTheConnectionLivesOn() {
		try (BankClient flooder = new BankClient(this.port); BankClient quiet = new BankClient(this.port)) {
			IntStream.range(0, 30).forEach((i) -> flooder.deposit(1));
			assertThat(quiet.deposit(1).receive()).isEqualTo(receipt(101));
			assertThat(flooder.receive(10)).isEqualTo(receipts(101, 110));
			assertThat(flooder.receive(20)).hasSize(20).containsOnly(throttled("1.0"));
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(flooder.deposit(1).receive()).isEqualTo(receipt(111));
		}
	}

	@Test
	void aCommandIsAdmittedAfterRetryAfterAndNotAMillisecondBefore() {
		try (BankClient customer = new BankClient(this.port)) {
			assertThat(customer.deposit(1).receive()).isEqualTo(receipt(101));
			this.clock.advance(Duration.ofMillis(300));
			IntStream.range(0, 10).forEach((i) -> customer.deposit(1));
			assertThat(customer.receive(9)).isEqualTo(receipts(102, 110));
			assertThat(customer.receive()).isEqualTo(throttled("0.7"));
			this.clock.advance(Duration.ofMillis(699));
			assertThat(customer.deposit(1).receive()).isEqualTo(throttled("0.001"));
			this.clock.advance(Duration.ofMillis(1));
			assertThat(customer.deposit(1).receive()).isEqualTo(receipt(111));
		}
	}

	private static String receipt(int balance) {
		return "{\"type\":\"receipt\",\"balance\":%d}".formatted(balance);
	}

	private static List<String> receipts(int first, int last) {
		return IntStream.rangeClosed(first, last).mapToObj(ThrottlingTests::receipt).toList();
	}

	private static String throttled(String retryAfter) {
		return "{\"type\":\"throttled\",\"resource\":\"commands\",\"retryAfter\":%s}".formatted(retryAfter);
	}

	static class StandingClock implements NanoClock {

		private final AtomicLong now = new AtomicLong(NanoClock.system().nanoTime());

		@Override
		public long nanoTime() {
			return this.now.get();
		}

		void advance(Duration time) {
			this.now.addAndGet(time.toNanos());
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class ClockConfiguration {

		@Bean
		StandingClock clock() {
			return new StandingClock();
		}

	}

}
