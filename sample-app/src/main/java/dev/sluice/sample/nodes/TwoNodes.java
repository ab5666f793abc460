package dev.sluice.sample.nodes;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.sample.BankApplication;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import redis.embedded.core.ExecutableProvider;

/**
 * Two nodes of the sample, each a process, and the Redis that connects them. Each node
 * has an address; when it has died, the other one answers there.
 *
 * @since 0.1.0
 */
public final class TwoNodes {

	private static final Log logger = LogFactory.getLog(TwoNodes.class);

	private final Redirect output;

	private final List<Address> addresses;

	/** Redis, then the nodes. */
	private final List<Process> processes = new CopyOnWriteArrayList<>();

	private TwoNodes(Redirect output, int firstPort, int secondPort) throws IOException {
		this.output = output;
		this.addresses = List.of(new Address(firstPort), new Address(secondPort));
	}

	/**
	 * Serves {@code http://localhost:8080} and {@code http://localhost:8081} until it is
	 * interrupted.
	 * @param args not used
	 * @throws Exception if a process does not start, or an address is in use
	 */
	public static void main(String[] args) throws Exception {
		TwoNodes nodes = start(Redirect.INHERIT, 8080, 8081);
		for (int i = 0; i < 2; i++) {
			logger.info("http://localhost:%d is served by process %d; kill it, and the other node answers there"
				.formatted(nodes.port(i), nodes.process(i).pid()));
		}
	}

	/**
	 * Starts all, which ends with this virtual machine at the latest, and waits until the
	 * nodes accept connections.
	 * @param output where the output of the nodes goes
	 * @param firstPort the port of the first node's address; zero for any that is free
	 * @param secondPort the port of the second node's address; zero for any that is free
	 * @return the running nodes
	 * @throws IOException if a process cannot be started, or an address is in use
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws IllegalStateException if a process ends before it accepts connections
	 */
	public static TwoNodes start(Redirect output, int firstPort, int secondPort)
			throws IOException, InterruptedException {
		TwoNodes nodes = new TwoNodes(output, firstPort, secondPort);
		Runtime.getRuntime().addShutdownHook(new Thread(nodes::stop));
		int redis = freePort();
		nodes.startRedis(redis);
		int first = freePort();
		Process one = nodes.startNode(first, redis);
		int second = freePort();
		awaitStart(nodes.startNode(second, redis), second);
		awaitStart(one, first);
		nodes.addresses.get(0).open(first, second);
		nodes.addresses.get(1).open(second, first);
		return nodes;
	}

	private void startRedis(int port) throws IOException, InterruptedException {
		Optional<Path> installed = installedRedis();
		Path executable = installed.isPresent() ? installed.get() : unpackRedis();
		awaitStart(start(Redirect.DISCARD, executable.toString(), "--port", "" + port, "--bind", "127.0.0.1", "--save",
				""), port);
	}

	private static Optional<Path> installedRedis() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> Stream.of("redis-server", "valkey-server").map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	private static Path unpackRedis() throws IOException {
		File directory = Files.createTempDirectory("redis").toFile();
		directory.deleteOnExit();
		File executable = ExecutableProvider.newJarResourceProvider(directory).get();
		executable.deleteOnExit();
		return executable.toPath();
	}

	private Process startNode(int port, int redis) throws IOException {
		return start(this.output, Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				BankApplication.class.getName(), "--spring.profiles.active=cluster",
				"--spring.data.redis.port=" + redis, "--server.address=127.0.0.1", "--server.port=" + port);
	}

	private Process start(Redirect output, String... command) throws IOException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
		this.processes.add(process);
		return process;
	}

	private static void awaitStart(Process process, int port) throws InterruptedException {
		while (!accepts(port)) {
			if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException(
						"The process for port " + port + " has ended with exit code " + process.exitValue());
			}
		}
	}

	private static boolean accepts(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Returns a port below those that the system assigns to connections. */
	private static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(12_000, 22_000);
			try (ServerSocket socket = new ServerSocket(port)) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				// It is in use
			}
		}
	}

	/**
	 * Returns the port of an address.
	 * @param node 0 or 1
	 * @return the port at which that node is served, and the other one without it
	 */
	public int port(int node) {
		return this.addresses.get(node).port();
	}

	/**
	 * Returns the process of a node.
	 * @param node 0 or 1
	 * @return the process, running or not
	 */
	public Process process(int node) {
		return this.processes.get(node + 1);
	}

	/** Stops what still runs, Redis when the nodes have stopped. */
	public void stop() {
		this.addresses.forEach(Address::close);
		for (int i = this.processes.size() - 1; i >= 0; i--) {
			stop(this.processes.get(i));
		}
	}

	private static void stop(Process process) {
		process.destroy();
		try {
			if (process.waitFor(10, TimeUnit.SECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		process.destroyForcibly();
	}

}
