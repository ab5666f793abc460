package dev.sluice.redis.bus;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

/**
 * Format of the data of nodes in Redis and of their messages: the version, the number of
 * partitions, and the kind of channels. All nodes use the format that the first node
 * records.
 */
final class BusFormat {

	/** Partition that has the record of the format. */
	static final int PARTITION = 0;

	private static final String CLASSIC = "1 " + Partitions.COUNT + " classic";

	private static final String SHARDED = "1 " + Partitions.COUNT + " sharded";

	private BusFormat() {
	}

	/**
	 * Records the format of this node, unless a format is recorded; blocks.
	 * @param names the names of keys
	 * @param commands the sender for the server that has the record
	 * @param wantsSharded whether this node prefers sharded channels
	 * @param canBeSharded whether sharded channels are possible
	 * @return whether channels are sharded
	 * @throws BusFormatException if this node does not support the recorded format, or
	 * its key has a value of another type
	 */
	static boolean agree(BusNames names, CommandSender commands, boolean wantsSharded, boolean canBeSharded) {
		String own = wantsSharded ? SHARDED : CLASSIC;
		String recorded;
		try {
			recorded = answer(commands, (redis) -> {
				CompletionStage<Boolean> set = redis.setnx(names.format(), own);
				return set.thenCombine(redis.get(names.format()), (first, known) -> known);
			});
		}
		catch (StoreUnavailableException ex) {
			if (RedisErrors.isOfAnotherType(ex)) {
				throw new BusFormatException(names.format(), "a value of another type", own);
			}
			throw ex;
		}
		if (CLASSIC.equals(recorded) || SHARDED.equals(recorded) && canBeSharded) {
			return recorded.equals(SHARDED);
		}
		throw new BusFormatException(names.format(), String.valueOf(recorded), own);
	}

	/**
	 * Returns whether a server has sharded channels, as Redis 7 and Valkey do; blocks.
	 */
	static boolean hasSharded(CommandSender commands) {
		return answer(commands, (redis) -> redis.info("server")).lines()
			.filter((line) -> line.startsWith("redis_version:"))
			.anyMatch((line) -> Integer.parseInt(line.replaceFirst("redis_version:(\\d+).*", "$1")) >= 7);
	}

	/**
	 * Waits for a reply even while the circuit breaker is open, as this call tests
	 * whether the server replies again.
	 */
	private static <T> T answer(CommandSender commands,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		try {
			return commands.inTime(commands.send(command)).join();
		}
		catch (CompletionException ex) {
			throw RedisErrors.unavailable(ex);
		}
	}

}
