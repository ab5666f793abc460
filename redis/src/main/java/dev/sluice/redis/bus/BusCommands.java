package dev.sluice.redis.bus;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.sluice.cluster.BusUnavailableException;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.Script;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

/** Sends what a node asks of Redis: so much at a time, and answered in time. */
final class BusCommands {

	private final String node;

	private final BusServers servers;

	private final BooleanSupplier closed;

	private final InFlight inFlight = new InFlight();

	/**
	 * Sends nothing yet.
	 * @param closed whether the node has left
	 */
	BusCommands(String node, BusServers servers, BooleanSupplier closed) {
		this.node = node;
		this.servers = servers;
		this.closed = closed;
	}

	/** Runs a script whose answer is a list, at the partition of its keys. */
	CompletableFuture<List<Object>> asked(int length, Script script, String[] keys, String... arguments) {
		return sent(length, Partitions.in(keys[0]), (commands) -> commands.ask(script, keys, arguments));
	}

	/** Runs a script whose answer is of a type, at the partition of its keys. */
	<T> CompletableFuture<T> run(int length, Script script, ScriptOutputType type, String[] keys, String... arguments) {
		return sent(length, Partitions.in(keys[0]), (commands) -> commands.run(script, type, keys, arguments));
	}

	/**
	 * Sends a command.
	 * @param length of what is sent
	 * @param partition where it is sent
	 * @return fails with {@link BusUnavailableException} if there is no room, or no
	 * answer in time
	 */
	<T> CompletableFuture<T> sent(int length, int partition, Function<CommandSender, CompletableFuture<T>> command) {
		BusUnavailableException rejection = tryAdmit(length);
		return (rejection != null) ? CompletableFuture.failedFuture(rejection)
				: admitted(partition, 0, command, () -> over(length));
	}

	/**
	 * Takes room for something of a length, which is over once.
	 * @return why there is none, or {@code null}
	 */
	@Nullable BusUnavailableException tryAdmit(int length) {
		if (this.closed.getAsBoolean()) {
			return new BusUnavailableException("Node '" + this.node + "' has left", false, null);
		}
		return this.inFlight.tryAdd(length) ? null
				: new BusUnavailableException("Too much that was sent to Redis is not answered", false, null);
	}

	void over(int length) {
		this.inFlight.remove(length);
	}

	/**
	 * Sends a command for which there is room.
	 * @param waitedNanos how much of its time is over
	 * @param over run when nothing is known to be under way any more
	 * @return fails with {@link BusUnavailableException} if there is no answer in time
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
