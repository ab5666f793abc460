package dev.sluice.autoconfigure.web;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableReactiveWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class SluiceWebFluxAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner contextRunner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class, SluiceWebFluxAutoConfiguration.class))
		.withUserConfiguration(Flux.class)
		.withBean(Quotes.class)
		.withBean(ThrottlingManagerCustomizer.class,
				() -> (manager) -> manager.addOrUpdate("quotes", Limit.slidingLog(10, Duration.ofMillis(1500))));

	@Test
	void throttledRequestIsAnsweredWith429() {
		this.contextRunner.run(answer("/quotes", (response) -> {
			assertThat(response.getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
			assertThat(response.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
			assertThat(response.getHeaders().getFirst("Retry-After")).isEqualTo("2");
			assertThat(response.getHeaders().getFirst("RateLimit-Policy")).isEqualTo("\"quotes\";q=10;w=2");
			assertThat(response.getHeaders().getFirst("RateLimit")).isEqualTo("\"quotes\";r=0;t=2");
			assertThat(response.getBodyAsString().block()).contains("#quota-exceeded", "\"violated-policies\"")
				.doesNotContain("ada");
		}));
	}

	@Test
	void statusOfALimitIsThatOfItsProperty() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.quotes.type=mutex", "sluice.throttles.quotes.status=423")
			.withBean(ThrottlingManager.class, () -> ThrottlingManager.builder().build())
			.run(answer("/quotes", (response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.LOCKED)));
	}

	@Test
	void requestIsAnsweredWith503WhileTheStoreIsUnavailable() {
		this.contextRunner.run(answer("/unavailable", (response) -> {
			assertThat(response.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
			assertThat(response.getHeaders().getFirst("Retry-After")).isEqualTo("1");
			assertThat(response.getHeaders().headerNames()).doesNotContain("RateLimit", "RateLimit-Policy");
			assertThat(response.getBodyAsString().block()).contains("#temporary-reduced-capacity")
				.doesNotContain("ada", "violated-policies");
		}));
	}

	@Test
	void otherExceptionsAreNotTouched() {
		this.contextRunner.run(answer("/broken",
				(response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/quotes", "/thrown", "/later" })
	void handlerOfAllExceptionsDoesNotMakeAnErrorOfIt(String path) {
		this.contextRunner.withUserConfiguration(CatchAll.class)
			.run(answer(path,
					(response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS)));
	}

	@Test
	void handlerOfAllExceptionsHasTheOthers() {
		this.contextRunner.withUserConfiguration(CatchAll.class)
			.run(answer("/broken",
					(response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)));
	}

	@Test
	void handlerThatIsMeantForRejectionsWins() {
		this.contextRunner.withUserConfiguration(ForRejections.class, CatchAll.class)
			.run(answer("/quotes", (response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.CONFLICT)));
	}

	/** WebFlux asks the handlers of a controller before any other. */
	@Test
	void handlerOfAllExceptionsOfAControllerComesFirst() {
		this.contextRunner.withUserConfiguration(CatchAll.class)
			.withBean(WithCatchAll.class)
			.run(answer("/local/quotes",
					(response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR)));
	}

	/** A handler of ours would have them, too, as causes of others. */
	@Test
	void withoutAHandlerOfAllExceptionsTheApplicationHandlesWhatARejectionCaused() {
		this.contextRunner.withUserConfiguration(ForOrders.class)
			.run(answer("/order", (response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.CONFLICT)));
	}

	@Test
	void withAHandlerOfAllExceptionsSoIsWhatARejectionCaused() {
		this.contextRunner.withUserConfiguration(CatchAll.class)
			.run(answer("/order",
					(response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS)));
	}

	@Test
	void handlerOfAllExceptionsComesFirstWhereTheOneForRejectionsIsForOtherControllers() {
		this.contextRunner.withUserConfiguration(ForOtherRejections.class, CatchAll.class)
			.run(answer("/quotes",
					(response) -> assertThat(response.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)));
	}

	/** To ask such a bean for its type would create it before it can be processed. */
	@Test
	void lookingForHandlersCreatesNoFactoryBean() {
		AtomicBoolean created = new AtomicBoolean();
		this.contextRunner.withInitializer((context) -> ((GenericApplicationContext) context)
			.registerBeanDefinition("factory", new RootBeanDefinition(FactoryBean.class, () -> {
				created.set(true);
				return mock(FactoryBean.class);
			})))
			.withInitializer((context) -> context.addBeanFactoryPostProcessor((beans) -> assertThat(created).isFalse()))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whenSwitchedOffThenThereIsNoHandler() {
		this.contextRunner.withPropertyValues("sluice.web.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ThrottledWebExceptionHandler.class));
	}

	private static ContextConsumer<AssertableReactiveWebApplicationContext> answer(String path,
			Consumer<MockServerHttpResponse> check) {
		return (context) -> {
			MockServerHttpResponse response = new MockServerHttpResponse();
			WebHttpHandlerBuilder.applicationContext(context)
				.build()
				.handle(MockServerHttpRequest.get(path).build(), response)
				.block();
			check.accept(response);
		};
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class Flux {

	}

	@RestController
	static class Quotes {

		@GetMapping("/quotes")
		Mono<String> quotes() {
			return Mono.error(new ThrottledException("quotes", "ada", Duration.ofMillis(1001)));
		}

		@GetMapping("/unavailable")
		String unavailable() {
			throw new ThrottledException("quotes", "ada", Duration.ofMillis(500), Decision.Reason.STORE);
		}

		@GetMapping("/thrown")
		String thrown() {
			throw new ThrottledException("quotes", "ada", null);
		}

		@GetMapping("/later")
		CompletableFuture<@Nullable String> later() {
			return CompletableFuture.failedFuture(new ThrottledException("quotes", "ada", null));
		}

		@GetMapping("/order")
		Mono<String> order() {
			return Mono.error(new IllegalArgumentException(new ThrottledException("quotes", "ada", null)));
		}

		@GetMapping("/broken")
		Mono<String> broken() {
			return Mono.error(new IllegalStateException("broken"));
		}

	}

	@RestController
	static class WithCatchAll {

		@GetMapping("/local/quotes")
		Mono<String> quotes() {
			return Mono.error(new ThrottledException("quotes", "ada", null));
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void all() {
		}

	}

	@RestControllerAdvice
	static class ForRejections {

		@ExceptionHandler(RejectedExecutionException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		void rejected() {
		}

	}

	@RestControllerAdvice(assignableTypes = WithCatchAll.class)
	static class ForOtherRejections extends ForRejections {

	}

	@RestControllerAdvice
	static class ForOrders {

		@ExceptionHandler(IllegalArgumentException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		void failed() {
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
		void all() {
		}

	}

}
