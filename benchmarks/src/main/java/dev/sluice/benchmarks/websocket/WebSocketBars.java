package dev.sluice.benchmarks.websocket;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleConsumer;
import java.util.function.ToDoubleFunction;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.Rounds;

/**
 * Sessions on real sockets, compared with plain Spring. Each server is a JVM of its own;
 * this one has the clients.
 */
public final class WebSocketBars {

	static final int FORKS = 2;

	static final int ROUNDS_PER_FORK = 6;

	static final long START_UP_MILLIS = 5_000;

	private static final long WARM_UP_MILLIS = 1_500;

	private static final long ROUND_MILLIS = 700;

	private static final int QUIET_CLIENTS = 99;

	private static final int IDLE_CLIENTS = 5_000;

	/** Makes Tomcat's buffers of a connection small, where it has no other way. */
	static final String SMALL_BUFFERS = "-Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=1024";

	/** Threads of the peer, as many as ours has by default. */
	private static final int WORKERS = 200;

	private static final int PINGS = 1_500;

	private static final long PAUSE_MILLIS = 50;

	private static final long SETTLE_MILLIS = 1_000;

	/** How often to measure while the same clients are stalled. */
	private static final int STALLED_ROUNDS = 3;

	static final String PING = EchoServer.URGENT + Clients.MESSAGE;

	private WebSocketBars() {
	}

	/**
	 * Measures how many messages are answered a second, on platform threads.
	 * @param report takes the bars
	 */
	public static void throughput(BarReport report) {
		throughput(report, false, 100, 1_000);
	}

	/**
	 * Measures the same beside plain Spring with order, safe sends and a limit for each
	 * session that are written by hand.
	 * @param report takes the bars
	 */
	public static void byHand(BarReport report) {
		throughput(report, Contender.BY_HAND, 1.3, false, 100, 1_000);
	}

	/**
	 * Measures the same on virtual threads, where the JDK has them.
	 * @param report takes the bars
	 */
	public static void virtual(BarReport report) {
		if (Runtime.version().feature() >= 21) {
			throughput(report, true, 100, 1_000);
		}
	}

	/**
	 * Measures the 99th percentile of the time that clients wait for answers.
	 * @param report takes the bars
	 */
	public static void latency(BarReport report) {
		quietBesideFlood(report);
		urgent(report, 100);
		urgent(report, 1_000, "--sluice.websocket.inbound.high-water-mark=1024",
				"--sluice.execution.queue-capacity=2048");
	}

	/**
	 * Measures the 99th percentile of the time that clients wait while a hundred others
	 * do not read, with four workers.
	 * @param report takes the bars
	 */
	public static void stalled(BarReport report) {
		Rounds rounds = new Rounds();
		String alone = "none stalled";
		try (ServerProcess server = new ServerProcess(Contender.SLUICE, "--sluice.execution.workers=4",
				"--sluice.websocket.outbound.buffer-size-limit=32MB",
				"--sluice.websocket.outbound.send-time-limit=60s");
				Clients others = new Clients(server.port(), Load.ECHO, QUIET_CLIENTS)) {
			Circulation.throughput(others, START_UP_MILLIS);
			for (int round = 0; round < FORKS * ROUNDS_PER_FORK; round += STALLED_ROUNDS) {
				afterSettling(others, (p99) -> rounds.add(alone, p99));
				try (Clients stalled = new Clients(server.port(), Load.FILL, 100)) {
					stalled.stall();
					afterSettling(others, (p99) -> rounds.add(Contender.SLUICE.title, p99));
				}
			}
		}
		report.atMost("beside 100 stalled clients, 4 workers, p99", rounds, Contender.SLUICE.title, alone, "ms", 2.0);
	}

