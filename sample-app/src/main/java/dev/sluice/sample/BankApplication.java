package dev.sluice.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Serves the bank at {@code /bank}, the tables of a restaurant at {@code /table}, the
 * kitchen's board at {@code /board}, and the page that uses them at {@code /}.
 *
 * @since 0.1.0
 */
@SpringBootApplication(proxyBeanMethods = false)
public final class BankApplication {

	private BankApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.run(BankApplication.class, args);
	}

}
