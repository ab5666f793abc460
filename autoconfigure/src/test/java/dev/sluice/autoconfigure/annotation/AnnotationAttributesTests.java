package dev.sluice.autoconfigure.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Walks every attribute of every annotation: one without a proven effect fails. */
class AnnotationAttributesTests {

	private static final Map<String, BiConsumer<Service, ThrottlingManager>> EFFECTS = new HashMap<>();

	static {
		EFFECTS.put("Throttled.value", (service, manager) -> {
			service.rate("k", 2);
			assertThat(manager.find("rate")).isPresent();
		});
		EFFECTS.put("Throttled.key", (service, manager) -> {
			service.rate("k", 2);
			assertThat(state(manager, "rate", "k").used()).isPositive();
		});
		EFFECTS.put("Throttled.permits", (service, manager) -> {
			service.rate("k", 2);
			assertThat(state(manager, "rate", "k").used()).isEqualTo(2);
		});
		EFFECTS.put("Throttled.type",
				(service, manager) -> assertThat(limit(manager, "window")).isInstanceOf(Limit.FixedWindow.class));
		EFFECTS.put("Throttled.limit", (service, manager) -> assertThat(limit(manager, "rate").limit()).isEqualTo(3));
		EFFECTS.put("Throttled.period",
				(service, manager) -> assertThat(limit(manager, "rate").period()).isEqualTo(Duration.ofHours(1)));
		EFFECTS.put("Throttled.buckets", (service, manager) -> assertThat(limit(manager, "buckets"))
			.isEqualTo(Limit.slidingWindow(4, Duration.ofHours(1), 6)));
		EFFECTS.put("Throttled.capacity", (service, manager) -> assertThat(limit(manager, "bucket"))
			.isEqualTo(Limit.tokenBucket(20, 10, Duration.ofSeconds(1))));
		EFFECTS.put("Throttled.minLimit", (service, manager) -> assertThat(limit(manager, "tenants"))
			.isEqualTo(Limit.dynamicWindow(20, 2, 9, Duration.ofMinutes(1), 6)));
		EFFECTS.put("Throttled.maxLimit", (service, manager) -> assertThat(limit(manager, "tenants"))
			.isEqualTo(Limit.dynamicWindow(20, 2, 9, Duration.ofMinutes(1), 6)));
		EFFECTS.put("Semaphore.value", (service, manager) -> assertThat(manager.find("slots")).isPresent());
		EFFECTS.put("Semaphore.key", (service, manager) -> {
			service.slots("k", 2, "me");
			assertThat(state(manager, "slots", "k").used()).isPositive();
		});
		EFFECTS.put("Semaphore.permits", (service, manager) -> {
			service.slots("k", 2, "me");
			assertThat(state(manager, "slots", "k").used()).isEqualTo(2);
		});
		EFFECTS.put("Semaphore.limit", (service, manager) -> assertThat(limit(manager, "slots").limit()).isEqualTo(5));
		EFFECTS.put("Semaphore.mode", (service, manager) -> {
			service.slots("k", 2, "me");
			service.slotsBack("k", "me");
			assertThat(state(manager, "slots", "k").used()).isZero();
		});
		EFFECTS.put("Semaphore.owner", (service, manager) -> {
			service.slots("k", 2, "me");
			assertThat(state(manager, "slots", "k").oldestHolder()).map(Holder::owner).hasValue("me");
		});
		EFFECTS.put("Mutex.value", (service, manager) -> assertThat(manager.find("mutex")).isPresent());
		EFFECTS.put("Mutex.key", (service, manager) -> {
			service.mutex("k", "me");
			assertThat(state(manager, "mutex", "k").used()).isOne();
		});
		EFFECTS.put("Mutex.mode", (service, manager) -> {
			service.mutex("k", "me");
			service.mutexBack("k", "me");
			assertThat(state(manager, "mutex", "k").used()).isZero();
		});
		EFFECTS.put("Mutex.owner", (service, manager) -> {
			service.mutex("k", "me");
			assertThat(state(manager, "mutex", "k").oldestHolder()).map(Holder::owner).hasValue("me");
		});
		EFFECTS.put("Semaphore.requireHeld", (service, manager) -> {
			service.slots("k", 2, "me");
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.slotsBackIfHeld("k", "other"));
		});
		EFFECTS.put("Mutex.requireHeld", (service, manager) -> {
			service.mutex("k", "me");
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.mutexBackIfHeld("k", "other"));
		});
		EFFECTS.put("WhenThrottled.action", (service, manager) -> {
			service.mutex("k", "other");
			assertThat(service.drop("k")).isNull();
		});
		EFFECTS.put("WhenThrottled.maxWait", (service, manager) -> {
			service.mutex("k", "other");
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.waitShortly("k"));
		});
		EFFECTS.put("WhenThrottled.delay", (service, manager) -> {
			service.mutex("k", "other");
			CompletableFuture<String> later = service.triedMuchLater("k");
			assertThat(manager.get("mutex").release("k", "other")).isTrue();
			assertThat(later).isNotDone();
		});
		EFFECTS.put("WhenThrottled.maxRetries", (service, manager) -> {
			service.mutex("k", "other");
			assertThat(service.triedAgain("k")).failsWithin(Duration.ofSeconds(20));
			assertThat(manager.get("mutex").snapshot(0).rejected()).isEqualTo(3);
		});
		EFFECTS.put("WhenThrottled.strict", (service, manager) -> {
			service.retried(new AtomicInteger());
			assertThat(state(manager, "strict", "").used()).isOne();
		});
		EFFECTS.put("WhenThrottled.fallback", (service, manager) -> {
			service.mutex("k", "other");
			assertThat(service.withFallback("k")).isEqualTo("later k");
		});
	}

	@Timeout(60)
	@ParameterizedTest(name = "{0}")
	@MethodSource
	void everyAttributeHasItsEffect(String attribute) {
		assertThat(EFFECTS).containsKey(attribute);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
					SluiceAnnotationsAutoConfiguration.class))
			.withUserConfiguration(Resilience.class)
			.withBean(Service.class)
			.withPropertyValues("sluice.annotations.max-wait=1h", "names.mutex=mutex")
			.run((context) -> EFFECTS.get(attribute)
				.accept(context.getBean(Service.class), context.getBean(ThrottlingManager.class)));
	}

	static Stream<String> everyAttributeHasItsEffect() {
		return Stream
			.<Class<? extends Annotation>>of(Throttled.class, Semaphore.class, Mutex.class, WhenThrottled.class)
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods())
				.map(Method::getName)
				.sorted()
				.map((name) -> type.getSimpleName() + '.' + name));
	}

	private static Limit limit(ThrottlingManager manager, String resource) {
		return manager.get(resource).limit();
	}

	private static KeyState state(ThrottlingManager manager, String resource, String key) {
		return manager.get(resource).state(key);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Resilience {

	}

	static class Service {

		@Throttled(value = "rate", key = "#key", permits = "#permits", limit = 3, period = "1h")
		void rate(String key, int permits) {
		}

		@Semaphore(value = "slots", key = "#key", owner = "#owner", mode = Mode.RELEASE, requireHeld = true)
		void slotsBackIfHeld(String key, String owner) {
		}

		@Mutex(value = "mutex", key = "#key", owner = "#owner", mode = Mode.RELEASE, requireHeld = true)
		void mutexBackIfHeld(String key, String owner) {
		}

		@Throttled(value = "window", type = LimitType.FIXED_WINDOW, limit = 3, period = "1h")
		void window() {
		}

		@Throttled(value = "buckets", type = LimitType.SLIDING_WINDOW, limit = 4, period = "1h", buckets = 6)
		void buckets() {
		}

		@Throttled(value = "bucket", type = LimitType.TOKEN_BUCKET, limit = 10, period = "1s", capacity = 20)
		void bucket() {
		}

		@Throttled(value = "tenants", key = "#tenant", type = LimitType.DYNAMIC_WINDOW, capacity = 20, minLimit = 2,
				maxLimit = 9, period = "1m", buckets = 6)
		void tenants(String tenant) {
		}

		@Semaphore(value = "slots", key = "#key", permits = "#permits", owner = "#owner", mode = Mode.ACQUIRE,
				limit = 5)
		void slots(String key, int permits, String owner) {
		}

		@Semaphore(value = "slots", key = "#key", owner = "#owner", mode = Mode.RELEASE)
		void slotsBack(String key, String owner) {
		}

		@Mutex(value = "${names.mutex}", key = "#key", owner = "#owner", mode = Mode.ACQUIRE)
		void mutex(String key, String owner) {
		}

		@Mutex(value = "mutex", key = "#key", owner = "#owner", mode = Mode.RELEASE)
		void mutexBack(String key, String owner) {
		}

		@Mutex(value = "mutex", key = "#key")
		@WhenThrottled(action = Action.DROP)
		@Nullable String drop(String key) {
			return "done";
		}

		@Mutex(value = "mutex", key = "#key")
		@WhenThrottled(action = Action.WAIT, maxWait = "1ms")
		void waitShortly(String key) {
		}

		@Mutex(value = "mutex", key = "#key")
		@WhenThrottled(action = Action.RETRY, delay = "1h")
		CompletableFuture<String> triedMuchLater(String key) {
			return CompletableFuture.completedFuture(key);
		}

		@Mutex(value = "mutex", key = "#key")
		@WhenThrottled(action = Action.RETRY, delay = "1ms", maxRetries = 2)
		CompletableFuture<String> triedAgain(String key) {
			return CompletableFuture.completedFuture(key);
		}

		@Retryable(delay = 1)
		@Throttled(value = "strict", limit = 10, period = "1h")
		@WhenThrottled(strict = true)
		void retried(AtomicInteger attempts) {
			if (attempts.incrementAndGet() < 3) {
				throw new IllegalStateException("Not yet");
			}
		}

		@Mutex(value = "mutex", key = "#key")
		@WhenThrottled(fallback = "later")
		String withFallback(String key) {
			return "done " + key;
		}

		String later(String key) {
			return "later " + key;
		}

	}

}
