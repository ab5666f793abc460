package dev.sluice.jdbc.connection;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NotificationsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final HikariDataSource pool = PostgresServer.pool();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final Database database = new Database(this.pool, "", PATIENCE, 3, this.timer);

	private final Notifications notifications = new Notifications(this.pool, this.database, this.timer);

	@AfterEach
	void stop() {
		this.notifications.close();
		this.database.close();
		this.timer.shutdownNow();
		this.pool.close();
	}

	@Test
	void nodeHearsWhatItIsToldAndNoOther() throws Exception {
		Semaphore here = new Semaphore(0);
		Semaphore elsewhere = new Semaphore(0);
		this.notifications.listen("here", here::release);
		this.notifications.listen("elsewhere", elsewhere::release);
		awaitOne(here);
		awaitOne(elsewhere);

		for (int i = 0; i < 3; i++) {
			this.notifications.send("here");
			awaitOne(here);
		}

		assertThat(elsewhere.availablePermits()).isZero();
	}

	private static void awaitOne(Semaphore calls) throws InterruptedException {
		assertThat(calls.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

}
