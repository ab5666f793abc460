package dev.sluice.benchmarks.limits;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CrowdedKeysTests {

	@Test
	void everyCallThatIsMeasuredIsRejected() {
		assertThat(CrowdedKeys.newcomerNanos()).isPositive();
		assertThat(CrowdedKeys.dynamicWindowNanos()).isPositive();
		assertThat(CrowdedKeys.dynamicWindowLineNanos()).isPositive();
	}

}
