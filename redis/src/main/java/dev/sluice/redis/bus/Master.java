package dev.sluice.redis.bus;

import dev.sluice.redis.bus.partition.BusChannels;
import dev.sluice.redis.connection.AccessCheck;
import dev.sluice.redis.connection.AvailabilityLog;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.Script;
import org.jspecify.annotations.Nullable;

/**
 * Server that has partitions.
 *
 * @param address the address, which identifies it
 * @param connections the connections to it
 * @param commands the sender of commands
 * @param log the log of its unavailability
 */
record Master(String address, RedisConnections connections, CommandSender commands,
		AvailabilityLog log) implements AutoCloseable {

	Master(String address, RedisConnections connections, CommandSender commands) {
		this(address, connections, commands, new AvailabilityLog(connections, commands, "the bus between nodes"));
	}

	/** Opens closed connections in the background, and logs outages. */
	void watch() {
		this.connections.watch();
		this.log.check();
	}

	/**
	 * Returns a problem that remains until a configuration is changed, or {@code null};
	 * blocks.
	 */
	@Nullable String problem(BusNames names, int partition, BusChannels channels, boolean single) {
		AccessCheck check = new AccessCheck(this.connections, this.commands, names.prefix());
		String key = names.nodes(partition) + ":check";
		String channel = channels.nodes(partition) + "check";
		return single ? check.problem(Script.CHECK_BUS, channel, key, names.nodes(partition + 1) + ":check")
				: check.problem(Script.CHECK_BUS, channel, key);
	}

	/** Waits for replies, at most for the timeout, and closes the connections. */
	@Override
	public void close() {
		this.commands.awaitAnswers();
		this.connections.close();
	}

}
