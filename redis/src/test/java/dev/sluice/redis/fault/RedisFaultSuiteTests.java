package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Each feature as the only one that uses Redis, during and after each fault: calls are
 * answered, the log and the attempts are bounded, and no state outlives the fault.
 */
@Isolated("counts the warnings of the process")
class RedisFaultSuiteTests {

	private static final int ATTEMPTS_A_SECOND = 10;

	private static final List<Feature> FEATURES = List.of(new Feature("limits", RedisUser::limits),
			new Feature("topics", RedisUser::topics), new Feature("sessions", RedisUser::sessions),
			new Feature("frames", RedisUser::frames), new Feature("resume", RedisUser::resume),
			new Feature("presence", RedisUser::presence));

	private final RecordedLog log = new RecordedLog();

	private final RedisFaultSite site = new RedisFaultSite();

	@BeforeEach
	void listen() {
		Logger.getLogger("").addHandler(this.log);
	}

	@AfterEach
	void stop() throws Exception {
		Logger.getLogger("").removeHandler(this.log);
		this.site.close();
	}

	@ParameterizedTest
	@MethodSource
	void faultEndsWithItsCause(RedisFault fault, Feature feature) throws Exception {
		suffer(fault, feature, Duration.ofMillis(1500));
	}

	static Stream<Arguments> faultEndsWithItsCause() {
		return Stream.of(Arguments.of(RedisFault.STOPPED, FEATURES.get(2)),
				Arguments.of(RedisFault.OUT_OF_MEMORY, FEATURES.get(0)));
	}

	@Tag("hostile")
	@ParameterizedTest
	@MethodSource
	void anyFaultOfAnyFeatureEndsWithItsCause(RedisFault fault, Feature feature) throws Exception {
		suffer(fault, feature, Duration.ofSeconds(6));
	}

	/** Each fault with one feature, or with each of them where tests run in full. */
	static Stream<Arguments> anyFaultOfAnyFeatureEndsWithItsCause() {
		return Stream.of(RedisFault.values())
			.flatMap((fault) -> features(fault).map((feature) -> Arguments.of(fault, feature)));
	}

	private static Stream<Feature> features(RedisFault fault) {
		return Boolean.getBoolean("sluice.test.full") ? FEATURES.stream()
				: Stream.of(FEATURES.get(fault.ordinal() % FEATURES.size()));
	}

	private void suffer(RedisFault fault, Feature feature, Duration time) throws Exception {
		try (RedisUser user = feature.start().apply(this.site.client())) {
			await().atMost(Duration.ofSeconds(30)).until(() -> user.isUp() && user.call());
			this.log.records.clear();

			fault.begin.accept(this.site, time);
			for (int i = 0; i < 6; i++) {
				user.call();
			}
			long before = this.site.network().requests();
			long begin = System.nanoTime();
			await().pollDelay(time).atMost(time.multipliedBy(3)).until(() -> true);
			double seconds = (System.nanoTime() - begin) / 1e9;
			assertThat((this.site.network().requests() - before) / seconds).as("attempts a second")
				.isLessThanOrEqualTo(ATTEMPTS_A_SECOND);
			fault.end.accept(this.site);

			await().atMost(Duration.ofSeconds(10)).until(() -> user.isUp() && user.call());
			assertThat(this.log.texts(Level.WARNING)).as("warnings").hasSizeLessThanOrEqualTo(1);
			if (!this.log.texts(Level.WARNING).isEmpty()) {
				await().atMost(Duration.ofSeconds(10)).until(() -> !this.log.texts(Level.INFO).isEmpty());
			}
			assertThat(this.log.texts(Level.INFO)).as("messages").hasSizeLessThanOrEqualTo(1);
			assertThat(user.isUp()).isTrue();
		}
		assertThat(this.log.texts(Level.WARNING)).as("warnings until the end").hasSizeLessThanOrEqualTo(1);
	}

	/**
	 * Feature of an application.
	 *
	 * @param name its name
	 * @param start starts it
	 */
	record Feature(String name, Function<RedisClient, RedisUser> start) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	/** What Sluice and the client have logged. */
	private static final class RecordedLog extends Handler {

		private final List<LogRecord> records = new CopyOnWriteArrayList<>();

		@Override
		public void publish(LogRecord entry) {
			String name = String.valueOf(entry.getLoggerName());
			if (name.startsWith("dev.sluice") || name.startsWith("io.lettuce") || name.startsWith("io.netty")) {
				this.records.add(entry);
			}
		}

		/** Returns what was logged at a level: of the client, what is a warning. */
		private List<String> texts(Level level) {
			return this.records.stream()
				.filter((entry) -> entry.getLevel().equals(level)
						|| level == Level.WARNING && entry.getLevel() == Level.SEVERE)
				.filter((entry) -> level == Level.WARNING || entry.getLoggerName().startsWith("dev.sluice"))
				.map((entry) -> entry.getLoggerName() + ": " + entry.getMessage())
				.toList();
		}

		@Override
		public void flush() {
			// nothing is kept back
		}

		@Override
		public void close() {
			// nothing is open
		}

	}

}
