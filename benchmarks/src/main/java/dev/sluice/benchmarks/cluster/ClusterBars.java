package dev.sluice.benchmarks.cluster;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.Fork;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.benchmarks.redis.Server;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.redis.bus.RedisClusterBus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.springframework.context.ConfigurableApplicationContext;

/** Sessions and topics of two nodes over one Redis. */
public final class ClusterBars {

	private static final List<String> JVM = List.of("-Xms1g", "-Xmx1g");

	private static final int FORKS = 3;

	private static final int ROUNDS_PER_FORK = 5;

	private static final int MEMBERS = 1000;

	private static final int BURST = 100;

	private static final int IDLERS = 5000;

	private static final Duration IDLE = Duration.ofSeconds(30);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final int TOPICS = 10_000;

	private static final int HISTORY = 100;

	private static final int IN_FLIGHT = 500;

	private ClusterBars() {
	}

	/**
	 * Publications with a history, 32 callers.
	 * @param report takes the bar
	 */
	public static void publish(BarReport report) {
		report.atLeast("publish with history, 32 callers", rounds(ClusterRounds.PUBLISH), ClusterRounds.PUBLISH,
				ClusterRounds.PING, "k/s", 0.5);
	}

	/**
	 * Messages to a user on the other node, one at a time, each until its receipt.
	 * @param report takes the bar
	 */
	public static void send(BarReport report) {
		report.atMost("send to a user on the other node", rounds(ClusterRounds.SEND), ClusterRounds.SEND,
				ClusterRounds.FLOOR, "us", 1.0);
	}

	private static Rounds rounds(String load) {
		Rounds rounds = new Rounds();
		for (int fork = 0; fork < FORKS; fork++) {
			rounds.addAll(Fork.run(JVM, ClusterRounds.class, load, ROUNDS_PER_FORK).linesOrThrow());
		}
		return rounds;
	}

	/**
	 * Messages to a thousand members on two nodes, a hundred at once.
	 * @param report takes the bar
	 */
	public static void fanOut(BarReport report) {
		Optional<SocketIo> peer = SocketIo.install();
		try (Server server = new Server();
				Group ours = new Group(NodeProcess.sluice(server.port()), NodeProcess.sluice(server.port()), "/member",
						"\"data\"")) {
			if (peer.isEmpty()) {
				ours.deliveriesPerSecond();
				report.shown("fan-out to 1,000 members on two nodes",
						"%.4g k/s".formatted(ours.deliveriesPerSecond() / 1e3));
				report.shown("Socket.IO", "skipped: requires Node, npm and its downloads");
				return;
			}
			try (Group others = new Group(peer.get().start(server.port()), peer.get().start(server.port()),
					"/socket.io/?EIO=4&transport=websocket", "42[")) {
				report.atLeast("fan-out to 1,000 members on two nodes", fanOut(ours, others), "Sluice", "Socket.IO",
						"k/s", 1.0);
			}
		}
	}

	private static Rounds fanOut(Group ours, Group others) {
		Rounds rounds = new Rounds();
		for (int warmUp = 0; warmUp < ROUNDS_PER_FORK; warmUp++) {
			ours.deliveriesPerSecond();
			others.deliveriesPerSecond();
		}
		for (int round = 0; round < FORKS * ROUNDS_PER_FORK; round++) {
			for (int turn = 0; turn < 2; turn++) {
				boolean first = (round + turn) % 2 == 0;
				rounds.add(first ? "Sluice" : "Socket.IO", (first ? ours : others).deliveriesPerSecond() / 1e3);
			}
		}
		return rounds;
	}

	/**
	 * Commands that sessions cause which do nothing.
	 * @param report takes the bar
	 */
	public static void idle(BarReport report) {
		try (Server server = new Server();
				ConfigurableApplicationContext node = ClusterNode.start(server.port());
				Members clients = new Members("none")) {
			rest();
			long without = commandsMeanwhile(server);
			clients.connect("ws://127.0.0.1:" + ClusterNode.port(node) + "/idler", IDLERS);
			rest();
			long with = commandsMeanwhile(server);
			long beat = without / (IDLE.toSeconds() / 3);
			report.counted("commands in %d s, 5,000 idle sessions".formatted(IDLE.toSeconds()), "" + with,
					without + " without sessions", "<= one beat more", with <= without + beat);
		}
	}

