package dev.sluice.benchmarks.limits;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A contender that answers wrongly would win benchmarks. */
@Timeout(60)
class LimiterTests {

	@ParameterizedTest
	@MethodSource("contenders")
	void goesThePathForEveryKey(Contender contender, Path path) {
		String[] keys = Keys.make(2);
		Limiter limiter = contender.create(path, keys.length);
		for (String key : keys) {
			limiter.tryAcquire(key);
		}
		for (int call = 0; call < 100; call++) {
			assertThat(limiter.tryAcquire(keys[call % keys.length])).isEqualTo(path == Path.ADMITTED);
		}
	}

	@Test
	void handsTheMutexOverInOrder() {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		assertThat(HandOver.mutexNanos(pool, 500)).isPositive();
		assertThat(HandOver.taskNanos(pool, 500)).isPositive();
		pool.shutdown();
	}

	static Stream<Arguments> contenders() {
		return Stream.of(Contender.values())
			.flatMap((contender) -> Stream.of(Path.values()).map((path) -> Arguments.of(contender, path)));
	}

}
