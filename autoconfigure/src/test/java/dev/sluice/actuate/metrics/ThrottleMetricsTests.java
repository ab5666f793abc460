package dev.sluice.actuate.metrics;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottleMetricsTests {

	private final SettableClock clock = new SettableClock();

	private final MockClock registryClock = new MockClock();

	private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.registryClock);

	private final ThrottleMetrics metrics = new ThrottleMetrics(this.registry);

	private final ThrottlingManager limits = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.listener(this.metrics)
		.build();

	@Test
	void callsAreCountedByResourceAndOutcome() {
		LimitOptions oneKey = LimitOptions.builder().maxKeys(1).atMaxKeys(AtMaxKeys.REJECT_NEW_KEYS).build();
		Throttle commands = this.limits.addOrUpdate("commands", Limit.slidingLog(1, Duration.ofHours(1)), oneKey);
		commands.tryAcquire("alice");
		commands.tryAcquire("alice");
		commands.tryAcquire("bob");
		assertThat(calls("commands", "admitted")).isEqualTo(1);
		assertThat(calls("commands", "limit")).isEqualTo(1);
		assertThat(calls("commands", "key-cap")).isEqualTo(1);
		assertThat(calls("commands", "line")).isZero();
	}

	@Test
	void timesInLineAndInHandAreTold() {
		Throttle order = this.limits.addOrUpdate("order", Limit.mutex());
		Permit first = order.tryAcquire("o-1").permit();
		CompletableFuture<Permit> second = order.acquire("o-1", 1, Duration.ofMinutes(1));
		order.acquire("o-1", 1, Duration.ofSeconds(2));
		this.clock.advance(Duration.ofSeconds(5));
		first.close();
		assertThat(second).isCompleted();
		assertThat(seconds("sluice.throttle.held")).isEqualTo(5);
		assertThat(seconds("sluice.throttle.wait", "outcome", "admitted")).isEqualTo(5);
		assertThat(seconds("sluice.throttle.wait", "outcome", "rejected")).isEqualTo(2);
		assertThat(this.registry.get("sluice.throttle.wait").tag("outcome", "admitted").timer().count()).isEqualTo(1);
	}

	@Test
	void gaugesTellOfWhatIsNow() {
		Throttle order = this.limits.addOrUpdate("order", Limit.mutex());
		this.metrics.monitor(this.limits);
		this.limits.tryAcquire(AcquireRequest.of("order", "o-1"));
		order.acquire("o-1", 1, Duration.ofMinutes(1));
		assertThat(gauge("sluice.throttle.waiting")).isEqualTo(1);
		assertThat(gauge("sluice.throttle.permits.held")).isEqualTo(1);
		assertThat(gauge("sluice.throttle.keys")).isEqualTo(1);
	}

	@Test
	void aLimitThatIsRemovedHasNoValueAndNoneBeforeItIsMonitored() {
		this.limits.addOrUpdate("order", Limit.mutex()).tryAcquire("o-1").permit().close();
		assertThat(gauge("sluice.throttle.keys")).isNaN();
		this.metrics.monitor(this.limits);
		this.registryClock.add(Duration.ofSeconds(1));
		assertThat(gauge("sluice.throttle.permits.held")).isZero();
		this.limits.remove("order");
		this.registryClock.add(Duration.ofSeconds(1));
		assertThat(gauge("sluice.throttle.permits.held")).isNaN();
	}

	@Test
	void tenThousandKeysAddNoMeter() {
		Throttle commands = this.limits.addOrUpdate("commands", Limit.slidingLog(1, Duration.ofHours(1)));
		this.metrics.monitor(this.limits);
		int meters = this.registry.getMeters().size();
		IntStream.range(0, 10_000).forEach((i) -> commands.tryAcquire("session-" + i));
		assertThat(this.registry.getMeters()).hasSize(meters);
		assertThat(calls("commands", "admitted")).isEqualTo(10_000);
		assertThat(gauge("sluice.throttle.keys")).isEqualTo(10_000);
	}

	private double calls(String resource, String outcome) {
		return this.registry.get("sluice.throttle.calls")
			.tags("resource", resource, "outcome", outcome)
			.counter()
			.count();
	}

	private double seconds(String timer, String... tags) {
		return this.registry.get(timer).tags(tags).timer().totalTime(TimeUnit.SECONDS);
	}

	private double gauge(String name) {
		return this.registry.get(name).gauge().value();
	}

}
