package dev.sluice.redis.bus;

import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisConnections;

/**
 * Server that has partitions, as long as it does.
 *
 * @param address tells it from others
 * @param connections to it
 * @param commands sent there
 */
record Master(String address, RedisConnections connections, CommandSender commands) implements AutoCloseable {

	/** Waits for answers, for no longer than one may take, and closes the connections. */
	@Override
	public void close() {
		this.commands.awaitAnswers();
		this.connections.close();
	}

}
