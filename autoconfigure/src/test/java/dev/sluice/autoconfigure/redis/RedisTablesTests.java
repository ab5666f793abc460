package dev.sluice.autoconfigure.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.PageTable;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import redis.embedded.RedisServer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The table of keys in {@code docs/redis.md}, beside what is in a real Redis after limits
 * of all kinds were used, and waited for, and a node has published.
 */
@Tag("redis")
class RedisTablesTests {

	private static final long SECOND = 1_000;

	private static final long PERIOD = Duration.ofHours(1).toMillis();

	private static final long BUCKET = PERIOD / 3;

	private static final long MINUTE = 60 * SECOND;

	/** In the middle of the times in which a bucket may be used. */
	private static final long WINDOW = PERIOD - BUCKET / 2;

	private static final long LEASE = 30 * SECOND;

	private static final HistoryLimits LIMITS = new HistoryLimits(100, Duration.ofMinutes(5));

	private static final long HOUR = Duration.ofHours(1).toMillis();

	private static final long DAY = Duration.ofDays(1).toMillis();

	private static final long WEEK = Duration.ofDays(7).toMillis();

	/** How late a test may look. */
	private static final long PATIENCE = 20 * SECOND;

	private static final Pattern OF_A_KEY = Pattern.compile("sluice:\\{\\w+(?::|}\\{)[\\w-]+}:(line|nodes)");

	/** The kinds of the limit {@code commands}, each in a database of its own. */
	private static final List<String> KINDS = List.of("sliding-log", "sliding-window", "token-bucket");

	private static final String NODE_UNTIL = "\\{\\w+=\\d{16}}";

	private static final String COMMANDS = "sluice:{commands:tenant-7}";

	private static final String ORDER = "sluice:{order:17}";

	private static final String TENANTS = "sluice:{tenants}";

	/** What is in the database of each kind. */
	private static final List<Map<String, Entry>> found = List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

	private static RedisServer server;

	private static RedisClient client;

	private static RedisCommands<String, String> redis;

	@BeforeAll
	static void start() throws IOException {
		int port = 0;
		for (int attempt = 0; server == null || !server.isActive(); attempt++) {
			try (ServerSocket socket = new ServerSocket(0)) {
				port = socket.getLocalPort();
			}
			try {
				server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
				server.start();
			}
			catch (IOException ex) {
				if (attempt == 9) {
					throw ex;
				}
			}
		}
		client = RedisClient.create("redis://127.0.0.1:" + port);
		redis = client.connect().sync();
		for (int database = 0; database < KINDS.size(); database++) {
			use(port, database, KINDS.get(database));
		}
	}

