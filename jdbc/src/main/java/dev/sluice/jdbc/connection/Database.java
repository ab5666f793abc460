package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;

import javax.sql.DataSource;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Statements to the database. Those of one key are sent one after the other, in the order
 * in which they were requested, each in a transaction of its own; none holds a connection
 * while it waits for its turn. A statement without an answer in time has failed, whatever
 * the driver and the pool do.
 */
public final class Database {

	private final FunctionCall function;

	private final Duration timeout;

	private final CircuitBreaker breaker = new CircuitBreaker();

	private final Lanes lanes;

	private volatile boolean closed;

	/**
	 * Prepares the threads; connects to nothing.
	 * @param dataSource a pool of connections
	 * @param schema where the functions are; empty for the search path
	 * @param timeout the longest time that a statement may take, with its wait for a
	 * connection
	 * @param connections the most connections to use at once
	 * @param timer ends those that take longer
	 */
	public Database(DataSource dataSource, String schema, Duration timeout, int connections,
			ScheduledExecutorService timer) {
		this.timeout = timeout;
		this.function = new FunctionCall(schema, timeout);
		this.lanes = new Lanes(dataSource, timeout, connections, timer, this.breaker);
	}

	/**
	 * Asks a function for one row.
	 * @param <T> the type of the answer
	 * @param lane what decides on the order, such as a key
	 * @param reader reads the row
	 * @param function the function and its parameters, such as {@code sluice_first(?, ?)}
	 * @param arguments numbers, texts, bytes, or arrays of numbers; or a supplier of a
	 * number, called when the statement is sent
	 * @return the answer, or {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> row(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return rows(lane, reader, function, arguments).thenApply((rows) -> rows.get(0));
	}

	/**
	 * Asks a function for one row on a thread for such work alone, so that what is given
	 * back is there for others soon. What is asked for in the same lane later comes after
	 * it; what was asked for before need not have come.
	 * @param <T> the type of the answer
	 * @param lane what decides on the order, such as a key
	 * @param reader reads the row
	 * @param function the function and its parameters
	 * @param arguments numbers, texts, bytes, or arrays of numbers
	 * @return the answer, or {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> urgentRow(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return this.lanes.sendUrgent(lane,
				(connection) -> this.function.rows(connection, reader, function, arguments).get(0));
	}

	/**
	 * Asks a function for many rows.
	 * @param <T> the type of the answer
	 * @param lane what decides on the order, such as a key
	 * @param reader reads each row
	 * @param function the function and its parameters
	 * @param arguments numbers, texts, bytes, or arrays of numbers
	 * @return the answer, or {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<List<T>> rows(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return ask(lane, (connection) -> this.function.rows(connection, reader, function, arguments));
	}

	/**
	 * Runs work with a connection on a thread of the store.
	 * @param <T> the type of the result
	 * @param lane decides on the order, such as a key
	 * @param work the work
	 * @return the result, or {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> ask(Object lane, Work<T> work) {
		return this.lanes.send(lane, work);
	}

	/**
	 * Probes a database that counts as unavailable, unless it was probed just before; it
	 * counts as available again if that succeeds.
	 * @param work does what calls do
	 * @return completed when the probe has ended
	 */
	public CompletableFuture<?> probe(Work<?> work) {
		if (!this.breaker.mayProbe()) {
			return CompletableFuture.completedFuture(null);
		}
		return this.lanes.sendProbe(this, (connection) -> {
			work.with(connection);
			this.breaker.close();
			return true;
		});
	}

	/**
	 * Has statements of a lane that are requested later wait for other work.
	 * @param lane the lane, such as a key
	 * @param work the work, which ends
	 */
	public void awaitFirst(Object lane, CompletableFuture<?> work) {
		this.lanes.awaitFirst(lane, work);
	}

	/**
	 * Returns whether a statement that has failed may have taken effect, or may still: it
	 * was sent, and the server has not undone it.
	 * @param failure its failure
	 * @return {@code false} if it certainly has no effect
	 */
	public static boolean mayHaveRun(Throwable failure) {
		Throwable cause = Failures.cause(failure);
		return cause.getCause() != null && !(cause.getCause() instanceof Lanes.UnsentException)
				&& !SqlStates.isUndone(cause.getCause());
	}

	/**
	 * Waits for an answer.
	 * @param <T> the type of the answer
	 * @param answer the answer to come
	 * @return the answer
	 * @throws StoreUnavailableException if there is none
	 * @throws IllegalStateException on a thread that must not block
	 */
	public <T> T await(CompletableFuture<T> answer) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return answer.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			throw new StoreUnavailableException("The database has not answered", ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Requires that the current thread may wait for an answer.
	 * @throws IllegalStateException on an event loop, or on a thread of the store
	 */
	public static void requireMayBlock() {
		Class<?> type = Thread.currentThread().getClass();
		boolean loop = type == Lanes.StoreThread.class;
		while (type != null && !loop) {
			for (Class<?> each : type.getInterfaces()) {
				loop |= each.getName().equals("reactor.core.scheduler.NonBlocking");
			}
			type = type.getSuperclass();
		}
		if (loop) {
			throw new IllegalStateException("This thread must not block: '" + Thread.currentThread().getName()
					+ "'. Use the asynchronous method");
		}
	}

	/**
	 * Returns whether calls are not to be sent to the database now.
	 * @return whether it has failed and no probe has succeeded since
	 */
	public boolean isUnavailable() {
		return this.breaker.isOpen() || this.closed;
	}

	/**
	 * Returns the failure that makes the database count as unavailable.
	 * @return the failure, or {@code null} if it is available
	 */
	public @Nullable Throwable failure() {
		return this.breaker.cause();
	}

	/**
	 * Has the database count as unavailable until a probe succeeds.
	 * @param failure the reason
	 */
	public void unavailable(Throwable failure) {
		this.breaker.open(failure);
	}

	/**
	 * Calls a function with a connection.
	 * @param connection the connection
	 * @param function the function and its parameters
	 * @param arguments its arguments
	 * @throws SQLException if it fails
	 */
	public void call(Connection connection, String function, @Nullable Object... arguments) throws SQLException {
		this.function.rows(connection, (row) -> true, function, arguments);
	}

	/**
	 * Learns what transactions are like by default.
	 * @param connection a connection of the pool
	 * @throws SQLException if the database does not say
	 */
	public void learnIsolation(Connection connection) throws SQLException {
		this.function.learnIsolation(connection);
	}

	/**
	 * Returns the longest time that a statement may take.
	 * @return the time
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns how many statements were answered, in how many nanoseconds together, and
	 * how many were not.
	 * @return three numbers
	 */
	public long[] statistics() {
		return this.lanes.statistics();
	}

	/**
	 * Sends what was asked for already, for as long as that may take, and nothing more.
	 */
	public void close() {
		this.lanes.close();
		this.closed = true;
	}

}
