package dev.sluice.guide;

import java.io.IOException;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.autoconfigure.SluiceDataSource;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/jdbc.md} shows. */
class JdbcGuideTests {

	@Test
	void limitsAreInTheDatabaseOfTheQualifiedDataSource() throws IOException {
		try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
			new ApplicationContextRunner().withUserConfiguration(Databases.class)
				.withPropertyValues("limits.url=" + server.getJdbcUrl("postgres", "postgres"), "sluice.store.type=jdbc",
						"sluice.store.jdbc.initialize-schema=always", "sluice.store.jdbc.timeout=10s")
				.run((context) -> {
					assertThat(context).hasSingleBean(ThrottleStore.class);
					ThrottlingManager limits = context.getBean(ThrottlingManager.class);
					Throttle mutex = limits.addOrUpdate("orders", Limit.mutex());
					assertThat(mutex.tryAcquire("17").admitted()).isTrue();
					assertThat(mutex.tryAcquire("17").admitted()).isFalse();
				});
		}
	}

	@Test
	void permitIsHeldUntilTheTransactionHasEnded() {
		Throttle orders = ThrottlingManager.builder().build().addOrUpdate("orders", Limit.mutex());
		HikariDataSource database = new HikariDataSource();
		database.setJdbcUrl("jdbc:h2:mem:orders");
		try (database) {
			new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult((transaction) -> {
				hold(orders, "17");
				assertThat(orders.tryAcquire("17").admitted()).isFalse();
			});
		}
		assertThat(orders.tryAcquire("17").admitted()).isTrue();
	}

	private static void hold(Throttle orders, String orderId) {
		Permit permit = orders.tryAcquire(orderId).permit();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				permit.close();
			}

		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Databases {

		@Bean(defaultCandidate = false)
		@SluiceDataSource
		HikariDataSource limits(@Value("${limits.url}") String url) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(url);
			pool.setMaximumPoolSize(4);
			return pool;
		}

	}

}
