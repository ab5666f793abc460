package dev.sluice.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LimitDefinitionTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void makesTheLimitOfItsType() {
		assertThat(of(LimitType.SLIDING_LOG).limit(10).period(SECOND).toLimit())
			.isEqualTo(Limit.slidingLog(10, SECOND));
		assertThat(of(LimitType.FIXED_WINDOW).limit(10).period(SECOND).toLimit())
			.isEqualTo(Limit.fixedWindow(10, SECOND));
		assertThat(of(LimitType.SLIDING_WINDOW).limit(10).period(SECOND).buckets(4).toLimit())
			.isEqualTo(Limit.slidingWindow(10, SECOND, 4));
		assertThat(
				of(LimitType.DYNAMIC_WINDOW).capacity(20).minLimit(2).maxLimit(9).period(SECOND).buckets(4).toLimit())
			.isEqualTo(Limit.dynamicWindow(20, 2, 9, SECOND, 4));
		assertThat(of(LimitType.TOKEN_BUCKET).limit(10).period(SECOND).capacity(20).toLimit())
			.isEqualTo(Limit.tokenBucket(20, 10, SECOND));
		assertThat(of(LimitType.SEMAPHORE).limit(3).toLimit()).isEqualTo(Limit.semaphore(3));
		assertThat(of(LimitType.MUTEX).toLimit()).isEqualTo(Limit.mutex());
	}

	@ParameterizedTest
	@MethodSource("limits")
	void definitionOfALimitMakesTheSame(Limit limit) {
		assertThat(LimitDefinition.of(limit).toLimit()).isEqualTo(limit);
	}

	static List<Limit> limits() {
		return List.of(Limit.slidingLog(10, SECOND), Limit.fixedWindow(10, SECOND), Limit.slidingWindow(10, SECOND, 4),
				Limit.dynamicWindow(20, 2, 9, SECOND, 4), Limit.tokenBucket(20, 10, SECOND), Limit.semaphore(3),
				Limit.mutex());
	}

	@ParameterizedTest
	@MethodSource("limits")
	void optionsByTheirNamesMakeTheSame(Limit limit) {
		LimitDefinition definition = of(LimitType.of(limit));
		for (Map.Entry<String, Object> option : LimitDefinition.of(limit).options().entrySet()) {
			definition = definition.option(option.getKey(), option.getValue());
		}

		assertThat(definition.toLimit()).isEqualTo(limit);
	}

	@Test
	void optionOfAnotherTypeIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> of(LimitType.SLIDING_LOG).option("limit", "10"))
			.withMessage("'limit' must be of type Integer: 10");
		assertThatIllegalArgumentException().isThrownBy(() -> of(LimitType.SLIDING_LOG).option("period", 10))
			.withMessage("'period' must be of type Duration: 10");
	}

	@Test
	void optionsOfALimitAreChangedOneByOne() {
		assertThat(LimitDefinition.of(Limit.tokenBucket(20, 10, SECOND)).limit(5).toLimit())
			.isEqualTo(Limit.tokenBucket(20, 5, SECOND));
		LimitOptions options = LimitOptions.builder()
			.maxKeys(7)
			.maxWaiting(3)
			.atMaxKeys(AtMaxKeys.REJECT_NEW_KEYS)
			.failurePolicy(FailurePolicy.OPEN)
			.lease(SECOND)
			.build();
		assertThat(options.toBuilder().build()).isEqualTo(options);
		assertThat(LimitOptions.defaults().toBuilder().dryRun(true).build())
			.isEqualTo(LimitOptions.builder().dryRun(true).build());
	}

	@Test
	void tokenBucketHoldsItsLimitUnlessToldOtherwise() {
		assertThat(of(LimitType.TOKEN_BUCKET).limit(10).period(SECOND).toLimit())
			.isEqualTo(Limit.tokenBucket(10, 10, SECOND));
	}

	@Test
	void keyOfADynamicWindowGetsFromOneToAllUnlessToldOtherwise() {
		assertThat(of(LimitType.DYNAMIC_WINDOW).capacity(20).period(SECOND).buckets(4).toLimit())
			.isEqualTo(Limit.dynamicWindow(20, 1, 20, SECOND, 4));
	}

	@Test
	void whenAnOptionIsMissingThenNamesIt() {
		assertInvalid(of(LimitType.DYNAMIC_WINDOW).period(SECOND).buckets(4),
				"'capacity' is missing: type dynamic-window needs it");
		assertInvalid(of(LimitType.SLIDING_LOG).period(SECOND), "'limit' is missing: type sliding-log needs it");
		assertInvalid(of(LimitType.SLIDING_LOG).limit(10), "'period' is missing: type sliding-log needs it");
		assertInvalid(of(LimitType.SLIDING_WINDOW).limit(10).period(SECOND),
				"'buckets' is missing: type sliding-window needs it");
	}

	@Test
	void whenAnOptionIsNotOneOfTheTypeThenNamesIt() {
		assertInvalid(of(LimitType.SLIDING_LOG).limit(10).period(SECOND).buckets(3),
				"'buckets' is no option of type sliding-log");
		assertInvalid(of(LimitType.FIXED_WINDOW).limit(10).period(SECOND).capacity(3),
				"'capacity' is no option of type fixed-window");
		assertInvalid(of(LimitType.DYNAMIC_WINDOW).capacity(3).period(SECOND).buckets(4).limit(2),
				"'limit' is no option of type dynamic-window");
		assertInvalid(of(LimitType.SLIDING_LOG).limit(3).period(SECOND).minLimit(2),
				"'minLimit' is no option of type sliding-log");
		assertInvalid(of(LimitType.SLIDING_WINDOW).limit(3).period(SECOND).buckets(4).maxLimit(2),
				"'maxLimit' is no option of type sliding-window");
		assertInvalid(of(LimitType.SEMAPHORE).limit(3).period(SECOND), "'period' is no option of type semaphore");
		assertInvalid(of(LimitType.MUTEX).limit(1), "'limit' is no option of type mutex");
	}

	@Test
	void whenAnOptionIsOutOfRangeThenNamesIt() {
		assertInvalid(of(LimitType.SLIDING_LOG).limit(0).period(SECOND), "'limit' must be greater than 0: 0");
		assertInvalid(of(LimitType.SLIDING_LOG).limit(1).period(Duration.ZERO),
				"'period' must be greater than 0: PT0S");
		assertInvalid(of(LimitType.SLIDING_WINDOW).limit(1).period(SECOND).buckets(10_001),
				"'buckets' must be at most 10000, for a period of PT1S: 10001");
		assertInvalid(of(LimitType.TOKEN_BUCKET).limit(1).period(SECOND).capacity(-1),
				"'capacity' must be greater than 0: -1");
	}

	private static LimitDefinition of(LimitType type) {
		return LimitDefinition.of(type);
	}

	private static void assertInvalid(LimitDefinition definition, String message) {
		assertThatExceptionOfType(InvalidLimitOptionException.class).isThrownBy(definition::toLimit)
			.withMessageStartingWith(message)
			.satisfies((ex) -> assertThat(message).isEqualTo("'" + ex.option() + "' " + ex.problem()));
	}

}
