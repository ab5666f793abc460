package dev.sluice.actuate.endpoint;

import java.time.Duration;

import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import jakarta.servlet.Filter;
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
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint of an application that lets only operators near it. */
class ThrottlingEndpointSecurityTests {

	private final ThrottlingManager limits = ThrottlingManager.builder().build();

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
						WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
						EndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
						WebEndpointAutoConfiguration.class, ManagementContextAutoConfiguration.class,
						SluiceThrottlingAutoConfiguration.class, SluiceEndpointAutoConfiguration.class))
		.withUserConfiguration(OperatorsOnly.class)
		.withBean(ThrottlingManager.class, () -> this.limits)
		.withPropertyValues("management.endpoints.web.exposure.include=throttling",
				"management.endpoint.throttling.access=UNRESTRICTED");

	@ParameterizedTest
	@CsvSource({ "GET, nobody, 401, 2", "POST, nobody, 401, 2", "GET, guest, 403, 2", "POST, guest, 403, 2",
			"GET, operator, 200, 2", "POST, operator, 200, 3" })
	void onlyWhoMayIsLetIn(String method, String user, int status, int limit) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofHours(1)));
		this.contextRunner.run((context) -> {
			Filter security = context.getBean("springSecurityFilterChain", Filter.class);
			assertThat(MockMvcTester.from(context, (builder) -> builder.addFilters(security).build())
				.method(HttpMethod.valueOf(method))
				.uri("/actuator/throttling/throttles/commands")
				.headers((headers) -> {
					if (!user.equals("nobody")) {
						headers.setBasicAuth(user, "secret");
					}
				})
				.contentType(MediaType.APPLICATION_JSON)
				.content("{\"limit\":3}")).hasStatus(status);
			assertThat(this.limits.get("commands").limit().limit()).isEqualTo(limit);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			guest    | /throttles/other    | {"type":"mutex"}          | 403
			guest    | /throttles/commands | {"action":"remove"}       | 403
			guest    | /executors/own      | {"maxTasksBeforeYield":3} | 403
			operator | /throttles/other    | {"type":"mutex"}          | 200
			operator | /throttles/commands | {"action":"remove"}       | 204
			operator | /executors/own      | {"maxTasksBeforeYield":3} | 200
			""")
	void limitsAndExecutorsAreForWhoMay(String user, String path, String body, int status) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofHours(1)));
		SequentialLeveledTaskExecutor own = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		this.contextRunner.withBean("own", SequentialLeveledTaskExecutor.class, () -> own).run((context) -> {
			Filter security = context.getBean("springSecurityFilterChain", Filter.class);
			assertThat(MockMvcTester.from(context, (builder) -> builder.addFilters(security).build())
				.post()
				.uri("/actuator/throttling" + path)
				.headers((headers) -> headers.setBasicAuth(user, "secret"))
				.contentType(MediaType.APPLICATION_JSON)
				.content(body)).hasStatus(status);
			if (status == 403) {
				assertThat(this.limits.throttles()).singleElement().returns("commands", Throttle::resource);
				assertThat(own.maxTasksBeforeYield()).isEqualTo(10);
			}
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class OperatorsOnly {

		@Bean
		SecurityFilterChain operatorsOnly(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("guest").password("{noop}secret").roles("GUEST").build(),
					User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build());
		}

	}

}
