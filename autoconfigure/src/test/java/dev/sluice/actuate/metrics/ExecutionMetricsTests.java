package dev.sluice.actuate.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExecutionMetricsTests {

	private final AtomicLong now = new AtomicLong();

	private final MockClock registryClock = new MockClock();

	private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.registryClock);

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run)
		.queueCapacity(2)
		.clock(this.now::get)
		.listener(new ExecutionMetrics(this.registry, "orders"))
		.build();

	@Test
	void timersTellWaitAndRunByLevel() {
		TaskQueue queue = this.executor.queue("session-1");
		queue.pause();
		queue.execute(Level.HIGH, () -> this.now.addAndGet(5));
		queue.execute(Level.NORMAL, () -> {
			this.now.addAndGet(7);
			throw new IllegalStateException("expected");
		});
		this.now.addAndGet(100);
		queue.resume();
		assertThat(nanos("sluice.execution.wait", "level", "high")).isEqualTo(100);
		assertThat(nanos("sluice.execution.wait", "level", "normal")).isEqualTo(105);
		assertThat(nanos("sluice.execution.run", "level", "high", "outcome", "completed")).isEqualTo(5);
		assertThat(nanos("sluice.execution.run", "level", "normal", "outcome", "failed")).isEqualTo(7);
	}

	@Test
	void whatNeverRanIsCountedButNotTimed() {
		TaskQueue queue = this.executor.queue("session-1");
		queue.pause();
		queue.execute(Level.NORMAL, () -> {
		}).cancel(false);
		monitor();
		assertThat(ended("cancelled")).isEqualTo(1);
		assertThat(timer("sluice.execution.wait", "level", "normal").count()).isZero();
	}

	@Test
	void snapshotsTellTheRest() {
		TaskQueue queue = this.executor.queue("session-1");
		queue.execute(Level.NORMAL, () -> {
		});
		queue.pause();
		queue.execute(Level.HIGH, () -> {
		});
		queue.execute(Level.NORMAL, () -> {
		});
		queue.execute(Level.NORMAL, () -> {
		});
		this.now.addAndGet(Duration.ofSeconds(3).toNanos());
		monitor();
		assertThat(gauge("sluice.execution.queues")).isEqualTo(1);
		assertThat(gauge("sluice.execution.waiting", "level", "high")).isEqualTo(1);
		assertThat(gauge("sluice.execution.waiting", "level", "normal")).isEqualTo(1);
		assertThat(this.registry.get("sluice.execution.oldest.wait").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(3);
		assertThat(ended("completed")).isEqualTo(1);
		assertThat(ended("rejected")).isEqualTo(1);
	}

	@Test
	void aSnapshotServesAllMetersForASecond() {
		monitor();
		assertThat(gauge("sluice.execution.queues")).isZero();
		this.executor.addQueue("session-1");
		this.registryClock.add(Duration.ofMillis(999));
		assertThat(gauge("sluice.execution.queues")).isZero();
		this.registryClock.add(Duration.ofMillis(1));
		assertThat(gauge("sluice.execution.queues")).isEqualTo(1);
	}

	@Test
	void tenThousandSessionsAddNoMeter() {
		monitor();
		int meters = this.registry.getMeters().size();
		IntStream.range(0, 10_000).forEach((i) -> this.executor.execute("session-" + i, Level.NORMAL, () -> {
		}));
		assertThat(this.registry.getMeters()).hasSize(meters);
		this.registryClock.add(Duration.ofSeconds(1));
		assertThat(gauge("sluice.execution.queues")).isEqualTo(10_000);
	}

	private void monitor() {
		ExecutionMetrics.monitor(this.registry, "orders", () -> this.executor.snapshot(0));
	}

	private double gauge(String name, String... tags) {
		return this.registry.get(name).tags(tags).gauge().value();
	}

	private double ended(String outcome) {
		return this.registry.get("sluice.execution.tasks").tag("outcome", outcome).functionCounter().count();
	}

	private double nanos(String name, String... tags) {
		return timer(name, tags).totalTime(TimeUnit.NANOSECONDS);
	}

	private Timer timer(String name, String... tags) {
		return this.registry.get(name).tag("name", "orders").tags(tags).timer();
	}

}