	private static long commandsMeanwhile(Server server) {
		long before = server.commands();
		LockSupport.parkNanos(IDLE.toNanos());
		return server.commands() - before;
	}

	private static void rest() {
		LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
	}

	/**
	 * Bytes of topics whose messages have 64 bytes, compared with streams with the same
	 * content.
	 * @param report takes the bars
	 */
	public static void bytes(BarReport report) {
		for (int messages : new int[] { 1, HISTORY }) {
			long ours = bytesOfTopics(messages);
			long streams = bytesOfStreams(messages);
			report.counted("10,000 topics, messages each: " + messages, ours / 1000 + " kB",
					streams / 1000 + " kB streams", "<= streams", ours <= streams);
		}
	}

	private static long bytesOfTopics(int messages) {
		HistoryLimits limits = new HistoryLimits(HISTORY, Duration.ofHours(1));
		try (Server server = new Server();
				Redis redis = new Redis(server.port());
				RedisClusterBus bus = RedisClusterBus.builder(redis.client()).timeout(PATIENCE).build()) {
			bus.start(new NoListener());
			return bytes(server, messages, (topic, message) -> bus.publish(new Publication("t:topic-" + topic,
					bus.node() + "." + message, "0\"" + ClusterNode.MESSAGE + '"', limits, false)));
		}
	}

	private static long bytesOfStreams(int messages) {
		try (Server server = new Server(); Redis redis = new Redis(server.port())) {
			RedisAsyncCommands<String, String> commands = redis.client().connect().async();
			return bytes(server, messages,
					(topic, message) -> commands
						.xadd("stream-" + topic, XAddArgs.Builder.maxlen(HISTORY), "m",
								"0\"" + ClusterNode.MESSAGE + '"')
						.toCompletableFuture());
		}
	}

	private static long bytes(Server server, int messages, BiFunction<Integer, Integer, CompletableFuture<?>> write) {
		write.apply(TOPICS, 0).join();
		long before = server.usedBytes();
		Queue<CompletableFuture<?>> open = new ArrayDeque<>();
		for (int message = 0; message < messages; message++) {
			for (int topic = 0; topic < TOPICS; topic++) {
				open.add(write.apply(topic, message));
				if (open.size() > IN_FLIGHT) {
					open.remove().join();
				}
			}
		}
		open.forEach(CompletableFuture::join);
		return server.usedBytes() - before;
	}

	/** A client of Redis that is closed. */
	private record Redis(RedisClient client) implements AutoCloseable {

		Redis(int port) {
			this(RedisClient.create("redis://127.0.0.1:" + port));
		}

		@Override
		public void close() {
			this.client.shutdown();
		}

	}

	/** Two nodes and their members. */
	private static final class Group implements AutoCloseable {

		private final NodeProcess one;

		private final NodeProcess other;

		private final Members members;

		Group(NodeProcess one, NodeProcess other, String path, String marker) {
			this.one = one;
			this.other = other;
			this.members = new Members(marker);
			for (NodeProcess node : List.of(one, other)) {
				this.members.connect("ws://127.0.0.1:" + node.port() + path, MEMBERS / 2);
			}
			rest();
		}

		double deliveriesPerSecond() {
			this.members.expect(MEMBERS * BURST);
			long start = System.nanoTime();
			this.one.publish(BURST);
			if (!this.members.await(60)) {
				throw new IllegalStateException("Messages are missing");
			}
			return MEMBERS * BURST / ((System.nanoTime() - start) / 1e9);
		}

		@Override
		public void close() {
			this.members.close();
			this.one.close();
			this.other.close();
		}

	}

}
