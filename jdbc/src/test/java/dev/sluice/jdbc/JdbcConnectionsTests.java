package dev.sluice.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How many connections a store uses. */
class JdbcConnectionsTests {

	private final AtomicInteger used = new AtomicInteger();

	private final AtomicInteger mostUsed = new AtomicInteger();

	@ParameterizedTest
	@CsvSource({ "4,true", "2,true", "3,false", "1,false" })
	void storeUsesNoMoreConnectionsThanItMay(int most, boolean listen) throws Exception {
		try (HikariDataSource pool = PostgresServer.pool();
				JdbcThrottleStore store = JdbcThrottleStore.builder(counting(pool))
					.schema(PostgresServer.newSchema())
					.initializeSchema(true)
					.timeout(Duration.ofSeconds(60))
					.listen(listen)
					.poolSize(most)
					.build()) {
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			Throttle rate = node.addOrUpdate("rate", Limit.fixedWindow(1_000, Duration.ofDays(1)));
			Throttle mutex = node.addOrUpdate("mutex", Limit.mutex());
			List<CompletableFuture<?>> calls = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				calls.add(rate.acquire("k" + i, 1, Duration.ZERO));
				calls.add(mutex.acquire("k" + i, 1, Duration.ofDays(1)).thenAccept(Permit::close));
				calls.add(mutex.acquire("k" + i, 1, Duration.ofDays(1)).thenAccept(Permit::close));
			}
			CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

			assertThat(this.mostUsed.get()).isBetween(1, most);
		}
	}

	@Test
	void oneConnectionCannotListenAndDecide() {
		JdbcThrottleStore.Builder builder = JdbcThrottleStore.builder(counting(null)).poolSize(1);

		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("'poolSize'");
	}

	/** Counts the connections that are taken from a pool and not given back. */
	private DataSource counting(DataSource pool) {
		ClassLoader loader = getClass().getClassLoader();
		return (DataSource) Proxy.newProxyInstance(loader, new Class<?>[] { DataSource.class },
				(proxy, method, arguments) -> {
					Connection connection = pool.getConnection();
					this.mostUsed.accumulateAndGet(this.used.incrementAndGet(), Math::max);
					return Proxy.newProxyInstance(loader, new Class<?>[] { Connection.class }, (same, each, values) -> {
						if (each.getName().equals("close")) {
							this.used.decrementAndGet();
						}
						return each.invoke(connection, values);
					});
				});
	}

}
