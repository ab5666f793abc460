package dev.sluice.jdbc.mutex;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.test.trial.GrantHistory;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;

/**
 * A node whose threads hold a mutex by turns, for ever. As a process: where the server
 * is, and the schema. It prints when it had it, and then when it was about to give it
 * back or was told that it is lost, each with its token.
 */
final class MutexHolders {

	static final Duration LEASE = Duration.ofSeconds(2);

	private static final int THREADS = 2;

	private MutexHolders() {
	}

	public static void main(String[] args) {
		HikariDataSource pool = PostgresServer.pool(args[0]);
		JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
			.schema(args[1])
			.initializeSchema(true)
			.timeout(Duration.ofSeconds(30))
			.lease(LEASE)
			.build();
		Throttle mutex = ThrottlingManager.builder().store(store).build().addOrUpdate("order", Limit.mutex());
		for (int i = 0; i < THREADS; i++) {
			new Thread(() -> hold(mutex)).start();
		}
	}

	private static void hold(Throttle mutex) {
		while (true) {
			try (Permit permit = mutex.acquire("k", 1, Duration.ofDays(1)).join()) {
				long token = permit.fencingToken().orElseThrow();
				System.out.println("in " + token + ' ' + GrantHistory.now());
				permit.onLost(() -> System.out.println("lost " + token + ' ' + GrantHistory.now()));
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
				System.out.println("out " + token + ' ' + GrantHistory.now());
			}
			catch (CompletionException ex) {
				// not heard of for a lease, this node has lost its place in line
			}
		}
	}

}
