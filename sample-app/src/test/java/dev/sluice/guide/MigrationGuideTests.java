package dev.sluice.guide;

import java.time.Duration;
import java.util.stream.IntStream;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/migration.md} says of dynamic windows. */
class MigrationGuideTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final ThrottlingManager limits = ThrottlingManager.builder().clock(new SettableClock()).build();

	@Test
	void aLimitOfEachKeyIsASlidingWindowWithKeys() {
		Throttle newsletter = this.limits.addOrUpdate("newsletter", Limit.slidingWindow(4, HOUR, 60));
		assertThat(admitted(newsletter, "tenant:1")).isEqualTo(4);
		assertThat(admitted(newsletter, "tenant:2")).isEqualTo(4);
	}

	@Test
	void aCapacityWithALimitIsADynamicWindowWhoseKeysAllGetThatLimit() {
		Throttle newsletter = this.limits.addOrUpdate("newsletter", Limit.dynamicWindow(20, 4, 4, HOUR, 60));
		assertThat(IntStream.rangeClosed(1, 6).map((tenant) -> admitted(newsletter, "tenant:" + tenant)))
			.containsExactly(4, 4, 4, 4, 4, 0);
	}

	@Test
	void aCapacityWithALeastAndAMostIsADynamicWindow() {
		Throttle newsletter = this.limits.addOrUpdate("newsletter", Limit.dynamicWindow(20, 2, 20, HOUR, 60));
		assertThat(admitted(newsletter, "tenant:1")).isEqualTo(20);
	}

	private static int admitted(Throttle throttle, String key) {
		return (int) IntStream.range(0, 30).filter((i) -> throttle.tryAcquire(key).admitted()).count();
	}

}
