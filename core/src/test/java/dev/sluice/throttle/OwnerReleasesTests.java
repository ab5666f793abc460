package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

import dev.sluice.throttle.internal.OwnerReleases;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class OwnerReleasesTests {

	private static final Logger logger = Logger.getLogger(OwnerReleases.class.getName());

	private final List<String> log = new ArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord line) {
			OwnerReleasesTests.this.log.add(line.getMessage());
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	@BeforeEach
	void listen() {
		logger.addHandler(this.handler);
		logger.setUseParentHandlers(false);
	}

	@AfterEach
	void leave() {
		logger.removeHandler(this.handler);
		logger.setUseParentHandlers(true);
	}

	static Stream<ThrottlingManager> managers() {
		return Stream.of(ThrottlingManager.builder().build(),
				ThrottlingManager.builder().store(ThrottleStore.inMemory(NanoClock.system())).build());
	}

	@ParameterizedTest
	@MethodSource("managers")
	void releaseUnderAnotherNameIsLoggedOnce(ThrottlingManager manager) {
		Throttle seats = manager.addOrUpdate("seats", Limit.mutex());
		Throttle seat = manager.addOrUpdate("seat", Limit.mutex());
		seats.acquire("7", 1, Duration.ZERO).join();
		assertThat(seat.release("7", "batch")).isFalse();
		assertThat(seats.releaseAsync("8", "batch")).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(false);
		assertThat(seats.release("7", "other")).isFalse();
		assertThat(this.log).hasSize(2)
			.first()
			.asString()
			.isEqualTo("A release of limit 'seat' found no permits of its owner. Release with the limit, key and owner "
					+ "of the acquisition");
	}

	@ParameterizedTest
	@MethodSource("managers")
	void releaseBehindOneThatFoundPermitsIsNotLogged(ThrottlingManager manager) {
		Throttle seats = manager.addOrUpdate("seats", Limit.mutex());
		assertThat(manager.tryAcquire(AcquireRequest.of("seats", "7").owner("batch")).admitted()).isTrue();
		assertThat(seats.release("7", "batch")).isTrue();
		assertThat(seats.release("7", "batch")).isFalse();
		assertThat(this.log).isEmpty();
	}

}
