package dev.sluice.autoconfigure.web;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottledException;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceWebMvcAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class, SluiceWebMvcAutoConfiguration.class))
		.withUserConfiguration(Mvc.class)
		.withBean(Quotes.class)
		.withBean(ThrottlingManagerCustomizer.class, () -> (manager) -> {
			manager.addOrUpdate("quotes", Limit.slidingLog(10, Duration.ofMillis(1500)));
			manager.addOrUpdate("exports", Limit.semaphore(3));
		});

	@Test
	void throttledRequestIsAnsweredWith429() {
		this.contextRunner.run(answer("/quotes", (result) -> {
			assertThat(result).hasStatus(HttpStatus.TOO_MANY_REQUESTS)
				.hasContentTypeCompatibleWith("application/problem+json")
				.hasHeader("Retry-After", "2")
				.hasHeader("RateLimit-Policy", "\"quotes\";q=10;w=2")
				.hasHeader("RateLimit", "\"quotes\";r=0;t=2")
				.bodyJson()
				.isStrictlyEqualTo("""
						{ "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
						  "title": "Request cannot be satisfied as assigned quota has been exceeded",
						  "status": 429, "detail": "Retry after 2 s", "violated-policies": ["quotes"] }""");
			assertThat(result.getResponse().getContentAsString()).doesNotContain("ada");
		}));
	}

	@ParameterizedTest
	@CsvSource({ "409, Conflict", "423, Locked", "503, Service Unavailable" })
	void statusOfALimitIsThatOfItsProperty(int status, String title) {
		this.contextRunner
			.withPropertyValues("sluice.throttles.quotes.limit=10", "sluice.throttles.quotes.period=1500ms",
					"sluice.throttles.quotes.status=" + status)
			.run(answer("/quotes",
					(result) -> assertThat(result).hasStatus(status)
						.hasHeader("Retry-After", "2")
						.bodyJson()
						.isStrictlyEqualTo("""
								{ "type": "about:blank", "title": "%s", "status": %d, "detail": "Retry after 2 s",
								  "violated-policies": ["quotes"] }""".formatted(title, status))));
	}

	/** The client has not exceeded a quota, whatever status its excess would have. */
	@Test
	void requestIsAnsweredWith503WhileTheStoreIsUnavailable() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.quotes.limit=10", "sluice.throttles.quotes.period=1500ms",
					"sluice.throttles.quotes.status=409")
			.run(answer("/unavailable", (result) -> assertThat(result).hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
				.hasContentTypeCompatibleWith("application/problem+json")
				.hasHeader("Retry-After", "1")
				.doesNotContainHeader("RateLimit")
				.doesNotContainHeader("RateLimit-Policy")
				.bodyJson()
				.isStrictlyEqualTo("""
						{ "type": "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",
						  "title": "Request cannot be satisfied due to temporary server capacity constraints",
						  "status": 503, "detail": "The limit 'quotes' cannot be checked; retry after 1 s" }""")));
	}

	@Test
	void whereNobodyCanKnowTheTimeIsLeftOut() {
		this.contextRunner.run(answer("/exports",
				(result) -> assertThat(result).hasStatus(HttpStatus.TOO_MANY_REQUESTS)
					.doesNotContainHeader("Retry-After")
					.hasHeader("RateLimit-Policy", "\"exports\";q=3;qu=\"concurrent-requests\"")
					.hasHeader("RateLimit", "\"exports\";r=0")));
	}

	@Test
	void nameThatIsNoFieldTextIsLeftOutOfTheFields() {
		this.contextRunner.run(answer("/umlaut",
				(result) -> assertThat(result).hasStatus(HttpStatus.TOO_MANY_REQUESTS)
					.doesNotContainHeader("RateLimit")
					.hasHeader("Retry-After", "1")
					.bodyJson()
					.extractingPath("$.violated-policies[0]")
					.isEqualTo("gebühren")));
	}

	@Test
	void failedFutureIsAnsweredWith429() {
		this.contextRunner
			.run(answer("/later", (result) -> assertThat(result).hasStatus(HttpStatus.TOO_MANY_REQUESTS)));
	}

	@Test
	void otherExceptionsAreNotTouched() {
		this.contextRunner.withBean(CatchAll.class)
			.run(answer("/broken", (result) -> assertThat(result).hasStatus(HttpStatus.INTERNAL_SERVER_ERROR)));
	}

	@ParameterizedTest
	@CsvSource({ "/quotes", "/local/quotes" })
	void handlerOfAllExceptionsDoesNotMakeAnErrorOfIt(String path) {
		this.contextRunner.withBean(CatchAll.class)
			.withBean(WithCatchAll.class)
			.run(answer(path, (result) -> assertThat(result).hasStatus(HttpStatus.TOO_MANY_REQUESTS)));
	}

	@Test
	void handlerThatIsMeantForRejectionsWins() {
		this.contextRunner.withBean(ForRejections.class)
			.run(answer("/quotes", (result) -> assertThat(result).hasStatus(HttpStatus.SERVICE_UNAVAILABLE)));
	}

	@Test
	void whenSwitchedOffThenThereIsNoResolver() {
		this.contextRunner.withPropertyValues("sluice.web.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ThrottledExceptionResolver.class));
	}

	private static ContextConsumer<AssertableWebApplicationContext> answer(String path,
			ThrowingConsumer<MvcTestResult> result) {
		return (context) -> result.accept(MockMvcTester.from(context).get().uri(path).exchange());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class Mvc {

	}

	@RestController
	static class Quotes {

		@GetMapping("/quotes")
		void quotes() {
			throw new ThrottledException("quotes", "ada", Duration.ofMillis(1001));
		}

		@GetMapping("/exports")
		void exports() {
			throw new ThrottledException("exports", "ada", null);
		}

		@GetMapping("/unavailable")
		void unavailable() {
			throw new ThrottledException("quotes", "ada", Duration.ofMillis(500), Decision.Reason.STORE);
		}

		@GetMapping("/umlaut")
		void umlaut() {
			throw new ThrottledException("gebühren", "ada", Duration.ofNanos(1));
		}

		@GetMapping("/later")
		CompletableFuture<@Nullable String> later() {
			return CompletableFuture.failedFuture(new ThrottledException("quotes", "ada", null));
		}

		@GetMapping("/broken")
		void broken() {
			throw new IllegalStateException("broken");
		}

	}

	@RestController
	static class WithCatchAll {

		@GetMapping("/local/quotes")
		void quotes() {
			throw new ThrottledException("quotes", "ada", null);
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void all() {
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void all() {
		}

	}

	@RestControllerAdvice
	static class ForRejections {

		@ExceptionHandler(RejectedExecutionException.class)
		@ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
		void rejected() {
		}

	}

}
