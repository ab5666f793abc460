package dev.sluice.cluster.internal.feed;

import java.time.Duration;
import java.util.Map;

import dev.sluice.bus.HistoryLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ByTopicTests {

	@Test
	void theLongestPatternThatMatchesCounts() {
		ByTopic<HistoryLimits> histories = new ByTopic<>(limits(1),
				Map.of("room-*", limits(2), "room-vip-*", limits(3), "room-7", limits(4), "*-vip", limits(5)));
		assertThat(histories.of("lobby")).isEqualTo(limits(1));
		assertThat(histories.of("room-8")).isEqualTo(limits(2));
		assertThat(histories.of("room-vip-8")).isEqualTo(limits(3));
		assertThat(histories.of("lobby-vip")).isEqualTo(limits(5));
		assertThat(new ByTopic<>(limits(1)).of("room-7")).isEqualTo(limits(1));
	}

	private static HistoryLimits limits(int size) {
		return new HistoryLimits(size, Duration.ofMinutes(1));
	}

}