	/** Uses all kinds of limits, and looks while calls wait. */
	private static void use(int port, int database, String kind) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class,
					SluiceRedisAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:" + port + "/" + database,
					"sluice.store.type=redis", "sluice.store.redis.timeout=10s",
					"sluice.throttles.commands.type=" + kind, "sluice.throttles.commands.limit=1",
					"sluice.throttles.commands.period=1h",
					kind.endsWith("window") ? "sluice.throttles.commands.buckets=3" : "",
					"sluice.throttles.order.type=mutex", "sluice.throttles.tenants.type=dynamic-window",
					"sluice.throttles.tenants.capacity=1", "sluice.throttles.tenants.period=1h",
					"sluice.throttles.tenants.buckets=3")
			.run((context) -> {
				ThrottlingManager limits = context.getBean(ThrottlingManager.class);
				for (AcquireRequest request : List.of(AcquireRequest.of("commands", "tenant-7"),
						AcquireRequest.of("order", "17").owner("batch-1"), AcquireRequest.of("tenants", "tenant-7"))) {
					Throttle throttle = limits.get(request.resource());
					assertThat(limits.tryAcquire(request).admitted()).isTrue();
					limits.acquire(AcquireRequest.of(request.resource(), request.key())
						.owner("batch-2")
						.maxWait(Duration.ofHours(9)));
					await().until(() -> throttle.state(request.key()).waiting() == 1);
					assertThat(throttle.snapshot(0).admitted()).isEqualTo(1);
				}
				limits.get("commands").tryAcquire("tenant-7");
				assertThat(limits.get("commands").snapshot(0).rejected()).isEqualTo(1);
				limits.addOrUpdate("gone", Limit.mutex());
				limits.remove("gone");
				redis.select(database);
				publish(port, database);
			});
	}

	/** Looks while a node has members, one of which is told of. */
	private static void publish(int port, int database) {
		RedisClient own = RedisClient.create("redis://127.0.0.1:" + port + "/" + database);
		try (RedisClusterBus bus = RedisClusterBus.builder(own).timeout(Duration.ofSeconds(10)).build()) {
			bus.start(new RecordedFrames());
			bus.join("t:room-7").join();
			bus.publish(new Publication("t:room-7", "id", "text", LIMITS, false)).join();
			bus.presence().enter("ann", new Publication("t:room-7", "id", "text", LIMITS, true)).join();
			bus.records()
				.keep(new SessionRecord("Zk3v9QxW_a1B", bus.node(), 1, List.of("s1"), "ann", "text"),
						Duration.ofMinutes(2))
				.join();
			bus.records().claim(new SessionClaim("Zk3v9QxW_a1B", "s1", "ann", "s2"), Duration.ofHours(1)).join();
			await().until(() -> bus.nodes().size() == 1);
			redis.keys("*").forEach((key) -> found.get(database).put(key, Entry.of(key)));
		}
		finally {
			own.shutdown();
		}
	}

	@AfterAll
	static void stop() throws IOException {
		client.shutdown();
		server.stop();
	}

	@Test
	void thereAreKeysOfThesePatternsAndNoOthers() {
		assertThat(found.stream().flatMap((keys) -> keys.keySet().stream()).map(RedisTablesTests::pattern).distinct())
			.containsExactlyInAnyOrderElementsOf(
					keys().rows().stream().map((row) -> row.get(0).replace("`", "")).distinct().toList());
	}

	/** Returns the name that the page has for such a key. */
	private static String pattern(String key) {
		Matcher ofAKey = OF_A_KEY.matcher(key);
		return ofAKey.matches() ? "sluice:{commands:tenant-7}:" + ofAKey.group(1)
				: key.replaceFirst("^(sluice:(?:limit|counts):).*", "$1commands")
					.replaceFirst("\\{\\w\\w}nodes$", "{6c}nodes");
	}

	@TestFactory
	Stream<DynamicTest> keysAreWhatTheTableSays() {
		return keys()
			.row("`sluice:{commands:tenant-7}` | list | of a sliding log: the times of its permits, oldest first"
					+ " | a period after the newest",
					() -> assertThat(key("sliding-log", COMMANDS)).satisfies(is("list", "\\[\\d{16}]", PERIOD)))
			.row("`sluice:{commands:tenant-7}` | string | of a window: format 1, `W`, length of a bucket, buckets, then"
					+ " bucket and permits by turns, and calls | when the newest bucket has left the window",
					() -> assertThat(key("sliding-window", COMMANDS))
						.satisfies(is("string", "\\[1,\"W\",1200000000,3,\\[\\d+,1],\"\\w{6}\"]", WINDOW)))
			.row("`sluice:{commands:tenant-7}` | string | of a token bucket: format 1, `T`, time, how far from full, cost"
					+ " of a token, bits of a fraction, and calls | when it is full",
					() -> assertThat(key("token-bucket", COMMANDS)).satisfies(
							is("string", "\\[1,\"T\",[\\d.]+e\\+15,3600000000,3600000000,0,\"\\w{6}\"]", PERIOD)))
			.row("`sluice:{order:17}` | string | of a mutex or semaphore: format 1, `H`, latest token if no holder has it,"
					+ " then owner, permits, the calls by which the owner entered unless it is one itself, token and length"
					+ " of the lease in milliseconds after the token by turns"
					+ " | a lease after that of the last holder has ended",
					() -> assertThat(key("sliding-log", ORDER)).satisfies(
							is("string", "\\[1,\"H\",0,\\[\"batch-1\",1,\"\\w+-1 \",[\\d.]+e\\+15,30000]]", 2 * LEASE)))
			.row("`sluice:{commands:tenant-7}:calls` | string | of a sliding log: calls | a minute after the newest",
					() -> assertThat(key("sliding-log", COMMANDS + ":calls"))
						.satisfies(is("string", ".*\\w{6}.*", MINUTE)))
			.row("`sluice:{commands:tenant-7}:line` | sorted set | who waits, as `node.number.permits`, and `.owner` where"
					+ " owners hold permits; by when they came, in microseconds"
					+ " | two leases after those who wait were last heard of", () -> {
						assertThat(key("token-bucket", COMMANDS + ":line"))
							.satisfies(is("sorted set", "\\w+\\.1\\.1 \\d{16}", 2 * LEASE));
						assertThat(key("token-bucket", ORDER + ":line"))
							.satisfies(is("sorted set", "\\w+\\.\\d\\.1\\.batch-2 \\d{16}", 2 * LEASE));
					})
			.row("`sluice:{order:17}:owners` | hash | where owners wait for a mutex or semaphore: their places in the"
					+ " line, and how many permits they wait for | as the line",
					() -> assertThat(key("sliding-log", ORDER + ":owners"))
						.satisfies(is("hash", "\\{batch-2=\\d{16} 1}", 2 * LEASE)))
			.row("`sluice:{commands:tenant-7}:nodes` | hash | until when each node that waits is believed alive, in"
					+ " microseconds | as the line", () -> {
						for (String kind : KINDS) {
							assertThat(key(kind, COMMANDS + ":nodes")).satisfies(is("hash", NODE_UNTIL, 2 * LEASE));
							assertThat(key(kind, ORDER + ":nodes")).satisfies(is("hash", NODE_UNTIL, 2 * LEASE));
						}
					})
			.row("`sluice:{tenants}{tenant-7}` | string | of a key of a dynamic window: as of a window; its `:line` and"
					+ " `:nodes` as above | when its newest bucket has left the window", () -> {
						assertThat(key("sliding-log", TENANTS + "{tenant-7}"))
							.satisfies(is("string", "\\[1,\"W\",1200000000,3,\\[\\d+,1],\"\\w{6}\"]", WINDOW));
						assertThat(key("sliding-log", TENANTS + "{tenant-7}:line"))
							.satisfies(is("sorted set", "\\w+\\.1\\.1 \\d{16}", 2 * LEASE));
						assertThat(key("sliding-log", TENANTS + "{tenant-7}:nodes"))
							.satisfies(is("hash", NODE_UNTIL, 2 * LEASE));
					})
			.row("`sluice:{tenants}` | string | what all keys of it have used together, as of a window"
					+ " | as the last of them",
					() -> assertThat(key("sliding-log", TENANTS))
						.satisfies(is("string", "\\[1,\"W\",1200000000,3,\\[\\d+,1]]", WINDOW)))
			.row("`sluice:{tenants}:since` | sorted set | its active keys, by when they became so, in microseconds"
					+ " | as the last of them",
					() -> assertThat(key("sliding-log", TENANTS + ":since"))
						.satisfies(is("sorted set", "tenant-7 \\d{16}", WINDOW)))
			.row("`sluice:{tenants}:ends` | sorted set | until when each of them is active, in microseconds"
					+ " | as the last of them",
					() -> assertThat(key("sliding-log", TENANTS + ":ends"))
						.satisfies(is("sorted set", "tenant-7 \\d{16}", WINDOW)))
			.row("`sluice:{tenants}:nodes` | hash | the nodes that wait, for any of its keys | as the line",
					() -> assertThat(key("sliding-log", TENANTS + ":nodes"))
						.satisfies(is("hash", NODE_UNTIL, 2 * LEASE)))
			.row("`sluice:limit:commands` | string | version, kind, limit and options; or `removed`"
					+ " | 7 days after a node that has the limit was last heard of", () -> {
						assertThat(key("token-bucket", "sluice:limit:commands")).satisfies(is("string",
								"1 rate type=token-bucket limit=1 period=PT1H capacity=1"
										+ " dry-run=false max-keys=100000 at-max-keys=EVICT_IDLE max-waiting=10000",
								WEEK));
						assertThat(key("token-bucket", "sluice:limit:gone")).satisfies(is("string", "removed", WEEK));
					})
			.row("`sluice:nodes` | sorted set | the names of the nodes, and until when each is believed alive, in"
					+ " milliseconds | 30 seconds after a node was last heard of",
					() -> assertThat(key("sliding-log", "sluice:nodes"))
						.satisfies(is("sorted set", "\\w+ \\d{13}", 30 * SECOND)))
			.row("`sluice:counts:commands` | hash | `admitted` and `rejected`, of all nodes | as the limit",
					() -> assertThat(key("sliding-log", "sluice:counts:commands"))
						.satisfies(is("hash", "\\{admitted=1, rejected=1}", WEEK)))
			.row("`sluice:bus:{8n}format` | string | of the [bus between nodes](cluster.md#nodes-over-redis): version,"
					+ " number of partitions, and kind of channels | never",
					() -> assertThat(key("sliding-log", "sluice:bus:{8n}format"))
						.satisfies(is("string", "1 24 classic", -1)))
			.row("`sluice:bus:{6c}nodes` | sorted set | in each of its partitions: the names of the nodes, and until when"
					+ " each is believed alive, in milliseconds | with the last lease",
					() -> assertThat(key("sliding-log", "sluice:bus:{6c}nodes"))
						.satisfies(is("sorted set", "\\w+ \\d{13}", 10 * SECOND)))
			.row("`sluice:bus:{6c}{t:room-7}` | list | the history of a topic: position, last millisecond, size of the"
					+ " history and what was published; the first message is preceded by the position that it follows"
					+ " | ten times `sluice.cluster.history.time` after the newest",
					() -> assertThat(key("sliding-log", "sluice:bus:{6c}{t:room-7}")).satisfies(
							is("list", "\\[0\\.\\w+\\.start\\.\\w+ 0 100 , 1\\.id \\d{13} 100 text]", 50 * MINUTE)))
			.row("`sluice:bus:{6c}{t:room-7}:top` | string | the position of its latest message, or its start: the number 0"
					+ " and an id | as its history, but a day after a node with members has confirmed them, and an hour after"
					+ " the last of them has left where nothing was published",
					() -> assertThat(key("sliding-log", "sluice:bus:{6c}{t:room-7}:top"))
						.satisfies(is("string", "1\\.id", DAY)))
			.row("`sluice:bus:{6c}{t:room-7}:in` | hash | the nodes that have members; with `u:` for `t:`, those that have"
					+ " sessions of a principal, and how many where they are limited | a day after the last of them has said so",
					() -> assertThat(key("sliding-log", "sluice:bus:{6c}{t:room-7}:in"))
						.satisfies(is("hash", "\\{\\w+=1}", DAY)))
			.row("`sluice:bus:{6c}{t:room-7}:who` | hash | with [presence](cluster.md#presence): each principal that is"
					+ " there, and the names of its nodes | as the nodes that have members",
					() -> assertThat(key("sliding-log", "sluice:bus:{6c}{t:room-7}:who"))
						.satisfies(is("hash", "\\{ann=\\w+}", DAY)))
			.row("`sluice:bus:{bq}{Zk3v9QxW_a1B}:session` | string | of a session that may be [resumed](resume.md): its node, how"
					+ " many connections it has had, digests of its owner and of its tokens, and what its node has kept"
					+ " | an hour after its node has kept it, or `sluice.cluster.resume.window` after its connection was"
					+ " lost",
					() -> assertThat(key("sliding-log", "sluice:bus:{bq}{Zk3v9QxW_a1B}:session"))
						.satisfies(is("string", "\\w+ 2 [\\w-]{43} s1,s2 text", HOUR)))
			.tests();
	}

	private static PageTable keys() {
		return PageTable.of("redis.md", "key | is a");
	}

	private static Entry key(String kind, String name) {
		Entry entry = found.get(KINDS.indexOf(kind)).get(name);
		assertThat(entry).as(name).isNotNull();
		return entry;
	}

	private static Consumer<Entry> is(String type, String content, long expiry) {
		return (entry) -> {
			assertThat(entry.type()).isEqualTo(type);
			assertThat(entry.content()).matches(Pattern.compile(content, Pattern.DOTALL));
			long tolerance = PATIENCE + ((expiry == WINDOW) ? BUCKET / 2 : 0);
			assertThat(entry.expiry()).isBetween(expiry - tolerance, expiry + tolerance);
		};
	}

	/** What a key of Redis has, and in how many milliseconds it expires. */
	private record Entry(String type, String content, long expiry) {

		static Entry of(String key) {
			String type = redis.type(key);
			return new Entry(type.equals("zset") ? "sorted set" : type, content(key, type), redis.pttl(key));
		}

		private static String content(String key, String type) {
			return switch (type) {
				case "list" -> redis.lrange(key, 0, -1).toString();
				case "hash" -> new TreeMap<>(redis.hgetall(key)).toString();
				case "zset" -> redis.zrangeWithScores(key, 0, -1)
					.stream()
					.map((value) -> "%s %.0f".formatted(value.getValue(), value.getScore()))
					.collect(Collectors.joining(", "));
				default -> key.endsWith("}") ? unpacked(key) : redis.get(key);
			};
		}

		/** As the page has it, for operators. */
		private static String unpacked(String key) {
			return redis.eval("return cjson.encode({cmsgpack.unpack(redis.call('GET', KEYS[1]))})",
					ScriptOutputType.VALUE, key);
		}

	}

}
