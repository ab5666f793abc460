package dev.sluice.autoconfigure.jdbc;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.autoconfigure.SluiceDataSource;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.jdbc.Durability;
import dev.sluice.jdbc.JdbcAccessException;
import dev.sluice.jdbc.JdbcSchemaException;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.store.ThrottleStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration for limits in PostgreSQL, in the database of the
 * {@link SluiceDataSource} bean, or otherwise of the primary {@code DataSource}. The
 * store has its own pool, because it must never wait for connections that the application
 * holds.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SluiceThrottlingAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({ JdbcThrottleStore.class, HikariDataSource.class })
@ConditionalOnSwitch("sluice.enabled")
@ConditionalOnProperty(name = "sluice.store.type", havingValue = "jdbc")
@EnableConfigurationProperties(SluiceStoreProperties.class)
@ImportRuntimeHints(JdbcSchemaHints.class)
public final class SluiceJdbcAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	JdbcStoreConnections sluiceJdbcStoreConnections(@SluiceDataSource ObjectProvider<DataSource> qualified,
			ObjectProvider<DataSource> application, SluiceStoreProperties properties) {
		DataSource dataSource = qualified.getIfAvailable();
		return (dataSource != null) ? JdbcStoreConnections.shared(dataSource, properties.jdbc())
				: JdbcStoreConnections.own(primary(application), properties.jdbc());
	}

	private static DataSource primary(ObjectProvider<DataSource> candidates) {
		DataSource dataSource = candidates.getIfUnique();
		if (dataSource == null) {
			boolean several = candidates.stream().findAny().isPresent();
			throw new InvalidConfigurationException(
					"Limits are to be kept in PostgreSQL by 'sluice.store.type', and there " + (several
							? "are several DataSource beans, none of which is primary." : "is no DataSource bean."),
					several ? "Annotate the one to use with @SluiceDataSource, or one of them with @Primary."
							: "Set 'spring.datasource.url', or define a DataSource bean, or a ThrottleStore bean, or remove "
									+ "the property 'sluice.store.type'.");
		}
		return dataSource;
	}

	@Bean
	@ConditionalOnMissingBean(ThrottleStore.class)
	@DependsOnDatabaseInitialization
	JdbcThrottleStore sluiceJdbcThrottleStore(JdbcStoreConnections connections, SluiceStoreProperties properties) {
		SluiceStoreProperties.Jdbc jdbc = properties.jdbc();
		try {
			JdbcThrottleStore.Builder store = JdbcThrottleStore.builder(connections.dataSource());
			if (jdbc.schema() != null) {
				store.schema(jdbc.schema());
			}
			return store.initializeSchema(jdbc.initializeSchema() == SluiceStoreProperties.InitializeSchema.ALWAYS)
				.durability(Durability.valueOf(jdbc.durability().name()))
				.listen(jdbc.listen())
				.poolSize(jdbc.poolSize())
				.timeout(jdbc.timeout())
				.failurePolicy(jdbc.failurePolicy())
				.lease(jdbc.lease())
				.build();
		}
		catch (JdbcAccessException ex) {
			throw new InvalidConfigurationException(
					"Limits cannot be stored in PostgreSQL as 'sluice.store.type' requires. " + ex.getMessage(),
					"Define a DataSource bean for PostgreSQL 13 or newer whose role has the rights that docs/jdbc.md lists, and "
							+ "annotate it with @SluiceDataSource if it is not the primary one, or remove the property "
							+ "'sluice.store.type'.",
					ex);
		}
		catch (JdbcSchemaException ex) {
			throw new InvalidConfigurationException(
					"Limits cannot be stored in PostgreSQL as 'sluice.store.type' requires. " + ex.getMessage(),
					"Run 'dev/sluice/jdbc/schema-postgresql.sql' of sluice-jdbc in the database, by Flyway or Liquibase or by "
							+ "hand, or set 'sluice.store.jdbc.initialize-schema' to 'always'.",
					ex);
		}
	}

}
