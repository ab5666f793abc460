package dev.sluice.autoconfigure.websocket;

import java.util.stream.Stream;

import dev.sluice.autoconfigure.properties.InvalidConfigurationFailureAnalyzer;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.web.SluiceWebFluxAutoConfiguration;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebSession;
import org.springframework.web.service.annotation.GetExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class ReactiveBeansCheckTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceWebSocketAutoConfiguration.class));

	@ParameterizedTest
	@MethodSource
	<T> void aBeanThatOnlyWebFluxUsesStopsTheStartOfAServletApplication(Class<T> type) {
		this.contextRunner.withBean("mine", type, () -> mock(type)).run((context) -> {
			FailureAnalysis analysis = new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("servlet application").endsWith("not work: mine");
			assertThat(analysis.getAction()).contains("sluice-spring-boot-starter-limits")
				.contains("spring.main.web-application-type");
		});
	}

	static Stream<Class<?>> aBeanThatOnlyWebFluxUsesStopsTheStartOfAServletApplication() {
		return Stream.of(WebFilter.class, RouterFunction.class, WebFluxConfigurer.class,
				org.springframework.web.reactive.socket.WebSocketHandler.class);
	}

	@ParameterizedTest
	@ValueSource(classes = { Exchanges.class, Requests.class, Responses.class, WebSessions.class, Bodies.class,
			Parts.class, Uploads.class, DeclaredExchanges.class })
	<T> void aControllerThatOnlyWebFluxCanCallStopsTheStartOfAServletApplication(Class<T> type) {
		this.contextRunner.withBean("mine", type).run((context) -> {
			FailureAnalysis analysis = new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).endsWith("not work: mine");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { Results.class, Plain.class, NoController.class })
	<T> void aControllerThatSpringMvcCanCallStopsNothing(Class<T> type, CapturedOutput output) {
		this.contextRunner.withBean(type).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("This is a servlet application")
				.contains("sluice-spring-boot-starter-limits");
		});
	}

	@Test
	void anApplicationWithoutBootsWebFluxIsToldNothing(CapturedOutput output) {
		this.contextRunner.withClassLoader(new FilteredClassLoader(WebFluxAutoConfiguration.class))
			.withBean(Results.class)
			.run((context) -> assertThat(output).doesNotContain("This is a servlet application"));
	}

	@ParameterizedTest
	@ValueSource(classes = { Exchanges.class, Results.class })
	<T> void anApplicationThatHasChosenItsKindStarts(Class<T> type, CapturedOutput output) {
		this.contextRunner.withBean(WebFilter.class, () -> mock(WebFilter.class))
			.withBean(type)
			.withPropertyValues("spring.main.web-application-type=servlet")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("This is a servlet application");
			});
	}

	@Test
	void withoutSuchBeansAServletApplicationStarts() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aReactiveApplicationHasThem() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluiceWebSocketAutoConfiguration.class,
					SluiceThrottlingAutoConfiguration.class, SluiceWebFluxAutoConfiguration.class))
			.withBean(WebFilter.class, () -> mock(WebFilter.class))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@RestController
	static class Exchanges {

		@GetMapping
		String get(ServerWebExchange exchange) {
			return exchange.toString();
		}

	}

	@RestController
	static class Requests {

		@PostMapping
		String post(ServerHttpRequest request) {
			return request.toString();
		}

	}

	@Controller
	static class Responses {

		@RequestMapping
		Mono<Void> write(ServerHttpResponse response) {
			return response.setComplete();
		}

	}

	@RestController
	static class WebSessions {

		@GetMapping
		String get(Mono<WebSession> session) {
			return session.toString();
		}

	}

	@RestController
	static class Bodies {

		@PostMapping
		Mono<String> post(@RequestBody Mono<String> body) {
			return body;
		}

	}

	@RestController
	static class Parts {

		@PostMapping
		Mono<Void> post(@RequestPart Flux<String> part) {
			return part.then();
		}

	}

	@RestController
	static class Uploads {

		@PostMapping
		String post(@RequestPart FilePart upload) {
			return upload.filename();
		}

	}

	@RestController
	static class DeclaredExchanges implements Declared {

		@Override
		public String get(ServerWebExchange exchange) {
			return exchange.toString();
		}

	}

	interface Declared {

		@GetExchange("/declared")
		String get(ServerWebExchange exchange);

	}

	/** What Spring MVC knows, too; the rest may be there for a client. */
	@RestController
	static class Results {

		@GetMapping
		Mono<String> get() {
			return Mono.just("result");
		}

		@GetMapping("/all")
		Flux<String> getAll(@RequestParam String name) {
			return Flux.just(name);
		}

		Mono<String> exchange(ServerWebExchange exchange) {
			return Mono.just(exchange.toString());
		}

	}

	@RestController
	static class Plain {

		@PostMapping
		String post(@RequestBody String body, HttpServletRequest request) {
			return request.getMethod() + body;
		}

	}

	static class NoController {

		@GetMapping
		String get(ServerWebExchange exchange) {
			return exchange.toString();
		}

	}

}
