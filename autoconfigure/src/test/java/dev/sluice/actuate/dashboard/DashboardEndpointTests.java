package dev.sluice.actuate.dashboard;

import dev.sluice.actuate.endpoint.SluiceEndpointAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

class DashboardEndpointTests {

	private final WebApplicationContextRunner withoutAccess = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class,
				DispatcherServletAutoConfiguration.class, EndpointAutoConfiguration.class,
				JacksonEndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
				ManagementContextAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceEndpointAutoConfiguration.class, SluiceDashboardAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=throttling,sluice");

	private final WebApplicationContextRunner contextRunner = this.withoutAccess
		.withPropertyValues("management.endpoint.sluice.access=READ_ONLY");

	@Test
	void thereIsNoPageUnlessItIsAskedFor() {
		this.withoutAccess.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/sluice"))
			.hasStatus(HttpStatus.NOT_FOUND));
	}

	@Test
	void thePageIsHtml() {
		this.contextRunner.run((context) -> assertThat(
				MockMvcTester.from(context).get().uri("/actuator/sluice").header("Accept", "text/html,*/*;q=0.8"))
			.hasStatusOk()
			.hasContentType("text/html;charset=UTF-8")
			.bodyText()
			.contains("Queues and limits · Sluice")
			.doesNotContain("@"));
	}

	@Test
	void thePageForbidsFramesWithoutSpringSecurity() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/sluice")).hasStatusOk()
				.headers()
				.hasValue("X-Frame-Options", "DENY")
				.hasValue("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"));
	}

	@ParameterizedTest
	@CsvSource({ "dashboard.css, text/css", "dashboard.js, text/javascript", "chart.umd.min.js, text/javascript",
			"icon.svg, image/svg+xml" })
	void thePageHasItsParts(String part, String type) {
		this.contextRunner.run((context) -> {
			assertThat(MockMvcTester.from(context).get().uri("/actuator/sluice")).bodyText()
				.contains("\"sluice/" + part + '"');
			assertThat(MockMvcTester.from(context).get().uri("/actuator/sluice/" + part)).hasStatusOk()
				.hasContentType(type)
				.bodyText()
				.isNotEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "index.html", "LICENSE.md", "..", "unknown" })
	void thereIsNothingElse(String part) {
		this.contextRunner.run((context) -> assertThat(
				MockMvcTester.from(context).get().uri("/actuator/sluice/{part}", part).accept("*/*"))
			.hasStatus4xxClientError());
	}

	@ParameterizedTest
	@CsvSource({ "READ_ONLY, false", "UNRESTRICTED, true" })
	void thePageOffersChangesWhereTheyAreAllowed(String access, boolean changes) {
		this.contextRunner.withPropertyValues("management.endpoint.throttling.access=" + access)
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/sluice")).bodyText()
				.contains("name=\"changes\" content=\"" + changes + '"'));
	}

	@Test
	void thePageKnowsTheTokenThatChangesNeed() {
		CsrfToken token = new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "secret");
		this.contextRunner.run((context) -> assertThat(
				MockMvcTester.from(context).get().uri("/actuator/sluice").requestAttr(CsrfToken.class.getName(), token))
			.bodyText()
			.contains("name=\"csrf-header\" content=\"X-CSRF-TOKEN\"", "name=\"csrf-token\" content=\"secret\""));
	}

	@Test
	void withoutSpringSecurityThereIsNoToken() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/sluice")).bodyText()
				.contains("name=\"csrf-token\" content=\"\""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "index.html", "dashboard.css", "dashboard.js", "chart.umd.min.js", "icon.svg" })
	void aNativeImageHasEveryPartOfThePage(String part) {
		RuntimeHints hints = new RuntimeHints();
		new DashboardHints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/sluice/actuate/dashboard/" + part))
			.accepts(hints);
	}

}
