package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Statements to the database. Those of one key are sent one after the other, in the order
 * in which they were asked for, each in a transaction of its own; none holds a connection
 * while it waits for its turn. A statement that is not answered in time has failed,
 * whatever the driver and the pool do.
 */
public final class Database {

	/*
	 * Each key has one of a few lanes, which are threads, each with at most one
	 * connection. What is urgent has others, if there is more than one, and whatever is
	 * asked for in its lane later waits for it. Every future that is returned ends: by
	 * the lane, by the timer, or when the store is closed. A statement whose time is over
	 * before its turn is not sent. "unavailable" is set by whoever fails, and cleared by
	 * the probe alone.
	 *
	 * Attacked by JdbcFaultTests.
	 */

	/** Of so many lanes one is for what is urgent. */
	private static final int LANES_PER_URGENT = 3;

	private final DataSource dataSource;

	private final String prefix;

	private final Duration timeout;

	private final ScheduledExecutorService timer;

	private final List<ExecutorService> lanes = new ArrayList<>();

	private final List<ExecutorService> urgentLanes = new ArrayList<>();

	private final Map<Object, CompletableFuture<?>> urgentWork = new ConcurrentHashMap<>();

	private final LongAdder answered = new LongAdder();

	private final LongAdder answerNanos = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private volatile boolean unavailable;

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
		this.dataSource = dataSource;
		this.prefix = schema.isEmpty() ? "" : quoted(schema) + ".";
		this.timeout = timeout;
		this.timer = timer;
		int urgent = (connections > 1) ? (connections + LANES_PER_URGENT - 1) / LANES_PER_URGENT : 0;
		for (int i = 0; i < connections - urgent; i++) {
			this.lanes.add(newLane("sluice-jdbc-" + i));
		}
		for (int i = 0; i < urgent; i++) {
			this.urgentLanes.add(newLane("sluice-jdbc-urgent-" + i));
		}
	}

	private static ExecutorService newLane(String name) {
		return Executors.newSingleThreadExecutor((task) -> new StoreThread(task, name));
	}

	/**
	 * Quotes a name.
	 * @param name the name
	 * @return the identifier
	 */
	public static String quoted(String name) {
		return '"' + name.replace("\"", "\"\"") + '"';
	}

	/**
	 * Reader of a row of an answer.
	 *
	 * @param <T> the type of what is read
	 */
	@FunctionalInterface
	public interface RowReader<T> {

		/**
		 * Reads one row.
		 * @param row the row
		 * @return what it says
		 * @throws SQLException if it says nothing such
		 */
		T read(ResultSet row) throws SQLException;

	}

	/**
	 * Work with a connection.
	 *
	 * @param <T> the type of its result
	 */
	@FunctionalInterface
	public interface Work<T> {

		/**
		 * Works.
		 * @param connection the connection, in autocommit
		 * @return the result
		 * @throws SQLException if it fails
		 */
		T with(Connection connection) throws SQLException;

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
		return ask(lane, true, (connection) -> select(connection, reader, function, arguments).get(0));
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
		return ask(lane, (connection) -> select(connection, reader, function, arguments));
	}

	private <T> List<T> select(Connection connection, RowReader<T> reader, String function,
			@Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM " + this.prefix + function)) {
			for (int i = 0; i < arguments.length; i++) {
				if (arguments[i] instanceof Long[] numbers) {
					statement.setArray(i + 1, connection.createArrayOf("bigint", numbers));
				}
				else if (arguments[i] instanceof LongSupplier number) {
					statement.setLong(i + 1, number.getAsLong());
				}
				else {
					statement.setObject(i + 1, arguments[i]);
				}
			}
			try (ResultSet result = statement.executeQuery()) {
				List<T> rows = new ArrayList<>();
				while (result.next()) {
					rows.add(reader.read(result));
				}
				return rows;
			}
		}
	}

	/**
	 * Works with a connection on a thread of the store, though the database may count as
	 * unavailable.
	 * @param <T> the type of the result
	 * @param lane what decides on the order, such as a key
	 * @param work the work
	 * @return the result, or {@link StoreUnavailableException}
	 */
	public <T> CompletableFuture<T> ask(Object lane, Work<T> work) {
		return ask(lane, false, work);
	}

	private <T> CompletableFuture<T> ask(Object lane, boolean urgent, Work<T> work) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		long asked = System.nanoTime();
		try {
			Future<?> end = this.timer.schedule(() -> tooLate(answer), this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			answer.whenComplete((result, failure) -> end.cancel(false));
			if (urgent) {
				this.urgentWork.put(lane, answer);
				answer.whenComplete((result, failure) -> this.urgentWork.remove(lane, answer));
				lane(this.urgentLanes.isEmpty() ? this.lanes : this.urgentLanes, lane)
					.execute(() -> run(answer, work, asked));
				return answer;
			}
			CompletableFuture<?> before = this.urgentWork.get(lane);
			if (before == null) {
				lane(this.lanes, lane).execute(() -> run(answer, work, asked));
			}
			else {
				before.whenComplete((result, failure) -> execute(lane, answer, () -> run(answer, work, asked)));
			}
		}
		catch (RejectedExecutionException ex) {
			refuse(answer, ex);
		}
		return answer;
	}

	private static ExecutorService lane(List<ExecutorService> lanes, Object lane) {
		int hash = lane.hashCode();
		return lanes.get(Math.floorMod(hash ^ (hash >>> Short.SIZE), lanes.size()));
	}

	private void execute(Object lane, CompletableFuture<?> answer, Runnable work) {
		try {
			lane(this.lanes, lane).execute(work);
		}
		catch (RejectedExecutionException ex) {
			refuse(answer, ex);
		}
	}

	private static void refuse(CompletableFuture<?> answer, RejectedExecutionException failure) {
		answer.completeExceptionally(new StoreUnavailableException("The store is closed", failure));
	}

	private void tooLate(CompletableFuture<?> answer) {
		if (answer.completeExceptionally(
				new StoreUnavailableException("The database has not answered in " + this.timeout, null))) {
			this.failed.increment();
			this.unavailable = true;
		}
	}

	private <T> void run(CompletableFuture<T> answer, Work<T> work, long asked) {
		if (answer.isDone()) {
			return;
		}
		try (Connection connection = this.dataSource.getConnection()) {
			if (!connection.getAutoCommit()) {
				connection.setAutoCommit(true);
			}
			connection.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, this.timeout.toMillis()));
			if (answer.isDone()) {
				return;
			}
			T result = work.with(connection);
			this.answered.increment();
			this.answerNanos.add(System.nanoTime() - asked);
			answer.complete(result);
		}
		catch (SQLException | RuntimeException ex) {
			if (isAway(ex)) {
				this.unavailable = true;
			}
			if (answer.completeExceptionally(
					new StoreUnavailableException("The database has not answered: " + ex.getMessage(), ex))) {
				this.failed.increment();
			}
		}
	}

	/** Returns whether the next statement would fail as well. */
	private static boolean isAway(Exception failure) {
		String state = (failure instanceof SQLException sql) ? sql.getSQLState() : null;
		return state == null || state.startsWith("08") || state.startsWith("57P") || state.startsWith("53")
				|| state.startsWith("58") || state.startsWith("XX");
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
		boolean loop = type == StoreThread.class;
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
	 * Returns whether calls are not to be put to the database now.
	 * @return whether it has failed and not been heard since
	 */
	public boolean isUnavailable() {
		return this.unavailable || this.closed;
	}

	/** Says that the database does not answer. */
	public void away() {
		this.unavailable = true;
	}

	/** Says that the database answers again. */
	public void heard() {
		this.unavailable = false;
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
		return new long[] { this.answered.sum(), this.answerNanos.sum(), this.failed.sum() };
	}

	/**
	 * Sends what was asked for already, for as long as that may take, and nothing more.
	 */
	public void close() {
		List<ExecutorService> all = new ArrayList<>(this.lanes);
		all.addAll(this.urgentLanes);
		all.forEach(ExecutorService::shutdown);
		long end = System.nanoTime() + this.timeout.toNanos();
		for (ExecutorService lane : all) {
			try {
				if (!lane.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
					lane.shutdownNow();
				}
			}
			catch (InterruptedException ex) {
				lane.shutdownNow();
				Thread.currentThread().interrupt();
			}
		}
		this.closed = true;
	}

	/** A thread that decides on calls of others, and so waits for none. */
	private static final class StoreThread extends Thread {

		StoreThread(Runnable task, String name) {
			super(task, name);
			setDaemon(true);
		}

	}

}
