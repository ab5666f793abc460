package dev.sluice.redis;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.sluice.bus.BusState;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Users of Redis with the rights that the reference guide lists, and with fewer. */
class RedisAccessTests {

	private static final List<String> LIMITS = List
		.of(("~sluice:* resetchannels &sluice:* +eval +evalsha +subscribe +unsubscribe"
				+ " +get +set +del +unlink +exists +pexpire +pttl +scan +time +publish +hdel +hget +hgetall +hincrby +hset"
				+ " +lindex +llen +lpop +lrange +lrem +rpush +zadd +zcard +zcount +zrange +zrangebyscore +zrank +zrem"
				+ " +zremrangebyscore +zscore")
			.split(" "));

	private static final List<String> SESSIONS = List
		.of(("~sluice:* resetchannels &sluice:* +eval +evalsha +subscribe +unsubscribe"
				+ " +get +getrange +set +setnx +del +exists +pexpire +pexpireat +pttl +time +publish +hdel +hget +hgetall"
				+ " +hkeys +hset +hsetnx +lindex +llen +lpush +lrange +ltrim +rpush +zadd +zrange +zrangebyscore +zrem +zremrangebyscore"
				+ " +zscore")
			.split(" "));

	private static final Path SCRIPTS = Path.of("src/main/resources/dev/sluice/redis/connection");

	private final RedisServer server = RedisServer.start();

	private final RedisClient operator = this.server.client();

	private final StatefulRedisConnection<String, String> connection = this.operator.connect();

	private final RedisClient client = RedisClient.create();

	@AfterEach
	void stop() {
		this.client.shutdown();
		this.operator.shutdown();
		this.server.close();
	}

