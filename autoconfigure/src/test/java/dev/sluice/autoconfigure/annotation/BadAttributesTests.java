package dev.sluice.autoconfigure.annotation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each bad attribute of an annotation stops the start, and the message names the
 * attribute. The name of a method is the attribute and a number.
 */
class BadAttributesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
				SluiceAnnotationsAutoConfiguration.class))
		.withPropertyValues("sluice.throttles.known.limit=1", "sluice.throttles.known.period=1s");

	@TestFactory
	Stream<DynamicTest> badAttributeStopsTheStartAndTheMessageNamesTheAttribute() {
		return Arrays.stream(getClass().getDeclaredClasses())
			.filter((type) -> type.getSimpleName().matches(".*\\d") && !type.isSynthetic())
			.map((type) -> DynamicTest.dynamicTest(type.getSimpleName(),
					() -> this.contextRunner.withBean(type).run((context) -> {
						assertThat(context).hasFailed();
						String attribute = type.getSimpleName().replaceFirst("\\d+$", "");
						assertThat(FailureAnalyses.of(context.getStartupFailure()))
							.containsIgnoringCase("'" + attribute);
					})));
	}

	@Test
	void eachAttributeHasABadValue() {
		assertThat(Stream.of(Throttled.class, Semaphore.class, Mutex.class, WhenThrottled.class)
			.flatMap((annotation) -> Stream.of(annotation.getDeclaredMethods()))
			.filter((attribute) -> !attribute.getReturnType().isEnum() && attribute.getReturnType() != boolean.class)
			.map((attribute) -> attribute.getName().toLowerCase(Locale.ROOT))
			.distinct())
			.isSubsetOf(Arrays.stream(getClass().getDeclaredClasses())
				.map((type) -> type.getSimpleName().replaceFirst("\\d+$", "").toLowerCase(Locale.ROOT))
				.toList());
	}

	@Test
	void limitThatAStoreDoesNotSupportIsNamed() {
		this.contextRunner.withBean(ThrottleStore.class, PickyStore::new)
			.withPropertyValues("sluice.throttles.many.limit=2000", "sluice.throttles.many.period=1s")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(
					"The limit 'many' of 'sluice.throttles.many' cannot be defined: 'limit' must be at most 1000"));
		this.contextRunner.withBean(ThrottleStore.class, PickyStore::new)
			.withBean(Many.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(
					"'value = \"many\"' of @Throttled(\"many\") cannot be defined: 'limit' must be at most 1000"));
	}

	/** Keeps the state of small limits only, as PostgreSQL. */
	static final class PickyStore implements ThrottleStore {

		@Override
		public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
			if (limit.limit() > 1000) {
				throw new IllegalArgumentException("'limit' must be at most 1000: " + limit.limit());
			}
			return Optional.empty();
		}

	}

	static class Many {

		@Throttled(value = "many", limit = 2000, period = "1s")
		void run() {
		}

	}

	static class Value1 {

		@Throttled(value = "", limit = 1, period = "1s")
		void run() {
		}

	}

	static class Value2 {

		@Throttled("unknown")
		void run() {
		}

	}

	static class Key1 {

		@Throttled(value = "known", key = "#nope")
		void run(String text) {
		}

	}

	static class Key2 {

		@Throttled(value = "known", key = "#text.")
		void run(String text) {
		}

	}

	static class Permits1 {

		@Throttled(value = "known", permits = "-1")
		void run() {
		}

	}

	static class Permits2 {

		@Throttled(value = "known", permits = "#text")
		void run(String text) {
		}

	}

	static class Permits3 {

		@Semaphore(value = "s", limit = 1, permits = "2")
		void run() {
		}

	}

	static class Permits4 {

		@Throttled(value = "known", permits = "many")
		void run() {
		}

	}

	static class Limit1 {

		@Throttled(value = "a", limit = -2, period = "1s")
		void run() {
		}

	}

	static class Limit2 {

		@Semaphore(value = "s", limit = -2)
		void run() {
		}

	}

	static class Period1 {

		@Throttled(value = "a", limit = 1, period = "x")
		void run() {
		}

	}

	static class Period2 {

		@Throttled(value = "a", limit = 1, period = "-1s")
		void run() {
		}

	}

	static class Buckets1 {

		@Throttled(value = "a", type = LimitType.SLIDING_WINDOW, limit = 1, period = "1s", buckets = -2)
		void run() {
		}

	}

	static class Capacity1 {

		@Throttled(value = "a", type = LimitType.TOKEN_BUCKET, limit = 1, period = "1s", capacity = -2)
		void run() {
		}

	}

	static class MinLimit1 {

		@Throttled(value = "a", type = LimitType.DYNAMIC_WINDOW, capacity = 5, minLimit = -2, period = "1s",
				buckets = 5)
		void run() {
		}

	}

	static class MaxLimit1 {

		@Throttled(value = "a", type = LimitType.DYNAMIC_WINDOW, capacity = 5, maxLimit = 9, period = "1s", buckets = 5)
		void run() {
		}

	}

	static class Owner1 {

		@Mutex(value = "m", owner = "#nope", mode = Mode.ACQUIRE)
		void run(String text) {
		}

	}

	static class Mode1 {

		@Mutex(value = "m", mode = Mode.RELEASE)
		void run(String text) {
		}

	}

	static class RequireHeld1 {

		@Mutex(value = "m", owner = "#text", requireHeld = true)
		void run(String text) {
		}

	}

	static class MaxWait1 {

		@Throttled("known")
		@WhenThrottled(action = Action.WAIT, maxWait = "x")
		void run() {
		}

	}

	static class MaxWait2 {

		@Throttled("known")
		@WhenThrottled(action = Action.WAIT, maxWait = "-1s")
		void run() {
		}

	}

	static class Delay1 {

		@Throttled("known")
		@WhenThrottled(action = Action.RETRY, delay = "-1s")
		CompletableFuture<String> run() {
			return new CompletableFuture<>();
		}

	}

	static class MaxRetries1 {

		@Throttled("known")
		@WhenThrottled(action = Action.RETRY, maxRetries = -5)
		CompletableFuture<String> run() {
			return new CompletableFuture<>();
		}

	}

	static class Fallback1 {

		@Throttled("known")
		@WhenThrottled(fallback = "nope")
		void run() {
		}

	}

}
