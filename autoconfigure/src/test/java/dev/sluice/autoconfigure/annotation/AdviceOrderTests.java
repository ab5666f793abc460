package dev.sluice.autoconfigure.annotation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AdviceOrderTests {

	private static final Map<String, String> NAMES = Map.of("AnnotationAsyncExecutionInterceptor", "@Async",
			"ConcurrencyLimitInterceptor", "@ConcurrencyLimit", "RetryAnnotationInterceptor", "@Retryable",
			"CacheInterceptor", "@Cacheable", "TransactionInterceptor", "@Transactional", "ThrottleInterceptor",
			"@Throttled");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
				SluiceAnnotationsAutoConfiguration.class))
		.withUserConfiguration(Everything.class)
		.withPropertyValues("sluice.throttles.quotes.limit=100", "sluice.throttles.quotes.period=1h");

	@Test
	void relaxedIsInsideRetryAndOutsideCacheAndTransaction() {
		this.contextRunner.withBean(Relaxed.class)
			.run((context) -> assertThat(chain(context.getBean(Relaxed.class))).containsExactly("@Async",
					"@ConcurrencyLimit", "@Retryable", "@Throttled", "@Cacheable", "@Transactional"));
	}

	@Test
	void strictIsInsideAsyncAndOutsideRetry() {
		this.contextRunner.withBean(Strict.class)
			.run((context) -> assertThat(chain(context.getBean(Strict.class))).containsExactly("@Async", "@Throttled",
					"@ConcurrencyLimit", "@Retryable", "@Cacheable", "@Transactional"));
	}

	@ParameterizedTest
	@ValueSource(classes = { Relaxed.class, Strict.class })
	void callsOfAsynchronousMethodsStandInLineBeforeAsync(Class<?> type) {
		this.contextRunner.withBean(type)
			.run((context) -> assertThat(Arrays.stream(((Advised) context.getBean(type)).getAdvisors())
				.map((advisor) -> advisor.getAdvice().getClass().getSimpleName())).containsSubsequence(
						"AsyncThrottleInterceptor", "AnnotationAsyncExecutionInterceptor", "ThrottleInterceptor"));
	}

	@Test
	void propertyMakesAllStrict() {
		this.contextRunner.withPropertyValues("sluice.annotations.strict=true")
			.withBean(Relaxed.class)
			.run((context) -> assertThat(chain(context.getBean(Relaxed.class))).startsWith("@Async", "@Throttled"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void relaxedTakesAPermitAnAttemptAndStrictTakesOne(boolean strict) {
		this.contextRunner.withPropertyValues("sluice.annotations.strict=" + strict)
			.withBean(Flaky.class)
			.run((context) -> {
				assertThat(context.getBean(Flaky.class).call()).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(3);
				assertThat(context.getBean(ThrottlingManager.class).get("quotes").state("").used())
					.isEqualTo(strict ? 1 : 3);
			});
	}

	@Test
	void aCallThatTheCacheAnswersTakesAPermit() {
		this.contextRunner.withBean(Cached.class).run((context) -> {
			Cached cached = context.getBean(Cached.class);
			assertThat(cached.call()).isEqualTo(cached.call()).isOne();
			assertThat(context.getBean(ThrottlingManager.class).get("quotes").state("").used()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void relaxedRefusesEachAttemptAndStrictTheCall(boolean strict) {
		this.contextRunner.withPropertyValues("sluice.annotations.strict=" + strict)
			.withBean(Busy.class)
			.run((context) -> {
				Throttle busy = context.getBean(ThrottlingManager.class).get("busy");
				Permit held = busy.tryAcquire().permit();
				assertThatExceptionOfType(ThrottledException.class).isThrownBy(context.getBean(Busy.class)::call);
				assertThat(busy.snapshot(0).rejected()).isEqualTo(strict ? 1 : 3);
				held.close();
			});
	}

	private static List<String> chain(Object bean) {
		return Arrays.stream(((Advised) bean).getAdvisors())
			.map((advisor) -> advisor.getAdvice().getClass().getSimpleName())
			.filter(NAMES::containsKey)
			.map(NAMES::get)
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableCaching
	@EnableResilientMethods
	@EnableTransactionManagement
	static class Everything {

		@Bean
		ConcurrentMapCacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	static class Relaxed {

		@Async
		@Cacheable("quotes")
		@ConcurrencyLimit(1)
		@Retryable
		@Throttled("quotes")
		@Transactional
		public void call() {
		}

	}

	static class Strict {

		@Async
		@Cacheable("quotes")
		@ConcurrencyLimit(1)
		@Retryable
		@Throttled("quotes")
		@Transactional
		@WhenThrottled(strict = true)
		public void call() {
		}

	}

	static class Flaky {

		private final AtomicInteger attempts = new AtomicInteger();

		@Async
		@Retryable(delay = 1)
		@Throttled("quotes")
		public CompletableFuture<Integer> call() {
			int attempt = this.attempts.incrementAndGet();
			if (attempt < 3) {
				throw new IllegalStateException("Not yet");
			}
			return CompletableFuture.completedFuture(attempt);
		}

	}

	static class Cached {

		private final AtomicInteger calls = new AtomicInteger();

		@Cacheable("quotes")
		@Throttled("quotes")
		public int call() {
			return this.calls.incrementAndGet();
		}

	}

	static class Busy {

		@Mutex("busy")
		@Retryable(maxRetries = 2, delay = 1)
		public void call() {
		}

	}

}
