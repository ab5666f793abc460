package dev.sluice.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import redis.embedded.core.ExecutableProvider;

import static org.awaitility.Awaitility.await;

/** A real server of our own, on a port of its own, without persistence. */
public final class RedisServer implements AutoCloseable {

	/**
	 * A process that starts while a file is written has that file open for a while, and
	 * what is open for writing cannot be run: only one of both at a time.
	 */
	private static final Object PROCESSES = new Object();

	private static Path unpacked;

	private final Path executable;

	private final int port;

	private final List<String> options;

	private Process process;

	private RedisServer(Path executable, int port, List<String> options) {
		this.executable = executable;
		this.port = port;
		this.options = options;
		this.process = launch();
	}

	/** Starts the oldest server that is supported: the one in the test dependency. */
	public static RedisServer start() {
		return start(bundled());
	}

	public static RedisServer start(Path executable) {
		return start(executable, List.of());
	}

	/** Starts one that may become part of a cluster, and keeps a file on that. */
	static RedisServer startInCluster(Path executable, Path directory) {
		try {
			Files.createDirectories(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return start(executable, List.of("--cluster-enabled", "yes", "--dir", directory.toString()));
	}

	/** Starts one that copies another. */
	public static RedisServer startReplicaOf(RedisServer master) {
		return startReplicaOf(master.port);
	}

	/** Starts one that copies what is at a port. */
	public static RedisServer startReplicaOf(int port) {
		return start(bundled(), List.of("--replicaof", "127.0.0.1", "" + port));
	}

	/**
	 * Starts a sentinel that makes a replica the master when the master is unavailable.
	 */
	public static RedisServer startSentinel(Path directory, String name, RedisServer master) {
		return startSentinel(directory, name, master, Duration.ofSeconds(5));
	}

	/**
	 * Starts a sentinel.
	 * @param timeout time after which it tries to fail over again, and has replicas that
	 * use another address use that of the master
	 */
	public static RedisServer startSentinel(Path directory, String name, RedisServer master, Duration timeout) {
		Path file = directory.resolve("sentinel.conf");
		try {
			Files.writeString(file, """
					sentinel monitor %1$s 127.0.0.1 %2$d 1
					sentinel down-after-milliseconds %1$s 1000
					sentinel failover-timeout %1$s %3$d
					""".formatted(name, master.port, timeout.toMillis()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return start(bundled(), List.of(file.toString(), "--sentinel"));
	}

	private static RedisServer start(Path executable, List<String> options) {
		for (int attempt = 0; attempt < 10; attempt++) {
			RedisServer server = new RedisServer(executable, freePort(), options);
			if (server.answers()) {
				return server;
			}
			server.close();
		}
		throw new IllegalStateException(executable + " does not start");
	}

	/** Returns the server in the test dependency, unpacked. */
	public static Path bundled() {
		synchronized (PROCESSES) {
			if (unpacked == null) {
				try {
					unpacked = ExecutableProvider.newJarResourceProvider(Files.createTempDirectory("redis").toFile())
						.get()
						.toPath();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
			return unpacked;
		}
	}

	/** Returns the server of this machine, if one is installed. */
	public static Optional<Path> installed() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> Stream.of("valkey-server", "redis-server").map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	/** Starts a process; all that tests start must be started here. */
	public static Process start(ProcessBuilder builder) throws IOException {
		synchronized (PROCESSES) {
			return builder.start();
		}
	}

	public int port() {
		return this.port;
	}

	/** Stops it as a debugger would: it answers nothing until it goes on. */
	public void pause() {
		signal(this.process, "STOP");
	}

	public void goOn() {
		signal(this.process, "CONT");
	}

	public static void signal(Process process, String signal) {
		try {
			ProcessBuilder builder = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()));
			int code = ended(start(builder));
			if (code != 0) {
				throw new IllegalStateException("kill -" + signal + " ended with " + code);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns a port that is free, and so is the one 10,000 above it, for a cluster. Both
	 * are below those that connections are given.
	 */
	private static int freePort() {
		while (true) {
			int port = 12_000 + ThreadLocalRandom.current().nextInt(10_000);
			try (ServerSocket socket = new ServerSocket(port); ServerSocket bus = new ServerSocket(port + 10_000)) {
				if (socket.isBound() && bus.isBound()) {
					return port;
				}
			}
			catch (IOException ex) {
				// somebody has it
			}
		}
	}

	/**
	 * Returns an empty directory for what it saves in order to replicate, and would load
	 * when it starts.
	 */
	private static Path newDirectory() throws IOException {
		Path directory = Files.createTempDirectory("redis");
		directory.toFile().deleteOnExit();
		directory.resolve("dump.rdb").toFile().deleteOnExit();
		return directory;
	}

	private Process launch() {
		try {
			List<String> command = new ArrayList<>();
			command.add(this.executable.toString());
			command.addAll(this.options);
			command
				.addAll(List.of("--port", "" + this.port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
			ProcessBuilder builder = new ProcessBuilder(command).directory(newDirectory().toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD);
			return start(builder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns whether it is there; a port that somebody else took meanwhile ends it. */
	private boolean answers() {
		RedisClient client = client();
		try {
			await().pollInSameThread()
				.atMost(60, TimeUnit.SECONDS)
				.until(() -> !this.process.isAlive() || isThisOne(client));
			return this.process.isAlive();
		}
		finally {
			client.shutdown();
		}
	}

	private boolean isThisOne(RedisClient client) {
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().info("server").contains("process_id:" + this.process.pid() + "\r");
		}
		catch (RedisException ex) {
			return false;
		}
	}

	public RedisClient client() {
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + this.port);
		client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		return client;
	}

	/** Kills it, with all it knows. */
	public void kill() {
		kill(this.process);
	}

	/**
	 * Kills a process and waits until it has ended. What it has printed can still be
	 * read, which {@link Process#destroyForcibly()} would throw away.
	 */
	public static void kill(Process process) {
		process.toHandle().destroyForcibly();
		ended(process);
	}

	/**
	 * Waits on the caller's thread. {@link Process#onExit()} needs one of the common
	 * pool, of which there is only one on two processors.
	 */
	private static int ended(Process process) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return process.waitFor();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** Starts it again on the same port, empty. */
	public void restart() {
		this.process = launch();
		if (!answers()) {
			throw new IllegalStateException("Port " + this.port + " was taken meanwhile");
		}
	}

	@Override
	public void close() {
		if (this.process.isAlive()) {
			kill();
		}
	}

}
