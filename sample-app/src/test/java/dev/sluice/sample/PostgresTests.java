package dev.sluice.sample;

import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The sample with its limits in PostgreSQL, which one property asks for. */
class PostgresTests {

	@Test
	void limitsAreInPostgreSqlByOneProperty() {
		try (ConfigurableApplicationContext context = start("--spring.profiles.active=postgres",
				"--sluice.throttles.commands.period=1h", "--sluice.store.jdbc.timeout=10s");
				BankClient customer = new BankClient(port(context))) {
			assertThat(context.getBean(ThrottleStore.class).getClass().getName())
				.isEqualTo("dev.sluice.jdbc.JdbcThrottleStore");
			Stream.generate(() -> 1).limit(12).forEach(customer::deposit);
			List<String> answers = customer.receive(12);
			assertThat(answers.subList(0, 10)).allMatch((answer) -> answer.contains("receipt"));
			assertThat(answers.subList(10, 12)).allMatch((answer) -> answer.contains("throttled"));
		}
	}

	@Test
	void withoutItThereIsNoDatabase() {
		try (ConfigurableApplicationContext context = start()) {
			assertThat(context.getBeanNamesForType(DataSource.class)).isEmpty();
			assertThat(context.getBeanNamesForType(ThrottleStore.class)).isEmpty();
		}
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(BankApplication.class).properties("server.port=0").run(arguments);
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
