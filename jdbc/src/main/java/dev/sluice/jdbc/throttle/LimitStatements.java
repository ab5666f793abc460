package dev.sluice.jdbc.throttle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.RowReader;
import dev.sluice.jdbc.connection.Text;
import org.jspecify.annotations.Nullable;

/** Statements about one limit; those of one key are sent in order. */
final class LimitStatements {

	private final Database database;

	private final String resource;

	private final byte[] resourceBytes;

	LimitStatements(Database database, String resource) {
		this.database = database;
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

	/** Returns the lane of a key, which decides on the order of its statements. */
	Object lane(String key) {
		return List.of(this.resource, key);
	}

	/** Asks a function of which the first two parameters are the limit and a key. */
	<T> CompletableFuture<T> ask(String key, RowReader<T> reader, String function, @Nullable Object... arguments) {
		return this.database.row(lane(key), reader, function, prepended(key, arguments));
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

}