	/**
	 * Measures what an idle connection costs, and 5,000 that are busy.
	 * @param report takes the bars
	 */
	public static void idle(BarReport report) {
		double plain = SessionScale.bytesPerConnection(Contender.PLAIN, IDLE_CLIENTS);
		double ours = SessionScale.bytesPerConnection(Contender.SLUICE, IDLE_CLIENTS);
		report.counted("idle connection, one of 5,000", BarReport.value(ours, "B"),
				BarReport.value(plain, "B") + ' ' + Contender.PLAIN.title, "<= 1 KB more", ours - plain <= 1024);
		double small = SessionScale.bytesPerConnection(Contender.SLUICE, IDLE_CLIENTS, SMALL_BUFFERS);
		report.counted("idle connection with buffers of 1 KB, one of 5,000", BarReport.value(small, "B"),
				BarReport.value(plain, "B") + ' ' + Contender.PLAIN.title, "<= half", small <= plain / 2);
		throughput(report, false, IDLE_CLIENTS);
	}

	private static void throughput(BarReport report, boolean virtual, int... clients) {
		throughput(report, Contender.PLAIN, 0.95, virtual, clients);
	}

	private static void throughput(BarReport report, Contender peer, double wanted, boolean virtual, int... clients) {
		Map<String, Rounds> rounds = new LinkedHashMap<>();
		for (int fork = 0; fork < FORKS; fork++) {
			try (Pair servers = new Pair(peer, "--spring.threads.virtual.enabled=" + virtual,
					"--spring.task.execution.pool.core-size=" + WORKERS, "--limited=" + (peer == Contender.BY_HAND))) {
				warmUp(servers);
				for (Load load : List.of(Load.ECHO, Load.BLOCKING)) {
					for (int count : clients) {
						String name = String.format(Locale.ROOT, "%s, %,d clients, %s threads", load.title, count,
								virtual ? "virtual" : "platform");
						throughput(rounds.computeIfAbsent(name, (absent) -> new Rounds()), servers, load, count);
					}
				}
			}
		}
		rounds.forEach(
				(name, measured) -> report.atLeast(name, measured, Contender.SLUICE.title, peer.title, "/s", wanted));
	}

	private static void throughput(Rounds rounds, Pair servers, Load load, int count) {
		try (Clients peer = servers.clients(servers.contender, load, count);
				Clients sluice = servers.clients(Contender.SLUICE, load, count)) {
			inTurn(rounds, servers.contender,
					(contender) -> Circulation.throughput((contender == Contender.SLUICE) ? sluice : peer,
							ROUND_MILLIS),
					(contender) -> Circulation.throughput((contender == Contender.SLUICE) ? sluice : peer,
							WARM_UP_MILLIS));
		}
	}

	private static void warmUp(Pair servers) {
		for (Contender contender : List.of(servers.contender, Contender.SLUICE)) {
			try (Clients clients = servers.clients(contender, Load.ECHO, 100)) {
				Circulation.throughput(clients, START_UP_MILLIS);
			}
		}
	}

	/** One client floods and 99 others send now and then. */
	private static void quietBesideFlood(BarReport report) {
		Map<Load, Rounds> rounds = new EnumMap<>(Map.of(Load.ECHO, new Rounds(), Load.BLOCKING, new Rounds()));
		for (int fork = 0; fork < FORKS; fork++) {
			try (Pair servers = new Pair()) {
				warmUp(servers);
				rounds.forEach((load, measured) -> quietBesideFlood(measured, servers, load));
			}
		}
		rounds.forEach((load, measured) -> report.atMost("quiet beside one who floods, " + load.title + ", p99",
				measured, Contender.SLUICE.title, Contender.PLAIN.title, "ms", 1.0));
	}

	private static void quietBesideFlood(Rounds rounds, Pair servers, Load load) {
		try (Clients plain = servers.clients(Contender.PLAIN, load, QUIET_CLIENTS);
				Clients plainFlooder = servers.clients(Contender.PLAIN, load, 1);
				Clients sluice = servers.clients(Contender.SLUICE, load, QUIET_CLIENTS);
				Clients sluiceFlooder = servers.clients(Contender.SLUICE, load, 1)) {
			ToDoubleFunction<Contender> p99 = (contender) -> {
				Circulation flood = new Circulation((contender == Contender.PLAIN) ? plainFlooder : sluiceFlooder, 64);
				flood.start();
				double result = Pings.p99((contender == Contender.PLAIN) ? plain : sluice, PING, PAUSE_MILLIS, PINGS);
				flood.end();
				return result;
			};
			inTurn(rounds, Contender.PLAIN, p99, p99);
		}
	}

