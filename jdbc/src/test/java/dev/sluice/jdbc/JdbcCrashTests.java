package dev.sluice.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a server forgets that ends without a word and is started again. */
@Tag("hostile")
class JdbcCrashTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** Longer than a commit that does not wait for the disk takes to be there. */
	private static final Duration WRITTEN = Duration.ofSeconds(2);

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource
	void serverForgetsNoMoreThanItsDurabilitySays(Durability durability) throws Exception {
		EmbeddedPostgres server = start(0);
		int port = server.getPort();
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
			pool.setConnectionTimeout(1_000);
			JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
				.initializeSchema(true)
				.durability(durability)
				.timeout(Duration.ofSeconds(5))
				.build();
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			Throttle rate = node.addOrUpdate("rate", Limit.slidingLog(10, LONG));
			Throttle mutex = node.addOrUpdate("mutex", Limit.mutex());
			Permit held = mutex.tryAcquire("k").permit();
			assertThat(rate.tryAcquire("k", 4).admitted()).isTrue();
			Awaitility.await().pollDelay(WRITTEN).until(() -> true);
			assertThat(rate.tryAcquire("k", 2).admitted()).isTrue();

			crash();
			server.close();
			assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			server = start(port);

			Awaitility.await().atMost(PATIENCE).until(() -> !store.snapshot().unavailable());
			assertThat(rate.state("k").used()).isBetween((durability == Durability.UNLOGGED) ? 0 : 4,
					(durability == Durability.UNLOGGED) ? 0 : 6);
			if (durability == Durability.FULL) {
				assertThat(rate.state("k").used()).isEqualTo(6);
			}
			assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
			held.close();
			Permit next = mutex.acquire("k", 1, LONG).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			assertThat(next.fencingToken().getAsLong()).isGreaterThan(held.fencingToken().getAsLong());
			store.close();
		}
		finally {
			server.close();
		}
	}

	private EmbeddedPostgres start(int port) throws IOException {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setDataDirectory(this.folder.resolve("data"))
			.setCleanDataDirectory(false)
			.setServerConfig("synchronous_commit", "on");
		if (port != 0) {
			builder.setPort(port);
		}
		return builder.start();
	}

	/** Ends the server at once: what it had not written, nobody writes. */
	private void crash() throws Exception {
		String first = Files.readAllLines(this.folder.resolve("data").resolve("postmaster.pid")).get(0).strip();
		new ProcessBuilder("kill", "-QUIT", first).inheritIO().start().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> ProcessHandle.of(Long.parseLong(first)).map((process) -> !process.isAlive()).orElse(true));
	}

}
