package dev.sluice.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SystemNanoClockTests {

	@Test
	void zeroIsTheEpoch() {
		long millis = TimeUnit.NANOSECONDS.toMillis(NanoClock.system().nanoTime());

		assertThat(Duration.between(Instant.ofEpochMilli(millis), Instant.now()).abs())
			.isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void advancesWithTheMonotonicClockOfTheMachine() {
		SystemNanoClock clock = new SystemNanoClock(Instant.EPOCH, System.nanoTime() - 1_000_000);

		assertThat(clock.nanoTime()).isGreaterThanOrEqualTo(1_000_000);
	}

}
