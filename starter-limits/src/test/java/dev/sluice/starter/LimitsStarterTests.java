package dev.sluice.starter;

import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.ThrottledException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the starter brings, and what it leaves to the application. */
class LimitsStarterTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.web.servlet.DispatcherServlet", "jakarta.servlet.Servlet",
			"org.springframework.web.socket.WebSocketHandler", "jakarta.websocket.server.ServerContainer",
			"org.springframework.web.reactive.DispatcherHandler" })
	void nothingThatDecidesTheKindOfAnApplicationIsBrought(String type) {
		assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).isFalse();
	}

	@Test
	void methodsAreLimitedInAnApplicationThatIsNotOfTheWeb() {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class);
		try (ConfigurableApplicationContext context = application.run("--sluice.throttles.quotes.limit=1",
				"--sluice.throttles.quotes.period=1h")) {
			assertThat(application.application().getWebApplicationType()).isEqualTo(WebApplicationType.NONE);
			Quotes quotes = context.getBean(Quotes.class);
			assertThat(quotes.quote()).isEqualTo(42);
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(quotes::quote);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Quotes.class)
	static class Application {

	}

	static class Quotes {

		@Throttled("quotes")
		int quote() {
			return 42;
		}

	}

}
