package dev.sluice.guide;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.autoconfigure.SluiceDataSource;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
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

	/** Each reads a number and writes the next, as the holder before has committed it. */
	@Test
	void permitIsHeldUntilTheTransactionHasCompleted() throws IOException {
		try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
			new ApplicationContextRunner().withUserConfiguration(Accounts.class)
				.withPropertyValues("bank.url=" + server.getJdbcUrl("postgres", "postgres"), "sluice.store.type=jdbc",
						"sluice.store.jdbc.initialize-schema=always", "sluice.store.jdbc.timeout=10s",
						"sluice.throttles.orders.type=mutex")
				.run((context) -> {
					JdbcClient database = context.getBean(JdbcClient.class);
					database.sql("CREATE TABLE counter (id text, number int)").update();
					database.sql("INSERT INTO counter VALUES ('17', 0)").update();
					List<CompletableFuture<Void>> calls = Stream.generate(() -> CompletableFuture.runAsync(() -> {
						for (int i = 0; i < 20; i++) {
							context.getBean(Accounts.class).settle("17");
						}
					}, (task) -> new Thread(task).start())).limit(3).toList();
					CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
					assertThat(database.sql("SELECT number FROM counter").query(Integer.class).single()).isEqualTo(60);
				});
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Accounts {

		private final JdbcClient database;

		private final ThrottlingTemplate template;

		private final TransactionTemplate transactions;

		Accounts(JdbcClient database, ThrottlingTemplate template, TransactionTemplate transactions) {
			this.database = database;
			this.template = template;
			this.transactions = transactions;
		}

		@Bean
		static HikariDataSource bank(@Value("${bank.url}") String url) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(url);
			return pool;
		}

		@Bean
		static JdbcClient bankClient(DataSource bank) {
			return JdbcClient.create(bank);
		}

		@Bean
		static TransactionTemplate bankTransactions(DataSource bank) {
			return new TransactionTemplate(new JdbcTransactionManager(bank));
		}

		void settle(String orderId) {
			ThrottlingTemplate template = this.template;
			TransactionTemplate transactions = this.transactions;
			ThrottlingTemplate joining = template.untilTransactionCompletion();
			AcquireRequest turn = AcquireRequest.of("orders", orderId).maxWait(Duration.ofMinutes(1));
			transactions.executeWithoutResult((transaction) -> joining.call(() -> count(orderId), turn));
		}

		private int count(String orderId) {
			int number = this.database.sql("SELECT number FROM counter WHERE id = ?")
				.param(orderId)
				.query(Integer.class)
				.single();
			return this.database.sql("UPDATE counter SET number = ? WHERE id = ?").params(number + 1, orderId).update();
		}

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
