package dev.sluice.autoconfigure.jdbc;

import java.io.IOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.actuate.health.SluiceHealthAutoConfiguration;
import dev.sluice.actuate.metrics.SluiceMetricsAutoConfiguration;
import dev.sluice.autoconfigure.SluiceDataSource;
import dev.sluice.autoconfigure.properties.InvalidConfigurationFailureAnalyzer;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.jdbc.Durability;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class SluiceJdbcAutoConfigurationTests {

	private static EmbeddedPostgres server;

	private final ApplicationContextRunner inMemory = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceJdbcAutoConfiguration.class,
				SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class))
		.withPropertyValues("sluice.store.jdbc.timeout=10s", "sluice.throttles.quotes.limit=2",
				"sluice.throttles.quotes.period=1h");

	private final ApplicationContextRunner anywhere = this.inMemory.withPropertyValues("sluice.store.type=jdbc");

	private final ApplicationContextRunner contextRunner = this.anywhere
		.withPropertyValues("sluice.store.jdbc.initialize-schema=always")
		.withBean(DataSource.class, () -> server.getPostgresDatabase());

	@BeforeAll
	static void start() throws IOException {
		server = EmbeddedPostgres.start();
	}

	@AfterAll
	static void stop() throws IOException {
		server.close();
	}

	@Test
	void limitsAreInMemoryUnlessAskedFor() {
		this.inMemory.withBean(DataSource.class, () -> server.getPostgresDatabase()).run((context) -> {
			assertThat(context).doesNotHaveBean(ThrottleStore.class).doesNotHaveBean(JdbcStoreConnections.class);
			assertThat(quotes(context).toString()).doesNotContain("stored");
		});
	}

	@Test
	void applicationsShareTheirLimits() {
		ApplicationContextRunner shared = this.contextRunner.withPropertyValues("sluice.store.jdbc.schema=shared");

		shared.run((context) -> shared.run((other) -> {
			assertThat(context).hasSingleBean(JdbcThrottleStore.class);
			assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(other).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(context).tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
			assertThat(quotes(other).tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		}));

		assertThat(query("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'shared'"))
			.isNotEqualTo("0");
	}

	@Test
	void storeHasAPoolOfItsOwn() {
		try (HikariDataSource application = pool(1)) {
			this.anywhere.withBean(DataSource.class, () -> application)
				.withPropertyValues("sluice.store.jdbc.initialize-schema=always", "sluice.store.jdbc.pool-size=3")
				.run((context) -> {
					try (Connection taken = application.getConnection()) {
						assertThat(taken.isValid(10)).isTrue();
						assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
					}
					HikariDataSource own = (HikariDataSource) context.getBean(JdbcStoreConnections.class).dataSource();
					assertThat(own.getMaximumPoolSize()).isEqualTo(3);
					context.close();
					assertThat(own.isClosed()).isTrue();
				});
		}
	}

	@Test
	void dataSourceThatIsQualifiedIsUsedAsItIs() {
		this.anywhere.withUserConfiguration(TwoDataSources.class)
			.withPropertyValues("sluice.store.jdbc.initialize-schema=always")
			.run((context) -> {
				assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
				assertThat(context.getBean(JdbcStoreConnections.class).dataSource())
					.isSameAs(context.getBean("limits"));
			});
	}

	@Test
	void applicationStartsWhileTheDatabaseIsAway() {
		this.anywhere.withBean(DataSource.class, SluiceJdbcAutoConfigurationTests::nowhere)
			.withPropertyValues("sluice.store.jdbc.timeout=300ms")
			.run((context) -> assertThat(quotes(context).tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE));
	}

	@Test
	void failurePolicyIsThatOfTheStoreUnlessTheLimitHasOne() {
		this.anywhere.withBean(DataSource.class, SluiceJdbcAutoConfigurationTests::nowhere)
			.withPropertyValues("sluice.store.jdbc.timeout=300ms", "sluice.store.jdbc.failure-policy=open",
					"sluice.throttles.order.type=mutex", "sluice.throttles.order.failure-policy=closed")
			.run((context) -> {
				assertThat(quotes(context).tryAcquire("k", 2).admitted()).isTrue();
				assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
				assertThat(context.getBean(ThrottlingManager.class).get("order").tryAcquire().reason())
					.isEqualTo(Decision.Reason.STORE);
				assertThat(context.getBean(JdbcThrottleStore.class).snapshot().closed()).containsExactly("order");
			});
	}

	@ParameterizedTest
	@EnumSource
	void everyDurabilityIsAccepted(Durability durability) {
		String name = durability.name().toLowerCase(Locale.ROOT);
		this.contextRunner
			.withPropertyValues("sluice.store.jdbc.durability=" + name, "sluice.store.jdbc.schema=durable_" + name)
			.run((context) -> {
				assertThat(quotes(context).tryAcquire("k", 2).admitted()).isTrue();
				assertThat(quotes(context).tryAcquire("k").admitted()).isFalse();
			});
	}

	@Test
	void migrationOfTheApplicationCreatesThem() {
		this.contextRunner.withPropertyValues("sluice.store.jdbc.schema=migrated")
			.run((context) -> assertThat(context).hasNotFailed());

		this.contextRunner
			.withPropertyValues("sluice.store.jdbc.schema=migrated", "sluice.store.jdbc.initialize-schema=never")
			.run((context) -> assertThat(quotes(context).tryAcquire("k").admitted()).isTrue());
	}

	@Test
	void clocksOfNodesDoNotMatter() {
		ApplicationContextRunner clocks = this.contextRunner.withPropertyValues("sluice.store.jdbc.schema=clocks");
		NanoClock anHourAhead = () -> NanoClock.system().nanoTime() + Duration.ofHours(1).toNanos();

		clocks.run((context) -> clocks.withBean(NanoClock.class, () -> anHourAhead).run((ahead) -> {
			assertThat(quotes(ahead).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(ahead).tryAcquire("k").admitted()).isFalse();
			assertThat(quotes(context).tryAcquire("k").admitted()).isFalse();
		}));
	}

	@Test
	void storeOfTheUserIsUsed() {
		ThrottleStore store = ThrottleStore.inMemory(NanoClock.system());

		this.anywhere.withBean(ThrottleStore.class, () -> store).run((context) -> {
			assertThat(context).doesNotHaveBean(JdbcThrottleStore.class);
			assertThat(quotes(context).toString()).contains("stored");
		});
	}

	@Test
	void storeIsMeteredAndPartOfTheHealth() {
		this.contextRunner
			.withConfiguration(
					AutoConfigurations.of(SluiceMetricsAutoConfiguration.class, SluiceHealthAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
				quotes(context).tryAcquire();
				assertThat(registry.get("sluice.store.commands").functionTimer().count()).isPositive();
				assertThat(registry.get("sluice.store.unavailable").gauge().value()).isZero();
				assertThat(registry.get("sluice.store.nodes").gauge().value()).isPositive();
				assertThat(registry.get("sluice.store.decisions")
					.tags("policy", "open", "outcome", "admitted")
					.functionCounter()
					.count()).isZero();
				assertThat(context.getBean("sluiceHealthIndicator", HealthIndicator.class).health().getStatus())
					.isEqualTo(Status.UP);
			});
	}

	@Test
	void withoutTheLibraryTheStartEndsAndNamesIt() {
		assertMistake(this.anywhere.withClassLoader(new FilteredClassLoader(JdbcThrottleStore.class)),
				"there is no store in PostgreSQL: a library is missing", "dev.sluice:sluice-jdbc");
	}

	@Test
	void withoutADataSourceTheStartEnds() {
		assertMistake(this.anywhere, "there is no DataSource bean", "Set 'spring.datasource.url'");
	}

	@Test
	void severalDataSourcesEndTheStart() {
		assertMistake(
				this.anywhere.withBean("one", DataSource.class, () -> server.getPostgresDatabase())
					.withBean("other", DataSource.class, () -> server.getPostgresDatabase()),
				"there are several DataSource beans, none of which is primary", "@SluiceDataSource");
	}

	@Test
	void databaseThatIsNotPostgreSqlEndsTheStart() {
		JdbcDataSource h2 = new JdbcDataSource();
		h2.setUrl("jdbc:h2:mem:limits");
		assertMistake(this.anywhere.withBean(DataSource.class, () -> h2),
				"the database of the DataSource is H2 2: jdbc:h2:mem:limits", "PostgreSQL 13 or newer");
	}

	@Test
	void databaseThatIsNotPostgreSqlEndsTheStartHoweverLongTheFirstConnectionTakes() throws SQLException {
		JdbcDataSource h2 = new JdbcDataSource();
		h2.setUrl("jdbc:h2:mem:limits");
		DataSource slow = mock(DataSource.class);
		given(slow.getConnection()).willAnswer((call) -> {
			LockSupport.parkNanos(Duration.ofMillis(600).toNanos());
			return h2.getConnection();
		});
		assertMistake(
				this.anywhere.withBean(DataSource.class, () -> slow)
					.withPropertyValues("sluice.store.jdbc.timeout=250ms"),
				"the database of the DataSource is H2", "PostgreSQL 13 or newer");
	}

	@Test
	void roleThatTheServerRejectsEndsTheStart() {
		PGSimpleDataSource rejected = new PGSimpleDataSource();
		rejected.setUrl(server.getJdbcUrl("nobody", "postgres"));
		assertMistake(this.anywhere.withBean(DataSource.class, () -> rejected), "SQLSTATE 28000", "rights");
	}

	@Test
	void databaseThatIsTooOldEndsTheStart() throws SQLException {
		DataSource old = mock(DataSource.class);
		Connection connection = mock(Connection.class);
		DatabaseMetaData database = mock(DatabaseMetaData.class);
		given(old.getConnection()).willReturn(connection);
		given(connection.isValid(1)).willReturn(true);
		given(connection.getMetaData()).willReturn(database);
		given(database.getDatabaseProductName()).willReturn("PostgreSQL");
		given(database.getDatabaseMajorVersion()).willReturn(12);
		assertMistake(this.anywhere.withBean(DataSource.class, () -> old), "is PostgreSQL 12",
				"PostgreSQL 13 or newer");
	}

	@Test
	void missingFunctionsEndTheStart() {
		assertMistake(
				this.anywhere.withPropertyValues("sluice.store.jdbc.schema=empty")
					.withBean(DataSource.class, () -> server.getPostgresDatabase()),
				"Limits cannot be stored in PostgreSQL",
				"Run 'dev/sluice/jdbc/schema-postgresql.sql' of sluice-jdbc in the database");
	}

	@Test
	void poolThatIsTooSmallEndsTheStart() {
		assertMistake(
				this.anywhere.withUserConfiguration(SmallPool.class)
					.withPropertyValues("sluice.store.jdbc.initialize-schema=always"),
				"The pool of the @SluiceDataSource bean has 1 connection", "Give the pool more connections");
	}

	@Test
	void oneConnectionSufficesWhereNoneListens() {
		this.contextRunner.withPropertyValues("sluice.store.jdbc.pool-size=1", "sluice.store.jdbc.listen=false")
			.run((context) -> assertThat(quotes(context).tryAcquire("alone").admitted()).isTrue());
	}

	@Test
	void nativeImageHasTheTablesAndFunctions() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new JdbcSchemaHints().registerHints(hints, null);

		Resource[] scripts = new PathMatchingResourcePatternResolver().getResources("classpath*:dev/sluice/jdbc/*.sql");
		assertThat(scripts).isNotEmpty()
			.allSatisfy((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("dev/sluice/jdbc/" + script.getFilename()))
				.accepts(hints));
	}

	private static void assertMistake(ApplicationContextRunner runner, String description, String action) {
		List<FailureAnalysis> analyses = new ArrayList<>();
		runner.run((context) -> {
			assertThat(context).hasFailed();
			analyses.add(new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure()));
		});
		assertThat(analyses.get(0).getDescription()).contains(description);
		assertThat(analyses.get(0).getAction()).contains(action);
	}

	private static Throttle quotes(ApplicationContext context) {
		return context.getBean(ThrottlingManager.class).get("quotes");
	}

	private static String query(String sql) {
		try (Connection connection = server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			assertThat(result.next()).isTrue();
			return result.getString(1);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static HikariDataSource pool(int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
		pool.setMaximumPoolSize(size);
		return pool;
	}

	/** Returns one at a port at which nobody listens. */
	private static DataSource nowhere() {
		try (ServerSocket socket = new ServerSocket(0)) {
			PGSimpleDataSource nowhere = new PGSimpleDataSource();
			nowhere.setUrl("jdbc:postgresql://127.0.0.1:" + socket.getLocalPort() + "/postgres?user=postgres");
			return nowhere;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource application() {
			return nowhere();
		}

		@Bean(defaultCandidate = false)
		@SluiceDataSource
		DataSource limits() {
			return pool(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SmallPool {

		@Bean
		@SluiceDataSource
		DataSource limits() {
			return pool(1);
		}

	}

}
