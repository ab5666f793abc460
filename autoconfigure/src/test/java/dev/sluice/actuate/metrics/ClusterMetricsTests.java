package dev.sluice.actuate.metrics;

import java.util.concurrent.TimeUnit;

import dev.sluice.autoconfigure.fixture.ClusterSnapshots;
import dev.sluice.bus.BusState;
import dev.sluice.cluster.ClusterSnapshot;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterMetricsTests {

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private ClusterSnapshot snapshot = ClusterSnapshots.of(BusState.UP);

	private int looks;

	@Test
	void metersFollowTheCluster() {
		bind();
		assertThat(gauge("nodes")).isEqualTo(2);
		assertThat(gauge("unavailable")).isZero();
		assertThat(gauge("topics")).isEqualTo(3);
		assertThat(gauge("members")).isEqualTo(5);
		assertThat(gauge("waiting")).isEqualTo(8);
		assertThat(gauge("requests.open")).isEqualTo(7);
		assertThat(this.registry.get("sluice.cluster.oldest.wait").timeGauge().value(TimeUnit.MILLISECONDS))
			.isEqualTo(30);
		FunctionTimer lag = this.registry.get("sluice.cluster.lag").functionTimer();
		assertThat(lag.count()).isEqualTo(6);
		assertThat(lag.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(12);
		assertThat(counter("frames", "direction", "sent")).isEqualTo(12);
		assertThat(counter("frames", "direction", "received")).isEqualTo(20);
		assertThat(counter("failures")).isEqualTo(9);
		assertThat(counter("unknown")).isEqualTo(10);
		assertThat(counter("heals")).isEqualTo(11);
		assertThat(counter("gaps")).isEqualTo(13);
		assertThat(gauge("resumable")).isEqualTo(29);
		assertThat(gauge("suspended")).isEqualTo(14);
		assertThat(gauge("resume.bytes")).isEqualTo(4_096);
		assertThat(counter("resumes", "outcome", "recovered")).isEqualTo(21);
		assertThat(counter("resumes", "outcome", "incomplete")).isEqualTo(22);
		assertThat(counter("resumes", "outcome", "expired")).isEqualTo(23);
		assertThat(counter("resumes", "outcome", "invalid")).isEqualTo(24);
		assertThat(counter("resumes", "outcome", "superseded")).isEqualTo(25);
		assertThat(counter("resumes", "outcome", "unavailable")).isEqualTo(26);
	}

	@Test
	void aNodeThatDoesNotHearTheOthersIsUnavailable() {
		bind();
		for (BusState state : new BusState[] { BusState.SILENT, BusState.UNAVAILABLE }) {
			this.snapshot = ClusterSnapshots.of(state);
			this.clock.add(1, TimeUnit.SECONDS);
			assertThat(gauge("unavailable")).isEqualTo(1);
		}
	}

	@Test
	void metersShareASnapshotForASecond() {
		bind();
		gauge("nodes");
		gauge("topics");
		assertThat(this.looks).isEqualTo(1);
		this.clock.add(1, TimeUnit.SECONDS);
		gauge("nodes");
		assertThat(this.looks).isEqualTo(2);
	}

	private void bind() {
		new ClusterMetrics(() -> {
			this.looks++;
			return this.snapshot;
		}).bindTo(this.registry);
	}

	private double gauge(String name) {
		return this.registry.get("sluice.cluster." + name).gauge().value();
	}

	private double counter(String name, String... tags) {
		return this.registry.get("sluice.cluster." + name).tags(tags).functionCounter().count();
	}

}
