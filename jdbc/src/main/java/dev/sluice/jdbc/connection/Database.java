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
 * Statements to the database. Statements of one key are sent one after the other, in the
 * order of their requests, each in its own transaction. A statement that waits for its
 * turn holds no connection. A statement without an answer in time fails, even if the
 * driver or the pool does not return.
 */
public final class Database {

	private final FunctionCall function;

	private final Duration timeout;

	private final CircuitBreaker breaker = new CircuitBreaker();

	private final Lanes lanes;

	private volatile boolean closed;

	/**
	 * Creates the threads; opens no connection.
	 * @param dataSource the pool of connections
	 * @param schema the schema that contains the functions; empty for the search path
	 * @param timeout the maximum time of a statement, including its wait for a connection
	 * @param connections the maximum number of connections to use at once
	 * @param timer the timer that ends statements after that time
	 */
	public Database(DataSource dataSource, String schema, Duration timeout, int connections,
			ScheduledExecutorService timer) {
		this.timeout = timeout;
		this.function = new FunctionCall(schema, timeout);
		this.lanes = new Lanes(dataSource, timeout, connections, timer, this.breaker);
	}

	/**
	 * Calls a function that returns one row.
	 * @param <T> the type of the answer
	 * @param lane the object that determines the order, such as a key
	 * @param reader reads the row
	 * @param function the function and its parameters, such as {@code sluice_first(?, ?)}
	 * @param arguments numbers, texts, bytes, or arrays of numbers; or a supplier of a
	 * number, called when the statement is sent
	 * @return the answer, or a {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> row(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return rows(lane, reader, function, arguments).thenApply((rows) -> rows.get(0));
	}

	/**
	 * Calls a function that returns one row, on a thread for urgent statements, so that
	 * released permits are soon available to other calls. Later statements of the same
	 * lane wait for this statement. Earlier statements of the lane may still be pending.
	 * @param <T> the type of the answer
	 * @param lane the object that determines the order, such as a key
	 * @param reader reads the row
	 * @param function the function and its parameters
	 * @param arguments numbers, texts, bytes, or arrays of numbers
	 * @return the answer, or a {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> urgentRow(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return this.lanes.sendUrgent(lane,
				(connection) -> this.function.rows(connection, reader, function, arguments).get(0));
	}

	/**
	 * Calls a function for the whole node that returns any number of rows, ahead of the
	 * statements that wait.
	 * @param <T> the type of the answer
	 * @param lane the object that selects the lane
	 * @param reader reads each row
	 * @param function the function and its parameters
	 * @param arguments numbers, texts, bytes, or arrays of numbers
	 * @return the answer, or a {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<List<T>> firstRows(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return this.lanes.sendFirst(lane, (connection) -> this.function.rows(connection, reader, function, arguments));
	}

	/**
	 * Calls a function that returns any number of rows.
	 * @param <T> the type of the answer
	 * @param lane the object that determines the order, such as a key
	 * @param reader reads each row
	 * @param function the function and its parameters
	 * @param arguments numbers, texts, bytes, or arrays of numbers
	 * @return the answer, or a {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<List<T>> rows(Object lane, RowReader<T> reader, String function,
			@Nullable Object... arguments) {
		return ask(lane, (connection) -> this.function.rows(connection, reader, function, arguments));
	}

	/**
	 * Runs work with a connection on a thread of the store.
	 * @param <T> the type of the result
	 * @param lane the object that determines the order, such as a key
	 * @param work the work
	 * @return the result, or a {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> ask(Object lane, Work<T> work) {
		return this.lanes.send(lane, work);
	}

	/**
	 * Probes an unavailable database if the circuit breaker has been open for long
	 * enough. If the probe succeeds, the database counts as available again.
	 * @param work the work of the probe, which fails if calls would fail
	 * @return a future that completes when the probe ends
	 */
	public CompletableFuture<?> probe(Work<?> work) {
		if (!this.breaker.mayProbe() || !this.lanes.mayProbe()) {
			return CompletableFuture.completedFuture(null);
		}
		return this.lanes.sendProbe(this, (connection) -> {
			work.with(connection);
			this.breaker.close();
			return true;
		});
	}

	/**
	 * Makes later statements of a lane wait for other work.
	 * @param lane the lane, such as a key
	 * @param work the work, which always completes
	 */
	public void awaitFirst(Object lane, CompletableFuture<?> work) {
		this.lanes.awaitFirst(lane, work);
	}

	/**
	 * Returns whether a failed statement may have taken effect, or may still take effect:
	 * the statement was sent, and the server has not undone it.
	 * @param failure the failure of the statement
	 * @return {@code false} if the statement certainly has no effect
	 */
	public static boolean mayHaveRun(Throwable failure) {
		Throwable cause = Failures.cause(failure).getCause();
		return wasSent(failure) && cause != null && !SqlStates.isUndone(cause);
	}

	/**
	 * Returns whether a failed statement was sent, so that its failure is an answer or
	 * the silence of the database.
	 * @param failure the failure of the statement
	 * @return {@code false} if the statement failed in this node
	 */
	public static boolean wasSent(Throwable failure) {
		Throwable cause = Failures.cause(failure);
		return cause.getCause() != null && !(cause.getCause() instanceof Lanes.UnsentException);
	}

	/**
	 * Waits for an answer.
	 * @param <T> the type of the answer
	 * @param answer the pending answer
	 * @return the answer
	 * @throws StoreUnavailableException if the database does not answer
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
	 * Requires that the current thread may block to wait for an answer.
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
	 * Returns whether calls must not be sent to the database now.
	 * @return {@code true} if the database has failed and no probe has succeeded since,
	 * or if this object is closed
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
	 * Marks the database as unavailable until a probe succeeds.
	 * @param failure the reason
	 */
	public void unavailable(Throwable failure) {
		this.breaker.open(failure);
	}

	/**
	 * Calls a function with a connection.
	 * @param connection the connection
	 * @param function the function and its parameters
	 * @param arguments the arguments of the function
	 * @throws SQLException if the call fails
	 */
	public void call(Connection connection, String function, @Nullable Object... arguments) throws SQLException {
		this.function.rows(connection, (row) -> true, function, arguments);
	}

	/**
	 * Reads the default isolation level of transactions.
	 * @param connection a connection of the pool
	 * @throws SQLException if the level cannot be read
	 */
	public void learnIsolation(Connection connection) throws SQLException {
		this.function.learnIsolation(connection);
	}

	/**
	 * Returns the maximum time of a statement.
	 * @return the time
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns the number of answered statements, their total time in nanoseconds, and the
	 * number of failed statements.
	 * @return the three numbers
	 */
	public long[] statistics() {
		return this.lanes.statistics();
	}

	/**
	 * Sends the statements that were requested before, for at most the time of one
	 * statement, and rejects later statements.
	 */
	public void close() {
		this.lanes.close();
		this.closed = true;
	}

}
