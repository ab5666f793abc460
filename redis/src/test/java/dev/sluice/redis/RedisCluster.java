package dev.sluice.redis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Three masters that share the slots, and servers that come and go. */
public final class RedisCluster implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private static final String HOST = "127.0.0.1";

	private static final int KEYS_AT_ONCE = 100;

	private final Path executable;

	private final Path directory;

	/** By when they have come. */
	private final List<RedisServer> servers = new ArrayList<>();

	private final Set<RedisServer> gone = new HashSet<>();

	private final List<RedisClient> clients = new ArrayList<>();

	private final Map<RedisServer, StatefulRedisConnection<String, String>> connections = new HashMap<>();

	/** Starts it, with a directory of its own for files that its servers keep. */
	public RedisCluster(Path directory) {
		this(RedisServer.bundled(), directory);
	}

	public RedisCluster(Path executable, Path directory) {
		this.executable = executable;
		this.directory = directory;
		for (int i = 0; i < 3; i++) {
			start();
		}
		for (int i = 0; i < 3; i++) {
			int first = i * SLOTS / 3;
			int end = (i + 1) * SLOTS / 3;
			at(this.servers.get(i), (redis) -> {
				redis.clusterAddSlots(IntStream.range(first, end).toArray());
				return this.servers.stream().map((other) -> redis.clusterMeet(HOST, other.port())).toList();
			});
		}
		awaitWhole();
	}

	private RedisServer start() {
		RedisServer server = RedisServer.startInCluster(this.executable,
				this.directory.resolve("" + this.servers.size()));
		this.servers.add(server);
		return server;
	}

	private void awaitWhole() {
		await().atMost(60, TimeUnit.SECONDS).until(() -> fromAll(this::isWhole).stream().allMatch((it) -> it));
	}

	private boolean isWhole(RedisCommands<String, String> redis) {
		String info = redis.clusterInfo();
		return info.contains("cluster_state:ok")
				&& info.contains("cluster_known_nodes:" + (this.servers.size() - this.gone.size()));
	}

	public RedisClusterClient client() {
		return RedisClusterClient.create(RedisURI.create(HOST, port()));
	}

	/** Returns the port of the first server. */
	public int port() {
		return this.servers.get(0).port();
	}

	public RedisServer server(int index) {
		return this.servers.get(index);
	}

	/** Adds a master without slots; returns its index. */
	public int addMaster() {
		RedisServer server = start();
		at(server, (redis) -> redis.clusterMeet(HOST, port()));
		awaitWhole();
		return this.servers.size() - 1;
	}

	/** Adds a replica that has what its master has; returns its index. */
	public int addReplica(int master) {
		int index = addMaster();
		String id = id(master);
		await().ignoreExceptions().until(() -> at(server(index), (redis) -> redis.clusterReplicate(id)).equals("OK"));
		await().atMost(60, TimeUnit.SECONDS)
			.until(() -> at(server(index), (redis) -> redis.info("replication")).contains("master_link_status:up"));
		return index;
	}

	/** Kills a master, and makes a replica of it the master. */
	public void failOver(int master, int replica) {
		server(master).kill();
		this.gone.add(server(master));
		at(server(replica), (redis) -> redis.clusterFailover(false, true));
	}

	/** Returns the index of the master that has a slot. */
	public int masterOf(int slot) {
		return present().filter((server) -> at(server, (redis) -> has(redis, slot)))
			.map(this.servers::indexOf)
			.findFirst()
			.orElseThrow();
	}

	private boolean has(RedisCommands<String, String> redis, int slot) {
		String myself = redis.clusterNodes()
			.lines()
			.filter((line) -> line.contains("myself"))
			.findFirst()
			.orElseThrow();
		for (String range : myself.substring(myself.indexOf("connected") + "connected".length()).trim().split(" ")) {
			String[] ends = range.split("-");
			if (range.matches("\\d+(-\\d+)?") && Integer.parseInt(ends[0]) <= slot
					&& slot <= Integer.parseInt(ends[ends.length - 1])) {
				return true;
			}
		}
		return false;
	}

	private String id(int index) {
		return at(server(index), RedisCommands::clusterMyId);
	}

	/** Moves a slot, with all its keys, to a master. */
	public void move(int slot, int to) {
		int from = masterOf(slot);
		beginToMove(slot, to);
		at(server(from), (redis) -> {
			List<String> keys = redis.clusterGetKeysInSlot(slot, KEYS_AT_ONCE);
			while (!keys.isEmpty()) {
				redis.migrate(HOST, server(to).port(), 0, 5000, MigrateArgs.Builder.keys(keys));
				keys = redis.clusterGetKeysInSlot(slot, KEYS_AT_ONCE);
			}
			return keys;
		});
		endToMove(slot, to, from);
	}

	/** Has a slot be moved, and moves no key. */
	public void beginToMove(int slot, int to) {
		int from = masterOf(slot);
		String source = id(from);
		String target = id(to);
		at(server(to), (redis) -> redis.clusterSetSlotImporting(slot, source));
		at(server(from), (redis) -> redis.clusterSetSlotMigrating(slot, target));
	}

	private void endToMove(int slot, int to, int from) {
		String target = id(to);
		at(server(to), (redis) -> redis.clusterSetSlotNode(slot, target));
		try {
			at(server(from), (redis) -> redis.clusterSetSlotNode(slot, target));
		}
		catch (RedisCommandExecutionException ex) {
			// it had no other slot, and has become a replica meanwhile
			assertThat(ex).hasMessageContaining("only with masters");
		}
	}

	/** Removes a server that has no slots any more. */
	public void remove(int index) {
		String id = id(index);
		server(index).kill();
		this.gone.add(server(index));
		fromAll((redis) -> redis.clusterForget(id));
	}

	private Stream<RedisServer> present() {
		return this.servers.stream().filter((server) -> !this.gone.contains(server));
	}

	/** Asks each server for something. */
	<T> List<T> fromAll(Function<RedisCommands<String, String>, T> question) {
		return present().map((server) -> at(server, question)).toList();
	}

	/** Asks one server for something. */
	public <T> T at(RedisServer server, Function<RedisCommands<String, String>, T> action) {
		return action.apply(this.connections.computeIfAbsent(server, (one) -> {
			RedisClient client = one.client();
			this.clients.add(client);
			return client.connect();
		}).sync());
	}

	@Override
	public void close() {
		this.clients.forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
		this.servers.forEach(RedisServer::close);
	}

}