	/** A client keeps the handler busy and sends something urgent now and then. */
	private static void urgent(BarReport report, int window, String... arguments) {
		List<String> options = new ArrayList<>(List.of(arguments));
		options.add("--levels=true");
		Rounds rounds = new Rounds();
		try (Pair servers = new Pair(options.toArray(String[]::new));
				Clients plain = servers.clients(Contender.PLAIN, Load.BLOCKING, 1);
				Clients sluice = servers.clients(Contender.SLUICE, Load.BLOCKING, 1)) {
			warmUp(servers);
			Circulation plainFlood = new Circulation(plain, window);
			plainFlood.start();
			rounds.add(Contender.PLAIN.title, Pings.p99(plain, PING, 5, 5));
			plainFlood.end();
			Circulation flood = new Circulation(sluice, window);
			flood.start();
			Pings.p99(sluice, PING, 5, 200);
			for (int round = 0; round < FORKS * ROUNDS_PER_FORK; round++) {
				rounds.add(Contender.SLUICE.title, Pings.p99(sluice, PING, 5, 200));
				rounds.add("handler", 1);
			}
			flood.end();
		}
		report.atMost(
				String.format(Locale.ROOT, "HIGH behind %,d of its own client, p99 (plain %.0f ms)", window,
						rounds.of(Contender.PLAIN.title).median()),
				rounds, Contender.SLUICE.title, "handler", "ms", 3.0);
	}

	/**
	 * Measures after the server has answered stalled clients as far as possible, or
	 * closed them.
	 */
	private static void afterSettling(Clients clients, DoubleConsumer p99) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS));
		Pings.p99(clients, PING, PAUSE_MILLIS, PINGS);
		for (int i = 0; i < STALLED_ROUNDS; i++) {
			p99.accept(Pings.p99(clients, PING, PAUSE_MILLIS, PINGS));
		}
	}

	/** Warms both up and measures them alternately, the other one first each time. */
	private static void inTurn(Rounds rounds, Contender peer, ToDoubleFunction<Contender> round,
			ToDoubleFunction<Contender> warmUp) {
		List<Contender> order = new ArrayList<>(List.of(peer, Contender.SLUICE));
		Rounds cold = new Rounds();
		order.forEach((contender) -> cold.add(contender.title, warmUp.applyAsDouble(contender)));
		for (int i = 0; i < ROUNDS_PER_FORK; i++) {
			order.forEach((contender) -> rounds.add(contender.title, round.applyAsDouble(contender)));
			Collections.reverse(order);
		}
	}

	/** A server of a peer, and one of ours. */
	private record Pair(Contender contender, ServerProcess peer, ServerProcess sluice) implements AutoCloseable {

		Pair(String... arguments) {
			this(Contender.PLAIN, arguments);
		}

		Pair(Contender peer, String... arguments) {
			this(peer, start(peer, arguments), start(Contender.SLUICE, arguments));
		}

		private Pair(Contender contender, CompletableFuture<ServerProcess> peer,
				CompletableFuture<ServerProcess> sluice) {
			this(contender, peer.join(), sluice.join());
		}

		private static CompletableFuture<ServerProcess> start(Contender contender, String... arguments) {
			return CompletableFuture.supplyAsync(() -> new ServerProcess(contender, arguments),
					(start) -> new Thread(start).start());
		}

		Clients clients(Contender contender, Load load, int count) {
			ServerProcess server = (contender == Contender.SLUICE) ? this.sluice : this.peer;
			return new Clients(server.port(), load, count);
		}

		@Override
		public void close() {
			this.peer.close();
			this.sluice.close();
		}

	}

}
