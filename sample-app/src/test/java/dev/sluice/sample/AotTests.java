package dev.sluice.sample;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** The sample as it starts from classes that were generated ahead of time. */
class AotTests {

	@Test
	void servesCustomersAndOperators() {
		assertThat(AotDetector.useGeneratedArtifacts()).isTrue();
		SpringApplication application = new SpringApplication(BankApplication.class);
		application.setMainApplicationClass(BankApplication.class);
		try (ConfigurableApplicationContext context = application.run("--server.port=0",
				"--sluice.throttles.commands.period=1h")) {
			int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			try (BankClient customer = new BankClient(port)) {
				Stream.generate(() -> 1).limit(12).forEach(customer::deposit);
				List<String> answers = customer.receive(12);
				assertThat(answers.subList(0, 10)).allMatch((answer) -> answer.contains("receipt"));
				assertThat(answers.subList(10, 12)).allMatch((answer) -> answer.contains("throttled"));
			}
			assertThat(get(port, "throttling")).contains("\"admitted\":10,\"rejected\":2");
			assertThat(get(port, "sluice")).contains("Queues and limits");
			assertThat(get(port, "health")).contains("UP");
		}
	}

	private static String get(int port, String endpoint) {
		return String.valueOf(RestClient.create("http://localhost:" + port)
			.get()
			.uri("/actuator/" + endpoint)
			.retrieve()
			.body(String.class));
	}

}
