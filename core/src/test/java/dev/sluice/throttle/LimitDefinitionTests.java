package dev.sluice.throttle;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LimitDefinitionTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void makesTheLimitOfItsType() {
		assertThat(new LimitDefinition(LimitType.SLIDING_LOG, 10, SECOND).toLimit())
			.isEqualTo(Limit.slidingLog(10, SECOND));
		assertThat(new LimitDefinition(LimitType.SEMAPHORE, 3, null).toLimit()).isEqualTo(Limit.semaphore(3));
		assertThat(new LimitDefinition(LimitType.MUTEX, null, null).toLimit()).isEqualTo(Limit.mutex());
	}

	@Test
	void whenAnOptionIsMissingThenNamesIt() {
		assertInvalid(LimitType.SLIDING_LOG, 10, null, "'period' is missing: type sliding-log needs it");
	}

	@Test
	void whenAnOptionIsNotOneOfTheTypeThenNamesIt() {
		assertInvalid(LimitType.SEMAPHORE, 3, SECOND, "'period' is no option of type semaphore");
		assertInvalid(LimitType.MUTEX, 1, null, "'limit' is no option of type mutex");
	}

	@Test
	void whenAnOptionIsOutOfRangeThenNamesIt() {
		assertInvalid(LimitType.SLIDING_LOG, 0, SECOND, "'limit' must be greater than 0: 0");
		assertInvalid(LimitType.SLIDING_LOG, 1, Duration.ZERO,
				"'period' must be greater than 0 and at most PT240000H: PT0S");
	}

	private static void assertInvalid(LimitType type, @Nullable Integer limit, @Nullable Duration period,
			String message) {
		assertThatExceptionOfType(InvalidLimitOptionException.class)
			.isThrownBy(() -> new LimitDefinition(type, limit, period).toLimit())
			.withMessage(message);
	}

}
