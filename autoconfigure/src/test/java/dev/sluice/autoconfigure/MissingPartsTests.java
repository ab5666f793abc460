package dev.sluice.autoconfigure;

import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Applications that lack something which is there for others. Those without the actuator
 * are in the tests of what needs it, as its own auto-configuration cannot be hidden from
 * an application that has the jar.
 */
class MissingPartsTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("sluice.throttles.quotes.limit=1", "sluice.throttles.quotes.period=1h",
				"management.endpoints.web.exposure.include=*", "management.endpoint.sluice.access=READ_ONLY");

	@Test
	void withAllThereIsNothingIsMissing() {
		this.contextRunner.run((context) -> {
			assertThatQuotesAreLimited(context);
			assertThat(context).hasBean("sluiceDashboardEndpoint")
				.hasBean("sluiceThrottlingEndpoint")
				.hasBean("sluiceHealthIndicator")
				.hasBean("sluiceThrottleMetrics")
				.hasSingleBean(WebSocketDispatcher.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "io.micrometer.core", "io.micrometer.observation", "org.springframework.messaging",
			"org.springframework.web.socket", "jakarta.websocket", "org.springframework.web.servlet",
			"org.springframework.web.reactive", "org.springframework.security", "reactor", "tools.jackson",
			"org.reactivestreams", "dev.sluice.redis", "io.lettuce", "org.springframework.data.redis",
			"dev.sluice.jdbc", "com.zaxxer.hikari", "org.springframework.boot.sql" })
	void withoutOneOfTheOptionalPartsAnApplicationStartsAndIsLimited(String part) {
		this.contextRunner.withClassLoader(new FilteredClassLoader(part)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatQuotesAreLimited(context);
		});
	}

	@Test
	void withoutTheWebAnApplicationStartsAndIsLimited() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("sluice.throttles.quotes.limit=1", "sluice.throttles.quotes.period=1h")
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "jakarta.servlet", "jakarta.websocket"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatQuotesAreLimited(context);
			});
	}

	private static void assertThatQuotesAreLimited(ApplicationContext context) {
		Quotes quotes = context.getBean(Quotes.class);
		assertThat(quotes.quote()).isEqualTo(42);
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(quotes::quote);
		assertThat(context.getBean(ThrottlingManager.class).get("quotes").snapshot(0).rejected()).isEqualTo(1);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Quotes.class)
	static class Application {

	}

	/** Public, for its proxy is defined by another class loader. */
	public static class Quotes {

		@Throttled("quotes")
		public int quote() {
			return 42;
		}

	}

}