	private RedisClient user(List<String> rules, String... less) {
		List<String> all = new ArrayList<>(List.of("SETUSER", "app", "reset", "on", ">secret"));
		all.addAll(rules);
		all.addAll(List.of(less));
		CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
		all.forEach(arguments::add);
		this.connection.sync().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), arguments);
		return client("secret");
	}

	private RedisClient client(String password) {
		RedisURI uri = RedisURI.create("127.0.0.1", this.server.port());
		uri.setCredentialsProvider(new StaticCredentialsProvider("app", password.toCharArray()));
		RedisClient client = RedisClient.create(this.client.getResources(), uri);
		client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		return client;
	}

	@Test
	void limitsNeedTheDocumentedRulesOnly() throws Exception {
		try (RedisThrottleStore store = RedisThrottleStore.builder(user(LIMITS))
			.timeout(Duration.ofSeconds(5))
			.build()) {
			ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
			List<Limit> limits = List.of(Limit.slidingLog(1, Duration.ofMillis(300)),
					Limit.fixedWindow(1, Duration.ofMillis(300)), Limit.slidingWindow(1, Duration.ofMillis(300), 3),
					Limit.tokenBucket(1, 1, Duration.ofMillis(300)),
					Limit.dynamicWindow(1, 1, 1, Duration.ofMillis(300), 3), Limit.mutex());
			for (Limit limit : limits) {
				Throttle throttle = manager.addOrUpdate("limit-" + limits.indexOf(limit), limit);
				Permit first = throttle.acquire("k", 1, Duration.ofSeconds(20)).get(30, TimeUnit.SECONDS);
				CompletableFuture<Permit> second = throttle.acquire("k", 1, Duration.ofSeconds(20));
				first.close();
				second.get(30, TimeUnit.SECONDS).close();
				assertThat(throttle.snapshot(10).resource()).isEqualTo(throttle.resource());
				manager.remove(throttle.resource());
			}
			assertThat(store.snapshot().failed()).isZero();
		}
	}

	@Test
	void sessionsOverNodesNeedTheDocumentedRulesOnly() {
		RedisClusterBus bus = RedisClusterBus.builder(user(SESSIONS)).timeout(Duration.ofSeconds(5)).build();
		try {
			bus.start(new RecordedFrames());
			await().until(() -> bus.state() == BusState.UP && bus.nodes().size() == 1);
			HistoryLimits limits = new HistoryLimits(1, Duration.ofMinutes(1));
			bus.join("t:room").join();
			for (int i = 0; i < 3; i++) {
				bus.publish(new Publication("t:room", UUID.randomUUID().toString(), "text", limits, i == 2)).join();
			}
			assertThat(bus.read("t:room", null).join().entries()).hasSize(1);
			bus.presence().enter("ann", new Publication("t:room", "in", "", limits, false)).join();
			assertThat(bus.presence().present("t:room").join()).containsKey("ann");
			bus.presence().exit(bus.node(), "ann", new Publication("t:room", "out", "", limits, false)).join();
			assertThat(bus.occupy("u:ann", 1, 1).join()).isTrue();
			assertThat(bus.route("u:ann", "frame").join()).isNotEmpty();
			assertThat(bus.broadcast("frame").join()).isNotEmpty();
			assertThat(bus.send(bus.node(), "frame").join()).isTrue();
			bus.leave("t:room").join();
			assertThat(bus.records()
				.keep(new SessionRecord("s", bus.node(), 1, List.of("x"), "o", "c"), Duration.ofMinutes(1))
				.join()).isTrue();
			assertThat(bus.records().claim(new SessionClaim("s", "x", "o", "y"), Duration.ofMinutes(1)).join())
				.isNotNull();
			assertThat(bus.records().isLatest("s", 2).join()).isTrue();
			bus.records().forget("s", 9).join();
		}
		finally {
			bus.close();
		}
	}

	@Test
	void eachCommandOfAScriptOfTheBusIsTriedAtTheStart() throws IOException {
		Set<String> tried = commands("\\{ '([A-Z]+)'", script("check-bus"));
		assertThat(tried).contains("GET", "ZADD");
		try (DirectoryStream<Path> scripts = Files.newDirectoryStream(SCRIPTS, "bus-*.lua")) {
			for (Path script : scripts) {
				assertThat(tried).as(script.toString())
					.containsAll(commands("redis\\.p?call\\('([A-Za-z]+)'", Files.readString(script)));
			}
		}
	}

	private static String script(String name) throws IOException {
		return Files.readString(SCRIPTS.resolve(name + ".lua"));
	}

	private static Set<String> commands(String pattern, String script) {
		return Pattern.compile(pattern)
			.matcher(script)
			.results()
			.map((call) -> call.group(1).toUpperCase(Locale.ROOT))
			.collect(Collectors.toSet());
	}

	@Test
	void missingRulesStopTheStartAndAreNamed() {
		assertStopped(() -> limits(user(LIMITS, "-publish")), "+publish");
		assertStopped(() -> limits(user(LIMITS, "-zadd", "-hincrby")), "+hincrby, +zadd");
		assertStopped(() -> limits(user(LIMITS, "resetchannels")), "&sluice:*");
		assertStopped(() -> limits(user(LIMITS, "resetkeys", "~other:*")), "~sluice:*");
		assertStopped(() -> limits(user(LIMITS, "-eval")), "eval");
		assertStopped(() -> limits(user(LIMITS, "-subscribe")), "+subscribe");
		assertStopped(() -> bus(user(SESSIONS, "-hsetnx")), "+hsetnx");
		assertStopped(() -> bus(user(SESSIONS, "resetchannels")), "&sluice:*");
	}

	@Test
	void aWrongPasswordStopsTheStart() {
		user(LIMITS);
		assertStopped(() -> limits(client("wrong")), "user name or the password");
		assertStopped(() -> bus(client("wrong")), "user name or the password");
	}

	private static AutoCloseable limits(RedisClient client) {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(5)).build();
	}

	private static AutoCloseable bus(RedisClient client) {
		RedisClusterBus bus = RedisClusterBus.builder(client).timeout(Duration.ofSeconds(5)).build();
		bus.start(new RecordedFrames());
		return bus::close;
	}

	private static void assertStopped(Supplier<AutoCloseable> start, String named) {
		assertThatExceptionOfType(RedisAccessException.class).isThrownBy(start::get).withMessageContaining(named);
	}

}
