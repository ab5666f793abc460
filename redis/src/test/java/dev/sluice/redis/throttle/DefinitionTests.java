package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.stream.Stream;

import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class DefinitionTests {

	private static final Duration PERIOD = Duration.ofMillis(1500);

	@ParameterizedTest
	@MethodSource
	void textOfALimitIsReadBack(Limit limit) {
		Definition read = Definition.parse("7 " + Definition.terms(limit, LimitOptions.defaults()));

		assertThat(read).isEqualTo(new Definition(7, limit, LimitOptions.defaults()));
	}

	static Stream<Limit> textOfALimitIsReadBack() {
		return Stream.of(Limit.slidingLog(3, PERIOD), Limit.fixedWindow(3, PERIOD), Limit.slidingWindow(3, PERIOD, 5),
				Limit.dynamicWindow(9, 2, 5, PERIOD, 4), Limit.tokenBucket(6, 3, PERIOD), Limit.semaphore(3),
				Limit.mutex());
	}

	@Test
	void optionsAreReadBack() {
		Limit limit = Limit.slidingLog(3, PERIOD);
		LimitOptions options = LimitOptions.builder()
			.dryRun(true)
			.maxKeys(17)
			.atMaxKeys(AtMaxKeys.REJECT_NEW_KEYS)
			.maxWaiting(5)
			.failurePolicy(FailurePolicy.LOCAL)
			.lease(Duration.ofSeconds(7))
			.batch(9)
			.build();

		assertThat(Definition.parse("1 " + Definition.terms(limit, options)).options()).isEqualTo(options);
	}

}
