package dev.sluice.jdbc.throttle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.RowReader;
import dev.sluice.jdbc.connection.Text;
import org.jspecify.annotations.Nullable;

/** Statements about one limit. The statements about one key are sent in order. */
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

	/** Returns the name of the limit in the form that the functions expect. */
	byte[] resourceBytes() {
		return this.resourceBytes;
	}

	/** Returns the lane of a key. The statements of a lane are sent in order. */
	Object lane(String key) {
		return List.of(this.resource, key);
	}

	/** Calls a function whose first two parameters are the limit and a key. */
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
	 * Releases the permits that an owner was granted before a number of microseconds ago.
	 * The number is read when the statement is sent.
	 */
	CompletableFuture<Replies.Done> release(String key, String owner, LongSupplier micros) {
		return ask(key, Replies.Done::read, "sluice_exit(?, ?, ?, ?, ?)", Text.encode(owner), null, micros);
	}

}
