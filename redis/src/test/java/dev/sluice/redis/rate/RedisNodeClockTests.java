package dev.sluice.redis.rate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.redis.RedisCluster;
import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/** Nodes whose clock is minutes behind the clock of the server, or ahead of it. */
@Execution(ExecutionMode.CONCURRENT)
class RedisNodeClockTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final Duration PERIOD = Duration.ofMillis(400);

	private static final Duration LONG = Duration.ofDays(1);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final RedisClient otherClient = this.server.client();

	private final List<AutoCloseable> stores = new ArrayList<>();

	private ThrottlingManager node;

	private ThrottlingManager otherNode;

	@AfterEach
	void stop() throws Exception {
		for (AutoCloseable store : this.stores) {
			store.close();
		}
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.otherClient.shutdown(0, 1, TimeUnit.SECONDS);
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 7, -7 })
	void clockOfTheServerDecides(int minutes) throws Exception {
		start(Duration.ofMinutes(minutes), LONG);

		permitsAndPlacesAreKept("k", Duration.ZERO);
		ratesEndInTime(this.node, this.otherNode);
		timesAreThoseOfTheServer(this.node, this.otherNode, Duration.ofMinutes(minutes));
	}

	@Tag("full")
	@ParameterizedTest
	@ValueSource(ints = { 7, -7 })
	void leasesAreRenewedAndEndInTime(int minutes) throws Exception {
		start(Duration.ofMinutes(minutes), LEASE);

		permitsAndPlacesAreKept("k", LEASE.multipliedBy(2));
		assertThat(this.node.get("mutex").tryAcquire("dead").admitted()).isTrue();
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		soon().until(() -> this.otherNode.get("mutex").tryAcquire("dead").admitted());
	}

	/** Clocks of masters differ by minutes, and each decides for its keys. */
	@Tag("hostile")
	@Test
	void clockOfEachMasterOfAClusterDecides(@TempDir Path directory) throws Exception {
		try (RedisCluster cluster = new RedisCluster(directory); RedisClusterClient client = cluster.client()) {
			OtherClock classes = new OtherClock(
					"({ [%d] = 420, [%d] = -420 })[tonumber(%s)] or 0".formatted(cluster.server(0).port(),
							cluster.server(1).port(), "string.match(redis.call('INFO', 'server'), 'tcp_port:(%d+)')"));
			this.node = node(classes, RedisClusterClient.class, client, LEASE);
			this.otherNode = node(classes, RedisClusterClient.class, client, LEASE);

			for (int master = 0; master < 3; master++) {
				permitsAndPlacesAreKept(keyOf(cluster, master), LEASE.multipliedBy(2));
			}
			ratesEndInTime(this.node, this.otherNode);
			for (AutoCloseable store : this.stores) {
				store.close();
			}
			this.stores.clear();
		}
	}

	private static String keyOf(RedisCluster cluster, int master) {
		return IntStream.iterate(0, (number) -> number + 1)
			.mapToObj((number) -> "k" + number)
			.filter((key) -> cluster.masterOf(SlotHash.getSlot("mutex:" + key)) == master)
			.findFirst()
			.orElseThrow();
	}

	private void start(Duration ahead, Duration lease) throws Exception {
		OtherClock classes = new OtherClock(String.valueOf(ahead.toSeconds()));
		this.node = node(classes, RedisClient.class, this.client, lease);
		this.otherNode = node(classes, RedisClient.class, this.otherClient, lease);
	}

	private <T> ThrottlingManager node(OtherClock classes, Class<T> clientType, T client, Duration lease)
			throws Exception {
		Class<?> type = classes.loadClass(RedisThrottleStore.class.getName());
		Object builder = type.getMethod("builder", clientType).invoke(null, client);
		builder.getClass().getMethod("timeout", Duration.class).invoke(builder, Duration.ofSeconds(20));
		builder.getClass().getMethod("lease", Duration.class).invoke(builder, lease);
		ThrottleStore store = (ThrottleStore) builder.getClass().getMethod("build").invoke(builder);
		this.stores.add((AutoCloseable) store);
		return ThrottlingManager.builder().store(store).build();
	}

	private void permitsAndPlacesAreKept(String key, Duration time) throws Exception {
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		AtomicInteger lost = new AtomicInteger();
		Permit held = mutex.tryAcquire(key).permit();
		held.onLost(lost::incrementAndGet);
		CompletableFuture<Permit> next = this.otherNode.get("mutex").acquire(key, 1, LONG);
		soon().until(() -> mutex.state(key).waiting() == 1);
		CompletableFuture<Permit> last = mutex.acquire(key, 1, LONG);
		soon().until(() -> mutex.state(key).waiting() == 2);

		await().during(time)
			.atMost(time.plusSeconds(20))
			.until(() -> lost.get() == 0 && !next.isDone() && !last.isDone());
		held.close();
		Permit following = next.get(20, TimeUnit.SECONDS);
		assertThat(last).isNotDone();
		assertThat(mutex.acquire(key, 1, Duration.ofMillis(100))).failsWithin(20, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(ThrottledException.class);
		following.close();
		last.get(20, TimeUnit.SECONDS).close();
	}

	private static void ratesEndInTime(ThrottlingManager node, ThrottlingManager otherNode) {
		List<Limit> limits = List.of(Limit.slidingLog(2, PERIOD), Limit.slidingWindow(2, PERIOD, 4),
				Limit.dynamicWindow(2, 1, 2, PERIOD, 4), Limit.tokenBucket(2, 2, PERIOD));
		for (Limit limit : limits) {
			Throttle rate = node.addOrUpdate(limit.type(), limit);
			Throttle other = otherNode.get(limit.type());
			Duration reset = Duration.ZERO;
			Decision rejected = null;
			while (rejected == null) {
				rate.tryAcquire("k", 2);
				Decision decision = other.tryAcquire("k", 2);
				reset = other.state("k").resetAfter();
				rejected = decision.admitted() ? null : decision;
			}
			assertThat(rejected.reason()).isEqualTo(Decision.Reason.LIMIT);
			assertThat(rejected.retryAfter()).isBetween(Duration.ofNanos(1), PERIOD.multipliedBy(2));
			assertThat(reset).isBetween(Duration.ZERO, PERIOD.multipliedBy(2));
			soon().until(() -> rate.tryAcquire("k").admitted());
			assertThat(other.acquire("k", 2, LONG)).succeedsWithin(20, TimeUnit.SECONDS);
		}
		Throttle day = node.addOrUpdate("day", Limit.slidingLog(1, LONG));
		assertThat(day.tryAcquire("k").admitted()).isTrue();
		assertThat(otherNode.get("day").tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
	}

	private static void timesAreThoseOfTheServer(ThrottlingManager node, ThrottlingManager otherNode, Duration ahead) {
		Permit permit = node.addOrUpdate("semaphore", Limit.semaphore(1)).tryAcquire("k").permit();
		try {
			Instant since = otherNode.get("semaphore").state("k").oldestHolder().orElseThrow().since();
			assertThat(since).isCloseTo(Instant.now().plus(ahead), within(20, ChronoUnit.SECONDS));
		}
		finally {
			permit.close();
		}
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
	}

	/**
	 * Loads the store with scripts for which the clock of the server shows another time.
	 */
	private static final class OtherClock extends ClassLoader {

		private static final String CLOCK = "redis.call('TIME')";

		private final String time;

		/** Creates one with an expression for the seconds by which the clock is ahead. */
		OtherClock(String seconds) {
			super(OtherClock.class.getClassLoader());
			this.time = "(function() local time = " + CLOCK + " time[1] = time[1] + (" + seconds
					+ ") return time end)()";
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				if (!name.startsWith(RedisThrottleStore.class.getPackageName() + '.')) {
					return super.loadClass(name, resolve);
				}
				Class<?> loaded = findLoadedClass(name);
				if (loaded != null) {
					return loaded;
				}
				byte[] bytes = read(name.replace('.', '/') + ".class");
				return defineClass(name, bytes, 0, bytes.length);
			}
		}

		@Override
		public InputStream getResourceAsStream(String name) {
			if (!name.endsWith(".lua")) {
				return super.getResourceAsStream(name);
			}
			String script = new String(read(name), StandardCharsets.UTF_8);
			assertThat(script.contains(CLOCK)).isEqualTo(script.contains("'TIME')"));
			return new ByteArrayInputStream(script.replace(CLOCK, this.time).getBytes(StandardCharsets.UTF_8));
		}

		private byte[] read(String name) {
			try (InputStream resource = super.getResourceAsStream(name)) {
				return Objects.requireNonNull(resource, name).readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
