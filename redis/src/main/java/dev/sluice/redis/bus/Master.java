package dev.sluice.redis.bus;

import dev.sluice.redis.connection.AccessCheck;
import dev.sluice.redis.connection.AvailabilityLog;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.Script;
import org.jspecify.annotations.Nullable;

/**
 * Server that has partitions, as long as it does.
 *
 * @param address tells it from others
 * @param connections to it
 * @param commands sent there
 * @param log of the times in which it is unavailable
 */
record Master(String address, RedisConnections connections, CommandSender commands,
		AvailabilityLog log) implements AutoCloseable {

	Master(String address, RedisConnections connections, CommandSender commands) {
		this(address, connections, commands, new AvailabilityLog(connections, commands, "the bus between nodes"));
	}

	/** Opens what is not open, in the background, and logs when that begins and ends. */
	void watch() {
		this.connections.watch();
		this.log.check();
	}

	/**
	 * Returns what keeps this node from using the server until a configuration is
	 * changed, or {@code null}; blocks.
	 */
	@Nullable String problem(BusNames names, int partition, BusChannels channels, boolean single) {
		AccessCheck check = new AccessCheck(this.connections, this.commands, names.prefix());
		String key = names.nodes(partition) + ":check";
		String channel = channels.nodes(partition) + "check";
		return single ? check.problem(Script.CHECK_BUS, channel, key, names.nodes(partition + 1) + ":check")
				: check.problem(Script.CHECK_BUS, channel, key);
	}

	/** Waits for answers, for no longer than one may take, and closes the connections. */
	@Override
	public void close() {
		this.commands.awaitAnswers();
		this.connections.close();
	}

}
