package dev.sluice.throttle.internal.failover;

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

class LimitTermsTests {

	private static final Duration PERIOD = Duration.ofMillis(1500);

	@ParameterizedTest
	@MethodSource
	void textOfALimitIsReadBack(Limit limit) {
		LimitTerms terms = new LimitTerms(limit, LimitOptions.defaults());

		assertThat(LimitTerms.parse(terms.text())).isEqualTo(terms);
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

		assertThat(LimitTerms.parse(new LimitTerms(limit, options).text()).options()).isEqualTo(options);
	}

	@Test
	void optionsThatWereNotSetAreLeftToEachNode() {
		assertThat(new LimitTerms(Limit.slidingLog(3, PERIOD), LimitOptions.defaults()).text())
			.isEqualTo("type=sliding-log limit=3 period=PT1.5S dry-run=false max-keys=100000 at-max-keys=EVICT_IDLE"
					+ " max-waiting=10000");
	}

}
