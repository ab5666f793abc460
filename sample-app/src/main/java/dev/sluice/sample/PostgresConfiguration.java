package dev.sluice.sample;

import java.io.IOException;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * A PostgreSQL that lives as long as the application, for the limits; an application
 * would name its own by {@code spring.datasource.url}.
 */
@Configuration(proxyBeanMethods = false)
@Profile("postgres")
class PostgresConfiguration {

	@Bean(destroyMethod = "close")
	EmbeddedPostgres postgres() throws IOException {
		return EmbeddedPostgres.start();
	}

	@Bean
	DataSource dataSource(EmbeddedPostgres postgres) {
		return postgres.getPostgresDatabase();
	}

}
