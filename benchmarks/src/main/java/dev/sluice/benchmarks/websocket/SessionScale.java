package dev.sluice.benchmarks.websocket;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.Rounds;
import dev.sluice.benchmarks.Scale;

/** Very many sessions of one server, as many as the system lets a process open files. */
public final class SessionScale {

	private static final int OTHER_CLIENTS = 1_000;

	/** Files that servers and clients need in addition to their connections. */
	private static final int OTHER_FILES = 500;

	private static final long SMALL_MEMORY = 2L << 30;

	private static final List<String> SMALL_JVM = List.of("-Xmx1536m", "-XX:MaxDirectMemorySize=512m",
			WebSocketBars.SMALL_BUFFERS);

	private static final List<String> LARGE_JVM = List.of("-Xms1g", "-Xmx8g");

	private static final int IDLE = Scale.LARGE / 2;

	private static final int ACTIVE = Scale.LARGE / 50;

	private static final long PAUSE_MILLIS = 500;

	private static final int PINGS = 6 * ACTIVE;

	private SessionScale() {
	}

	/**
	 * Measures sessions of which few do something, in a server with 2 GB and small
	 * buffers.
	 * @param report takes the bars
	 */
	public static void sessions(BarReport report) {
		int idle = asManyAsCanBe(report, IDLE, ACTIVE);
		String alone = "without the idle ones";
		Rounds rounds = new Rounds();
		Rounds bytes = new Rounds();
		for (int fork = 0; fork < WebSocketBars.FORKS; fork++) {
			try (ServerProcess server = new ServerProcess(SMALL_JVM, Contender.SLUICE, connections(idle + ACTIVE));
					Clients active = new Clients(server.port(), Load.ECHO, ACTIVE)) {
				Circulation.throughput(active, WebSocketBars.START_UP_MILLIS);
				p99(active, alone, rounds);
				double before = server.liveBytes();
				try (Clients others = new Clients(server.port(), Load.ECHO, idle)) {
					Circulation.throughput(others, 100);
					bytes.add("all", server.liveBytes());
					bytes.add("one", (bytes.of("all").max() - before) / idle);
					p99(active, Contender.SLUICE.title, rounds);
				}
			}
		}
		String sessions = String.format(Locale.ROOT, "%,d idle and %,d active sessions", idle, ACTIVE);
		double share = (double) SMALL_MEMORY / (IDLE + ACTIVE);
		report.counted(sessions + ", bytes of an idle one", BarReport.value(bytes.of("one").median(), "B"), "",
				String.format(Locale.ROOT, "<= %,.0f B", share), bytes.of("one").median() <= share);
		report.shown(sessions + ", memory in use", BarReport.value(bytes.of("all").median() / 1e6, "MB"));
		report.atMost(sessions + ", p99 of an echo", rounds, Contender.SLUICE.title, alone, "ms", 2);
	}

	private static void p99(Clients clients, String name, Rounds rounds) {
		Pings.p99(clients, WebSocketBars.PING, PAUSE_MILLIS, PINGS);
		for (int round = 0; round < WebSocketBars.ROUNDS_PER_FORK; round++) {
			rounds.add(name, Pings.p99(clients, WebSocketBars.PING, PAUSE_MILLIS, PINGS));
		}
	}

	/**
	 * Measures what an idle connection costs among more and more of them.
	 * @param report takes the costs
	 */
	public static void bytesByNumber(BarReport report) {
		for (int wanted : Scale.sizes()) {
			int count = asManyAsCanBe(report, wanted, OTHER_CLIENTS);
			report.shown(String.format(Locale.ROOT, "bytes of a session, %,d sessions", count),
					BarReport.value(bytesPerConnection(Contender.SLUICE, count), "B"),
					BarReport.value(bytesPerConnection(Contender.PLAIN, count), "B") + ' ' + Contender.PLAIN.title);
		}
	}

	/**
	 * The memory that each connection adds to other open ones, so that memory that the
	 * container keeps for concurrent connects is not counted.
	 */
	static double bytesPerConnection(Contender contender, int count, String... options) {
		List<String> jvm = Stream.concat(LARGE_JVM.stream(), Stream.of(options)).toList();
		try (ServerProcess server = new ServerProcess(jvm, contender, connections(OTHER_CLIENTS + count));
				Clients others = new Clients(server.port(), Load.ECHO, OTHER_CLIENTS)) {
			Circulation.throughput(others, WebSocketBars.START_UP_MILLIS);
			long before = server.liveBytes();
			try (Clients clients = new Clients(server.port(), Load.ECHO, count)) {
				Circulation.throughput(clients, 100);
				return (double) (server.liveBytes() - before) / count;
			}
		}
	}

	private static int asManyAsCanBe(BarReport report, int wanted, int others) {
		UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		long files = system.getMaxFileDescriptorCount();
		if (wanted + others + OTHER_FILES <= files) {
			return wanted;
		}
		report.shown(String.format(Locale.ROOT, "files that a process may open, too few for %,d sessions", wanted),
				String.format(Locale.ROOT, "%,d", files));
		return (int) files - others - OTHER_FILES;
	}

	private static String connections(int count) {
		return "--server.tomcat.max-connections=" + (count + OTHER_FILES);
	}

}
