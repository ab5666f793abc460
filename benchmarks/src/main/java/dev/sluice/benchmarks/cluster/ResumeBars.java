package dev.sluice.benchmarks.cluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.redis.Server;
import dev.sluice.cluster.SessionCluster;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Clients whose node is killed, whose room is quiet or whose nodes are replaced. There
 * are fewer of them with the system property {@code clients}.
 */
public final class ResumeBars {

	private static final int CLIENTS = Integer.getInteger("clients", 5000);

	private static final int ROOMS = 20;

	private static final int MISSED = 20;

	private static final int QUIET_CLIENTS = 100;

	private static final int QUIET_MISSED = 5;

	private static final int QUIET_SECONDS = 30;

	private static final int BUSY_PER_SECOND = 1000;

	private static final int REPLACED_CLIENTS = Math.min(CLIENTS, 300);

	private static final int REPLACED_ROOMS = 10;

	private static final int REPLACED_PER_SECOND = 100;

	private static final double LONGEST_SILENCE = 3;

	private static final String[] PROPERTIES = { "sluice.cluster.history.size=1000", "server.tomcat.accept-count=1000",
			"sluice.websocket.shutdown-timeout=5s" };

	private ResumeBars() {
	}

	/**
	 * Clients of a killed node that have missed 20 messages each, compared with Socket.IO
	 * clients whose network was lost.
	 * @param report takes the bars
	 */
	public static void killed(BarReport report) {
		Outcome ours = killed();
		report.counted("%,d clients of a killed node have all".formatted(CLIENTS), percent(ours.recovered()), "",
				"100 %", ours.recovered() == CLIENTS);
		report.shown("until the last one has all", "%.1f s".formatted(ours.seconds()));
		Optional<SocketIo> peer = SocketIo.install();
		if (peer.isEmpty()) {
			report.shown("commands of Redis for that, a client", "%.1f".formatted(ours.commands()));
			report.shown("bytes of Redis for that, a client", "%.0f".formatted(ours.bytes()));
			report.shown("Socket.IO", "skipped: requires Node, npm and its downloads");
			return;
		}
		Outcome others = away(peer.get());
		report.counted("commands of Redis for that, a client", "%.1f".formatted(ours.commands()),
				"%.1f Socket.IO".formatted(others.commands()), "<= a quarter",
				ours.commands() <= others.commands() / 4);
		report.counted("bytes of Redis for that, a client", "%.0f".formatted(ours.bytes()),
				"%.0f Socket.IO".formatted(others.bytes()), "<= a quarter", ours.bytes() <= others.bytes() / 4);
		report.shown("recovered by Socket.IO, whose node lives", percent(others.recovered()));
	}

	private static String percent(long recovered) {
		return "%.2f %%".formatted(100.0 * recovered / CLIENTS);
	}

	private static Outcome killed() {
		try (Server server = new Server();
				ConfigurableApplicationContext publisher = ClusterNode.start(server.port(), PROPERTIES);
				NodeProcess killed = NodeProcess.sluice(server.port(), PROPERTIES);
				NodeProcess other = NodeProcess.sluice(server.port(), PROPERTIES);
				RoomClients clients = new RoomClients(CLIENTS, ROOMS, SluiceRoomClient::new)) {
			begin(clients, killed, () -> publish(publisher, 0, 1));
			return outcome(server, clients, other, () -> {
				killed.kill();
				publish(publisher, 1, MISSED);
			});
		}
	}

	/** Nothing is recovered of a node that was killed, so these lose their network. */
	private static Outcome away(SocketIo peer) {
		try (Server server = new Server();
				NodeProcess one = peer.start(server.port());
				NodeProcess other = peer.start(server.port());
				RoomClients clients = new RoomClients(CLIENTS, ROOMS, SocketIoRoomClient::new)) {
			begin(clients, one, () -> other.publish(1, ROOMS));
			return outcome(server, clients, other, () -> {
				clients.abort();
				rest();
				other.publish(MISSED, ROOMS);
			});
		}
	}

	private static void begin(RoomClients clients, NodeProcess node, Runnable publication) {
		clients.connect(node.port());
		check(clients.await(RoomClient::isJoined), "Clients are not in their rooms");
		publication.run();
		check(clients.await((client) -> client.latest() == 0), "Clients do not receive publications");
		rest();
	}

	private static Outcome outcome(Server server, RoomClients clients, NodeProcess node, Runnable loss) {
		clients.stay();
		long commands = server.commands();
		long bytes = server.networkBytes();
		loss.run();
		rest();
		long start = System.nanoTime();
		clients.connect(node.port());
		clients.await((client) -> client.isJoined() && client.latest() == MISSED);
		double seconds = (System.nanoTime() - start) / 1e9;
		return new Outcome(clients.count((client) -> client.isWhole() && client.latest() == MISSED), seconds,
				(double) (server.commands() - commands) / CLIENTS, (double) (server.networkBytes() - bytes) / CLIENTS);
	}

	private static void publish(ConfigurableApplicationContext node, int first, int count) {
		for (int number = first; number < first + count; number++) {
			for (int room = 0; room < ROOMS; room++) {
				publish(node, room, ClusterNode.message(number));
			}
		}
	}

