package dev.sluice.jdbc.rate;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.jdbc.rate.GrantHistory.Grant;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;

/**
 * A node whose callers all ask for one key of a rate, as fast as they can, and note what
 * they are granted. Its clock is wrong. As a process: where the server is, the schema,
 * which rate, milliseconds, hours by which its clock is wrong; it says that it is ready,
 * begins when it is told to, and prints its grants.
 */
final class RateCallers implements AutoCloseable {

	private static final int CALLERS = 16;

	private static final int LIMIT = 200;

	private static final Duration PERIOD = Duration.ofMillis(200);

	static final List<Limit> RATES = List.of(Limit.slidingLog(LIMIT, PERIOD), Limit.fixedWindow(LIMIT, PERIOD),
			Limit.slidingWindow(LIMIT, PERIOD, 4), Limit.tokenBucket(LIMIT, LIMIT, PERIOD));

	private final HikariDataSource pool;

	private final JdbcThrottleStore store;

	private final Throttle throttle;

	RateCallers(String url, String schema, Limit limit, int hours) {
		this.pool = PostgresServer.pool(url);
		this.store = JdbcThrottleStore.builder(this.pool)
			.schema(schema)
			.initializeSchema(true)
			.timeout(Duration.ofSeconds(60))
			.build();
		NanoClock right = NanoClock.system();
		long wrong = Duration.ofHours(hours).toNanos();
		this.throttle = ThrottlingManager.builder()
			.store(this.store)
			.clock(() -> right.nanoTime() + wrong)
			.build()
			.addOrUpdate(limit.type(), limit);
	}

	public static void main(String[] args) throws Exception {
		Limit limit = RATES.get(Integer.parseInt(args[2]));
		try (RateCallers callers = new RateCallers(args[0], args[1], limit, Integer.parseInt(args[4]))) {
			System.out.println("ready");
			if (System.in.read() >= 0) {
				callers.call(Duration.ofMillis(Integer.parseInt(args[3])))
					.forEach((grant) -> System.out.println(grant.before() + " " + grant.after()));
			}
		}
	}

	/** Has all callers call for so long, and returns what they were granted. */
	Queue<Grant> call(Duration time) throws InterruptedException {
		Queue<Grant> grants = new ConcurrentLinkedQueue<>();
		ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
		long end = System.nanoTime() + time.toNanos();
		for (int i = 0; i < CALLERS; i++) {
			callers.execute(() -> {
				while (System.nanoTime() - end < 0) {
					long before = GrantHistory.now();
					if (this.throttle.tryAcquireNanos("k", 1) == 0) {
						grants.add(new Grant(before, GrantHistory.now()));
					}
				}
			});
		}
		callers.shutdown();
		if (!callers.awaitTermination(120, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Callers hang");
		}
		return grants;
	}

	@Override
	public void close() {
		this.store.close();
		this.pool.close();
	}

}
