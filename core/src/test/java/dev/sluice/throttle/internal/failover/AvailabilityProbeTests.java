package dev.sluice.throttle.internal.failover;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AvailabilityProbeTests {

	private final List<String> events = new ArrayList<>();

	private boolean unavailable = true;

	private CompletableFuture<Void> answer = new CompletableFuture<>();

	private final AvailabilityProbe probe = new AvailabilityProbe(() -> this.unavailable, () -> {
		this.events.add("probe");
		return this.answer;
	}, () -> this.events.add("unavailable"), () -> this.events.add("back"));

	@Test
	void availableServerIsLeftAlone() {
		this.unavailable = false;

		this.probe.check();

		assertThat(this.events).isEmpty();
	}

	@Test
	void oneProbeIsUnderWayAtATimeAndThoseInLineAreToldEachTime() {
		this.probe.check();
		this.probe.check();
		this.answer.completeExceptionally(new IllegalStateException());
		this.answer = new CompletableFuture<>();
		this.probe.check();

		assertThat(this.events).containsExactly("unavailable", "probe", "unavailable", "unavailable", "probe");
	}

	@Test
	void serverThatIsBackIsToldOnce() {
		this.probe.check();
		this.unavailable = false;
		this.probe.check();
		this.probe.check();

		assertThat(this.events).containsExactly("unavailable", "probe", "back");
	}

}
