package dev.sluice.jdbc.connection;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Probes that wait in a pool until they are interrupted, or until their time is over. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ProbeSessionsTests {

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final CountDownLatch never = new CountDownLatch(1);

	private Pool pool;

	private final ProbeSessions probes = new ProbeSessions(
			(DataSource) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { DataSource.class },
					(proxy, method, arguments) -> this.pool.getConnection()),
			Duration.ofSeconds(1), this.timer);

	private interface Pool {

		Connection getConnection() throws Exception;

	}

	@AfterEach
	void stop() {
		this.timer.shutdownNow();
	}

	@Test
	void probeLeavesAPoolThatCannotConnect() {
		fail(new SQLTransientConnectionException("not available", new SQLException("refused", "08001")));
		assertThat(this.probes.mayOpen()).isFalse();

		this.pool = () -> {
			try {
				this.never.await();
				throw new AssertionError("no wait is that long");
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new SQLException("Interrupted", ex);
			}
		};

		assertThatExceptionOfType(SQLException.class).isThrownBy(this.probes::open).withMessage("Interrupted");
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(this.probes.mayOpen()).isFalse();
	}

	@Test
	void probeAfterTheWaitIsNotInterrupted() throws Exception {
		fail(new SQLTransientConnectionException("not available", new SQLException("refused", "08001")));
		this.pool = () -> connection();
		this.probes.open().close();

		assertThat(this.never.await(200, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(this.probes.mayOpen()).isTrue();
	}

	/** Its connections are in use, or it connects on the thread of the probe. */
	@Test
	void probeStaysInAPoolThatHasNotFailedToConnect() throws Exception {
		fail(new SQLTransientConnectionException("not available"));
		assertThat(this.probes.mayOpen()).isTrue();
		fail(new SQLException("refused", "08001"));
		assertThat(this.probes.mayOpen()).isTrue();
		this.pool = () -> {
			assertThat(this.never.await(200, TimeUnit.MILLISECONDS)).isFalse();
			return connection();
		};

		this.probes.open().close();
	}

	private void fail(SQLException failure) {
		this.pool = () -> {
			throw failure;
		};
		assertThatExceptionOfType(SQLException.class).isThrownBy(this.probes::open).isSameAs(failure);
	}

	private Connection connection() {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "getAutoCommit" -> true;
					case "isReadOnly", "isClosed" -> false;
					case "getNetworkTimeout" -> 0;
					default -> null;
				});
	}

}
