package dev.sluice.redis.bus;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.Script;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

/** Sender of the commands of a node, limited in number and time. */
final class BusCommands {

	private final String node;

	private final BusServers servers;

	private final BooleanSupplier closed;

	private final InFlight inFlight = new InFlight();

	/**
	 * Creates a sender.
	 * @param closed whether the node has left
	 */
	BusCommands(String node, BusServers servers, BooleanSupplier closed) {
		this.node = node;
		this.servers = servers;
		this.closed = closed;
	}

	/** Runs a script that returns a list, in the partition of its keys. */
	CompletableFuture<List<Object>> asked(int length, Script script, String[] keys, String... arguments) {
		return sent(length, Partitions.in(keys[0]), (commands) -> commands.ask(script, keys, arguments));
	}

	/** Runs a script with a type of reply, in the partition of its keys. */
	<T> CompletableFuture<T> run(int length, Script script, ScriptOutputType type, String[] keys, String... arguments) {
		return sent(length, Partitions.in(keys[0]), (commands) -> commands.run(script, type, keys, arguments));
	}

	/**
	 * Sends a command.
	 * @param length the length of the content
	 * @param partition the partition of the keys
	 * @return the reply, or a failure by {@link BusUnavailableException} if there is no
	 * room or no reply in time
	 */
	<T> CompletableFuture<T> sent(int length, int partition, Function<CommandSender, CompletableFuture<T>> command) {
		BusUnavailableException rejection = tryAdmit(length);
		return (rejection != null) ? CompletableFuture.failedFuture(rejection)
				: admitted(partition, 0, command, () -> over(length));
	}

	/**
	 * Reserves room for a command of a length; the caller releases it once.
	 * @return the rejection if there is no room, or {@code null}
	 */
	@Nullable BusUnavailableException tryAdmit(int length) {
		if (this.closed.getAsBoolean()) {
			return new BusUnavailableException("Node '" + this.node + "' has left", false, null);
		}
		return this.inFlight.tryAdd(length) ? null
				: new BusUnavailableException("Too many commands to Redis are unanswered", false, null);
	}

	void over(int length) {
		this.inFlight.remove(length);
	}

	/**
	 * Sends a command whose room is reserved.
	 * @param waitedNanos the elapsed part of the timeout
	 * @param over the action to run when the command is no longer in flight
	 * @return the reply, or a failure by {@link BusUnavailableException} if there is no
	 * reply in time
	 */
	<T> CompletableFuture<T> admitted(int partition, long waitedNanos,
			Function<CommandSender, CompletableFuture<T>> command, Runnable over) {
		return this.servers.send(partition, waitedNanos, command, over)
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(unavailable(failure)));
	}

	private static BusUnavailableException unavailable(Throwable failure) {
		Throwable cause = RedisErrors.cause(failure);
		return new BusUnavailableException("Redis is not available to the bus", RedisErrors.mayBeRun(cause), cause);
	}

}
