package dev.sluice.execution.internal;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class YieldPolicyTests {

	private final List<String> ready = new ArrayList<>(List.of("other"));

	private final WorkerRun worker = WorkerRun.begin(1, this.ready);

	private final YieldPolicy policy = new YieldPolicy(3);

	@AfterEach
	void end() {
		this.worker.end();
	}

	@Test
	void aWorkerYieldsWhenItHasRunTheShareOfItsQueueAndAnotherWaits() {
		assertYields(false, false, true);
	}

	@Test
	void whereNoOtherQueueWaitsAnotherShareBegins() {
		this.ready.clear();
		assertYields(false, false, false);
		this.ready.add("other");
		assertYields(false, false, true);
	}

	@Test
	void aQueueBeginsItsShareAnewWithEachTurn() {
		assertYields(false, false);
		this.worker.startQueue();
		assertYields(false, false, true);
	}

	@Test
	void aShareMayChangeWhileAQueueRuns() {
		assertYields(false, false);
		this.policy.setMaxTasks(2);
		assertYields(true, false, true);
		assertThat(this.policy.maxTasks()).isEqualTo(2);
	}

	private void assertYields(boolean... yields) {
		for (boolean expected : yields) {
			assertThat(this.policy.yieldsAfterTask(this.worker)).isEqualTo(expected);
		}
	}

}
