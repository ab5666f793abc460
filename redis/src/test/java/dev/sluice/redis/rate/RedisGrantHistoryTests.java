package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.redis.JavaProcess;
import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.GrantHistory;
import dev.sluice.test.trial.GrantHistory.Grant;
import dev.sluice.test.trial.RateTrial;
import dev.sluice.throttle.Limit;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four nodes with 32 callers each, whose clocks differ by hours, on one key of a rate: no
 * window has more than the bound.
 */
class RedisGrantHistoryTests {

	private static final int NODES = 4;

	private static RedisServer server;

	private static List<RedisClient> clients;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		clients = Stream.generate(server::client).limit(NODES).toList();
	}

	@AfterAll
	static void stop() {
		clients.forEach(RedisClient::shutdown);
		server.close();
	}

	static Stream<Limit> rates() {
		return RateTrial.RATES.stream();
	}

	@ParameterizedTest
	@MethodSource("rates")
	void noWindowHasMoreThanItsBound(Limit limit) throws Exception {
		GrantHistory history = callAll(limit, Duration.ofSeconds(1));

		assertThat(history.excess(limit)).isLessThanOrEqualTo(0);
		assertThat(history.size()).isGreaterThanOrEqualTo(limit.limit());
	}

	@Test
	void plantedOverAdmissionIsFound() throws Exception {
		Limit stated = Limit.slidingLog(200, Duration.ofSeconds(60));
		Limit planted = Limit.slidingLog(201, Duration.ofSeconds(60));

		assertThat(callAll(planted, Duration.ofMillis(300)).excess(stated)).isOne();
	}

	private static GrantHistory callAll(Limit limit, Duration time) throws Exception {
		List<RedisThrottleStore> stores = clients.stream().map(RateCallers::store).toList();
		ExecutorService nodes = Executors.newFixedThreadPool(NODES);
		try {
			List<Future<Queue<Grant>>> running = new ArrayList<>();
			AtomicInteger granted = new AtomicInteger();
			for (int i = 0; i < NODES; i++) {
				RateTrial trial = RateCallers.trial(stores.get(i), limit, i - 2);
				running.add(nodes.submit(() -> trial.call(time, granted, limit.limit())));
			}
			List<Grant> grants = new ArrayList<>();
			for (Future<Queue<Grant>> node : running) {
				grants.addAll(node.get(120, TimeUnit.SECONDS));
			}
			return new GrantHistory(grants);
		}
		finally {
			nodes.shutdownNow();
			stores.forEach(RedisThrottleStore::close);
		}
	}

	@ParameterizedTest
	@MethodSource("rates")
	@Tag("full")
	void noWindowHasMoreThanItsBoundIfNodesAreProcesses(Limit limit) throws Exception {
		String rate = "" + RateTrial.RATES.indexOf(limit);
		Queue<Grant> grants = new ConcurrentLinkedQueue<>();
		List<JavaProcess> nodes = IntStream.range(0, NODES)
			.mapToObj((i) -> JavaProcess.start(RateCallers.class, "" + server.port(), rate, "4", "" + (i - 2)))
			.toList();
		try {
			for (JavaProcess node : nodes) {
				node.awaitLine("ready");
			}
			nodes.forEach(JavaProcess::tellToBegin);
			for (JavaProcess node : nodes) {
				node.awaitEnd().forEach((line) -> {
					String[] times = line.split(" ");
					grants.add(new Grant(Long.parseLong(times[0]), Long.parseLong(times[1])));
				});
			}
		}
		finally {
			nodes.forEach(JavaProcess::close);
		}

		GrantHistory history = new GrantHistory(grants);
		assertThat(history.excess(limit)).isLessThanOrEqualTo(0);
		assertThat(history.size()).isGreaterThanOrEqualTo(4 * limit.limit());
	}

}
