package dev.sluice.autoconfigure.batch;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BatchStopTimesTests {

	@Test
	void areTwoThirdsAndAFifthOfAPhase() {
		BatchStopTimes times = BatchStopTimes.of(Duration.ofSeconds(30));
		assertThat(times.drain()).isEqualTo(Duration.ofSeconds(20));
		assertThat(times.cancel()).isEqualTo(Duration.ofSeconds(6));
	}

}
