package dev.sluice.jdbc.throttle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The state of a key has at most 1,000 entries. */
class SupportedLimitsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	static final List<Limit> SUPPORTED = List.of(Limit.slidingLog(1_000, HOUR), Limit.fixedWindow(1_000_000, HOUR),
			Limit.slidingWindow(1_000, HOUR, 5_000), Limit.slidingWindow(5_000, HOUR, 1_000),
			Limit.dynamicWindow(5_000, 1, 1_000, HOUR, 5_000), Limit.tokenBucket(1_000_000, 1_000_000, HOUR),
			Limit.semaphore(1_000_000));

	static final List<Limit> REJECTED = List.of(Limit.slidingLog(1_001, HOUR), Limit.slidingWindow(1_001, HOUR, 1_001),
			Limit.dynamicWindow(5_000, 1, 1_001, HOUR, 1_001));

	@ParameterizedTest
	@FieldSource("SUPPORTED")
	void limitWithSmallStatesIsAccepted(Limit limit) {
		assertThatCode(() -> VersionedLimit.requireSupported(limit, LimitOptions.defaults()))
			.doesNotThrowAnyException();
	}

	@ParameterizedTest
	@FieldSource("REJECTED")
	void limitWithLargeStatesIsRejected(Limit limit) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> VersionedLimit.requireSupported(limit, LimitOptions.defaults()))
			.withMessageContaining("of a " + limit.type() + " must be at most 1000 in PostgreSQL");
	}

	@Test
	void thePageSaysSo() throws IOException {
		assertThat(Files.readString(Path.of("..", "docs", "jdbc.md")).replaceAll("\\s+", " "))
			.contains("A sliding log admits at most 1,000 permits per period, and the smaller of the limit and the "
					+ "buckets of a window is at most 1,000. The definition of a larger limit is rejected.");
	}

}
