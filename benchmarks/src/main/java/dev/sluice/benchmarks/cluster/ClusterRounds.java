package dev.sluice.benchmarks.cluster;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.sluice.benchmarks.Load;
import dev.sluice.benchmarks.Node;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.benchmarks.redis.Server;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Measures publications, or messages to a user on another node, compared with
 * {@code PING}. Arguments: {@code publish} or {@code send}, rounds.
 */
final class ClusterRounds {

	static final String PUBLISH = "publish";

	static final String SEND = "send";

	static final String PING = "PING";

	static final String FLOOR = "2 PING and a local send";

	private static final int CALLERS = 32;

	private static final int CALLS = 1000;

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

	private ClusterRounds() {
	}

	public static void main(String[] args) {
		int rounds = Integer.parseInt(args[1]);
		try (Server server = new Server(); ConfigurableApplicationContext node = ClusterNode.start(server.port())) {
			RedisCommands<String, String> redis = RedisClient.create("redis://127.0.0.1:" + server.port())
				.connect()
				.sync();
			if (args[0].equals(PUBLISH)) {
				publish(node, redis, rounds);
			}
			else {
				send(node, redis, rounds, server.port());
			}
		}
		System.exit(0);
	}

	private static void publish(ConfigurableApplicationContext node, RedisCommands<String, String> redis, int rounds) {
		Topic topic = node.getBean(SessionCluster.class).topic(ClusterNode.TOPIC);
		List<Node> publish = List.of(node(() -> topic.publish(ClusterNode.MESSAGE).join() != null));
		List<Node> ping = List.of(node(() -> redis.ping().equals("PONG")));
		try (Load load = new Load(CALLERS)) {
			load.run(publish, WARM_UP_NANOS);
			load.run(ping, WARM_UP_NANOS);
			for (int round = 0; round < rounds; round++) {
				for (int turn = 0; turn < 2; turn++) {
					boolean ours = (round + turn) % 2 == 0;
					double perSecond = load.run(ours ? publish : ping, MEASURE_NANOS).perSecond();
					System.out.println(Rounds.line(ours ? PUBLISH : PING, perSecond / 1e3));
				}
			}
		}
	}

	private static Node node(BooleanSupplier call) {
		return new Node() {

			@Override
			public boolean tryAcquire() {
				return call.getAsBoolean();
			}

			@Override
			public void close() {
			}

		};
	}

	private static void send(ConfigurableApplicationContext node, RedisCommands<String, String> redis, int rounds,
			int port) {
		try (ConfigurableApplicationContext other = ClusterNode.start(port)) {
			HttpClient.newHttpClient()
				.newWebSocketBuilder()
				.buildAsync(URI.create("ws://127.0.0.1:" + ClusterNode.port(other) + "/idler?ann"),
						new WebSocket.Listener() {
						})
				.join();
			SessionCluster cluster = node.getBean(SessionCluster.class);
			SessionCluster local = other.getBean(SessionCluster.class);
			SessionQuery user = SessionQuery.ofPrincipal("ann");
			long start = System.nanoTime();
			while (cluster.find(user).join().count() == 0) {
				if (System.nanoTime() - start > PATIENCE_NANOS) {
					throw new IllegalStateException("The nodes do not find each other's sessions");
				}
			}
			SessionQuery session = SessionQuery.ofId(cluster.find(user).join().sessions().get(0).id());
			Runnable remote = () -> cluster.send(user, ClusterNode.MESSAGE).join();
			Runnable here = () -> local.send(session, ClusterNode.MESSAGE).join();
			for (int warmUp = 0; warmUp < 5; warmUp++) {
				micros(remote);
				micros(here);
				micros(redis::ping);
			}
			for (int round = 0; round < rounds; round++) {
				System.out.println(Rounds.line(SEND, micros(remote)));
				System.out.println(Rounds.line(FLOOR, 2 * micros(redis::ping) + micros(here)));
			}
		}
	}

	/** Returns the median of the duration of a call. */
	private static double micros(Runnable call) {
		long[] times = new long[CALLS];
		for (int index = 0; index < CALLS; index++) {
			long before = System.nanoTime();
			call.run();
			times[index] = System.nanoTime() - before;
		}
		Arrays.sort(times);
		return times[CALLS / 2] / 1e3;
	}

}
