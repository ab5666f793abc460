package dev.sluice.benchmarks.batches;

import java.time.Duration;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A contender that loses items would win benchmarks. */
@Timeout(60)
class BatcherTests {

	@ParameterizedTest
	@EnumSource
	void everyItemArrivesOnce(Contender contender) {
		CountingPump pump = new CountingPump(4);
		try (Batcher batcher = contender.create(4, Load.ITEMS, Duration.ofMillis(20), pump)) {
			new Load(4, 2).run(batcher, pump);
			batcher.push(1, 3);
			long start = System.nanoTime();
			while (pump.count() <= Load.ITEMS && System.nanoTime() - start < Duration.ofSeconds(40).toNanos()) {
				Thread.onSpinWait();
			}
			assertThat(pump.count()).isEqualTo(Load.ITEMS + 1);
		}
	}

}
