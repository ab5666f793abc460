package dev.sluice.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class ReactiveBeansCheckTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceWebSocketAutoConfiguration.class));

	@ParameterizedTest
	@MethodSource
	<T> void aBeanThatOnlyWebFluxUsesStopsTheStartOfAServletApplication(Class<T> type) {
		this.contextRunner.withBean("mine", type, () -> mock(type)).run((context) -> {
			FailureAnalysis analysis = new ReactiveBeansFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("servlet application").endsWith("no effect: mine");
			assertThat(analysis.getAction()).contains("sluice-spring-boot-starter-limits")
				.contains("spring.main.web-application-type");
		});
	}

	static Stream<Class<?>> aBeanThatOnlyWebFluxUsesStopsTheStartOfAServletApplication() {
		return Stream.of(WebFilter.class, RouterFunction.class, WebFluxConfigurer.class,
				org.springframework.web.reactive.socket.WebSocketHandler.class);
	}

	@Test
	void anApplicationThatHasChosenItsKindStarts() {
		this.contextRunner.withBean(WebFilter.class, () -> mock(WebFilter.class))
			.withPropertyValues("spring.main.web-application-type=servlet")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void withoutSuchBeansAServletApplicationStarts() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aReactiveApplicationHasThem() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluiceWebSocketAutoConfiguration.class,
					ThrottlingAutoConfiguration.class, ThrottlingWebFluxAutoConfiguration.class))
			.withBean(WebFilter.class, () -> mock(WebFilter.class))
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
