package dev.sluice.benchmarks.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis of our own without persistence: the one of this machine, or else the one that a
 * dependency ships.
 */
public final class Server implements AutoCloseable {

	private static final int ATTEMPTS = 100;

	private final int port;

	private final Process process;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	/** Starts the server and waits until it answers. */
	public Server() {
		try {
			try (ServerSocket free = new ServerSocket(0)) {
				this.port = free.getLocalPort();
			}
			Path executable = installed().orElseGet(() -> bundled());
			this.process = new ProcessBuilder(executable.toString(), "--port", "" + this.port, "--bind", "127.0.0.1",
					"--save", "", "--appendonly", "no")
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			this.client = RedisClient.create("redis://127.0.0.1:" + this.port);
			this.connection = connect();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the server started", ex);
		}
	}

	private static Optional<Path> installed() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> Stream.of("valkey-server", "redis-server").map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	private static Path bundled() {
		try {
			return ExecutableProvider.newJarResourceProvider(Files.createTempDirectory("redis").toFile())
				.get()
				.toPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private StatefulRedisConnection<String, String> connect() throws InterruptedException {
		for (int attempt = 1;; attempt++) {
			try {
				return this.client.connect();
			}
			catch (RedisConnectionException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
				Thread.sleep(100);
			}
		}
	}

	/**
	 * Returns where the server listens.
	 * @return its port
	 */
	public int port() {
		return this.port;
	}

	String version() {
		return info("server", "redis_version:(\\S+)").orElse("");
	}

	/** Returns how many scripts clients have had run. */
	long scripts() {
		return Stream.of("eval", "evalsha")
			.map((command) -> info("commandstats", "cmdstat_" + command + ":calls=(\\d+)"))
			.mapToLong((calls) -> Long.parseLong(calls.orElse("0")))
			.sum();
	}

	/** Returns the bytes of the one key that there is whose name begins so. */
	long bytesOf(String prefix) {
		return this.connection.sync().memoryUsage(this.connection.sync().keys(prefix + "*").get(0));
	}

	/**
	 * Returns how many commands were called so far, including commands of scripts.
	 * @return their number
	 */
	public long commands() {
		return Pattern.compile("cmdstat_(\\S+):calls=(\\d+)")
			.matcher(this.connection.sync().info("commandstats"))
			.results()
			.filter((command) -> !command.group(1).equals("info"))
			.mapToLong((command) -> Long.parseLong(command.group(2)))
			.sum();
	}

	/**
	 * Returns how much memory the data takes.
	 * @return bytes
	 */
	public long usedBytes() {
		return Long.parseLong(info("memory", "used_memory:(\\d+)").orElseThrow());
	}

	/**
	 * Returns the network traffic so far, both ways.
	 * @return bytes
	 */
	public long networkBytes() {
		return Stream.of("input", "output")
			.mapToLong((way) -> Long.parseLong(info("stats", "total_net_" + way + "_bytes:(\\d+)").orElseThrow()))
			.sum();
	}

	private Optional<String> info(String section, String pattern) {
		Matcher matcher = Pattern.compile(pattern).matcher(this.connection.sync().info(section));
		return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
		this.process.destroyForcibly().onExit().join();
	}

}
