package dev.sluice.actuate.endpoint;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.actuate.dashboard.SluiceDashboardAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Changes in applications that Spring Security protects against CSRF. */
class ThrottlingEndpointCsrfTests {

	private static final Pattern TOKEN = Pattern.compile(
			"name=\"csrf-header\" content=\"([^\"]+)\".*?name=\"csrf-token\" content=\"([^\"]+)\"", Pattern.DOTALL);

	private final ThrottlingManager limits = ThrottlingManager.builder().build();

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class,
				DispatcherServletAutoConfiguration.class, EndpointAutoConfiguration.class,
				JacksonEndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
				ManagementContextAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceEndpointAutoConfiguration.class, SluiceDashboardAutoConfiguration.class))
		.withBean(ThrottlingManager.class, () -> this.limits)
		.withPropertyValues("management.endpoints.web.exposure.include=throttling,sluice",
				"management.endpoint.throttling.access=UNRESTRICTED", "management.endpoint.sluice.access=READ_ONLY");

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			POST   | /throttles/commands
			POST   | /throttles
			DELETE | /throttles/commands?key=k
			""")
	void changeWithoutATokenIsForbidden(String method, String path) {
		define();
		this.contextRunner.withUserConfiguration(Defaults.class).run((context) -> {
			assertThat(change(secured(context.getBean("springSecurityFilterChain", Filter.class), context),
					HttpMethod.valueOf(method), path, "application/json"))
				.hasStatus(403);
			assertThat(this.limits.get("commands").limit().limit()).isEqualTo(2);
		});
	}

	@Test
	void changeWithTheTokenOfTheDashboardIsMade() {
		define();
		this.contextRunner.withUserConfiguration(Defaults.class).run((context) -> {
			MockMvcTester client = secured(context.getBean("springSecurityFilterChain", Filter.class), context);
			MockHttpSession session = new MockHttpSession();
			String page = client.get()
				.uri("/actuator/sluice")
				.session(session)
				.headers((headers) -> headers.setBasicAuth("operator", "secret"))
				.exchange()
				.getResponse()
				.getContentAsString();
			Matcher token = TOKEN.matcher(page);
			assertThat(token.find()).isTrue();
			assertThat(change(client, HttpMethod.POST, "/throttles/commands", "application/json").session(session)
				.header(token.group(1), token.group(2))).hasStatusOk();
			assertThat(this.limits.get("commands").limit().limit()).isEqualTo(3);
		});
	}

	@ParameterizedTest
	@CsvSource({ "application/json, 200, 3", "text/plain, 415, 2", "application/x-www-form-urlencoded, 415, 2" })
	void anExemptEndpointTakesJsonAlone(String type, int status, int limit) {
		define();
		this.contextRunner.withUserConfiguration(Exempt.class).run((context) -> {
			MockMvcTester client = secured(context.getBean("springSecurityFilterChain", Filter.class), context);
			assertThat(change(client, HttpMethod.POST, "/throttles/commands?limit=3", type)).hasStatus(status);
			assertThat(this.limits.get("commands").limit().limit()).isEqualTo(limit);
		});
	}

	private void define() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofHours(1)));
	}

	private static MockMvcTester secured(Filter security, WebApplicationContext context) {
		return MockMvcTester.from(context, (builder) -> builder.addFilters(security).build());
	}

	private static MockMvcRequestBuilder change(MockMvcTester client, HttpMethod method, String path, String type) {
		return client.method(method)
			.uri("/actuator/throttling" + path)
			.headers((headers) -> headers.setBasicAuth("operator", "secret"))
			.header("Content-Type", type)
			.content("{\"limit\":3}");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Defaults {

		@Bean
		SecurityFilterChain endpoints(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return ThrottlingEndpointCsrfTests.users();
		}

	}

	/** As {@code docs/operations.md} shows. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Exempt {

		@Bean
		SecurityFilterChain endpoints(HttpSecurity http) {
			return http.securityMatcher("/actuator/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.ignoringRequestMatchers("/actuator/throttling/**"))
				.build();
		}

		@Bean
		UserDetailsService users() {
			return ThrottlingEndpointCsrfTests.users();
		}

	}

	private static UserDetailsService users() {
		return new InMemoryUserDetailsManager(
				User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build());
	}

}