	private static void publish(ConfigurableApplicationContext node, int room, String message) {
		node.getBean(SessionCluster.class).topic("room-" + room).publish(message).join();
	}

	/**
	 * Clients of a quiet room next to a room with a thousand messages a second.
	 * @param report takes the bar
	 */
	public static void quiet(BarReport report) {
		try (Server server = new Server();
				ConfigurableApplicationContext publisher = ClusterNode.start(server.port(), PROPERTIES);
				NodeProcess node = NodeProcess.sluice(server.port(), PROPERTIES);
				RoomClients quiet = new RoomClients(QUIET_CLIENTS, 1, SluiceRoomClient::new);
				RoomClients busy = new RoomClients(1, 1, (room) -> new SluiceRoomClient(1));
				RoomLoad load = new RoomLoad(publisher.getBean(SessionCluster.class), 1, 1)) {
			busy.connect(node.port());
			quiet.connect(node.port());
			check(busy.await(RoomClient::isJoined) && quiet.await(RoomClient::isJoined),
					"Clients are not in their rooms");
			publish(publisher, 0, ClusterNode.message(0));
			check(quiet.await((client) -> client.latest() == 0), "Clients do not receive publications");
			long start = System.nanoTime();
			load.start(BUSY_PER_SECOND);
			quiet.abort();
			for (int number = 1; number <= QUIET_MISSED; number++) {
				publish(publisher, 0, ClusterNode.message(number));
				LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(QUIET_SECONDS) / QUIET_MISSED);
			}
			quiet.connect(node.port());
			quiet.await((client) -> client.isJoined() && client.latest() == QUIET_MISSED);
			double perSecond = load.published() / ((System.nanoTime() - start) / 1e9);
			long recovered = quiet.count((client) -> client.isWhole() && client.latest() == QUIET_MISSED);
			report.counted("a quiet room recovered beside %.0f messages a second".formatted(perSecond),
					"%d of %d".formatted(recovered, QUIET_CLIENTS), "", "all",
					recovered == QUIET_CLIENTS && perSecond >= 0.95 * BUSY_PER_SECOND);
		}
	}

	/**
	 * Three nodes, which are replaced one after the other under load.
	 * @param report takes the bars
	 */
	public static void replaced(BarReport report) {
		Deque<NodeProcess> nodes = new ArrayDeque<>();
		try (Server server = new Server();
				ConfigurableApplicationContext publisher = ClusterNode.start(server.port(), PROPERTIES);
				RoomClients clients = new RoomClients(REPLACED_CLIENTS, REPLACED_ROOMS, SluiceRoomClient::new);
				RoomLoad load = new RoomLoad(publisher.getBean(SessionCluster.class), 0, REPLACED_ROOMS)) {
			for (int node = 0; node < 3; node++) {
				nodes.add(NodeProcess.sluice(server.port(), PROPERTIES));
			}
			clients.connect(ports(nodes));
			check(clients.await(RoomClient::isJoined), "Clients are not in their rooms");
			load.start(REPLACED_PER_SECOND);
			rest();
			clients.sum((client) -> {
				client.listen();
				return 0;
			});
			for (int node = 0; node < 3; node++) {
				nodes.add(NodeProcess.sluice(server.port(), PROPERTIES));
				NodeProcess old = nodes.remove();
				clients.balance(ports(nodes));
				old.stop();
				check(clients.await(RoomClient::isJoined), "Clients are not back");
			}
			load.end();
			clients.await((client) -> client.latest() == load.latest(client.room()));
			report(report, clients, load);
		}
		finally {
			nodes.forEach(NodeProcess::close);
		}
	}

	private static void report(BarReport report, RoomClients clients, RoomLoad load) {
		double silence = clients.longestSilence() / 1e9;
		report.counted("longest silence, three nodes replaced", "%.2f s".formatted(silence),
				"%d resumes".formatted(clients.sum(RoomClient::resumes)), "<= 3 s", silence <= LONGEST_SILENCE);
		long whole = clients.count((client) -> client.isWhole() && client.latest() == load.latest(client.room()));
		report.counted("nothing lost or doubled meanwhile", "%d of %d".formatted(whole, REPLACED_CLIENTS),
				"%d lost, %d doubled".formatted(clients.sum(RoomClient::missing), clients.sum(RoomClient::doubled)),
				"all", whole == REPLACED_CLIENTS);
	}

	private static int[] ports(Deque<NodeProcess> nodes) {
		return nodes.stream().mapToInt(NodeProcess::port).toArray();
	}

	private static void check(boolean holds, String message) {
		if (!holds) {
			throw new IllegalStateException(message);
		}
	}

	private static void rest() {
		LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
	}

	/**
	 * What became of clients that came back.
	 *
	 * @param recovered how many have all
	 * @param seconds until the last one had
	 * @param commands of Redis, a client
	 * @param bytes from and to Redis, a client
	 */
	private record Outcome(long recovered, double seconds, double commands, double bytes) {
	}

}
