package dev.sluice.jdbc.throttle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Text;
import org.jspecify.annotations.Nullable;

/** Statements about one limit; those of one key are sent in order. */
final class LimitStatements {

	private final Database database;

	private final String node;

	private final String resource;

	private final byte[] resourceBytes;

	LimitStatements(Database database, String node, String resource) {
		this.database = database;
		this.node = node;
		this.resource = resource;
		this.resourceBytes = Text.encode(resource);
	}

	Database database() {
		return this.database;
	}

	String resource() {
		return this.resource;
	}

	/** Returns the name of the limit, as the functions take it. */
	byte[] resourceBytes() {
		return this.resourceBytes;
	}

	/** Asks a function of which the first two parameters are the limit and a key. */
	<T> CompletableFuture<T> ask(String key, Database.RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return this.database.row(List.of(this.resource, key), reader, function, prepended(key, arguments));
	}

	private @Nullable Object[] prepended(String key, @Nullable Object... arguments) {
		@Nullable Object[] all = new @Nullable Object[arguments.length + 2];
		all[0] = this.resourceBytes;
		all[1] = Text.encode(key);
		System.arraycopy(arguments, 0, all, 2, arguments.length);
		return all;
	}

	/**
	 * Releases what an owner was granted before so many microseconds, which are counted
	 * when the statement is sent.
	 */
	CompletableFuture<Replies.Done> release(String key, String owner, LongSupplier micros) {
		return ask(key, Replies.Done::read, "sluice_exit(?, ?, ?, ?, ?)", Text.encode(owner), null, micros);
	}

	/**
	 * Gives back what an entry has or waits for, at once if it is known to have
	 * something.
	 */
	CompletableFuture<List<String>> leave(String key, long entry, boolean held) {
		Object lane = List.of(this.resource, key);
		@Nullable Object[] arguments = prepended(key, this.node, entry);
		String function = "sluice_leave(?, ?, ?, ?)";
		return held ? this.database.urgentRow(lane, Replies::wake, function, arguments)
				: this.database.row(lane, Replies::wake, function, arguments);
	}

}
