package dev.sluice.jdbc.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/** Statements in autocommit, on a few threads of the store. */
public final class Database implements AutoCloseable {

	/*
	 * Nobody but the threads here waits for a connection or an answer, and whoever asked
	 * goes on when the time is over, whatever the driver does. A statement whose time is
	 * over before a thread is free never runs. So the result of "run" may come late, and
	 * who needs to undo it hears of it; that of "inTime" does not.
	 */

	private static final int THREADS = 8;

	private static final int QUEUE = 10_000;

	private final DataSource source;

	private final Duration timeout;

	private final String schema;

	private final ThreadPoolExecutor executor;

	private final CircuitBreaker breaker = new CircuitBreaker();

	private final LongAdder answered = new LongAdder();

	private final LongAdder answerNanos = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private volatile boolean closed;

	/**
	 * Prepares to ask.
	 * @param source where connections are
	 * @param timeout how long an answer may take
	 * @param schema what names of functions and tables begin with: empty, or with a dot
	 */
	public Database(DataSource source, Duration timeout, String schema) {
		this.source = source;
		this.timeout = timeout;
		this.schema = schema;
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE),
				(task) -> {
					Thread thread = new Thread(task, "sluice-jdbc");
					thread.setDaemon(true);
					return thread;
				});
		this.executor.allowCoreThreadTimeOut(true);
	}

	/** Reads one row. */
	@FunctionalInterface
	public interface Row<T> {

		T read(ResultSet row) throws SQLException;

	}

	/**
	 * Runs a statement; {@code %s} in it is the schema.
	 * @return the rows, without a limit of time
	 */
	public <T> CompletableFuture<List<T>> run(String sql, Row<T> row, @Nullable Object... arguments) {
		CompletableFuture<List<T>> result = new CompletableFuture<>();
		long since = System.nanoTime();
		try {
			this.executor.execute(() -> execute(result, since, sql, row, arguments));
		}
		catch (RejectedExecutionException ex) {
			failed();
			result.completeExceptionally(new StoreUnavailableException("Too many statements wait for a thread", ex));
		}
		return result;
	}

	private <T> void execute(CompletableFuture<List<T>> result, long since, String sql, Row<T> row,
			@Nullable Object... arguments) {
		if (System.nanoTime() - since >= this.timeout.toNanos()) {
			result.completeExceptionally(new StoreUnavailableException("There was no thread in time"));
			return;
		}
		List<T> rows;
		try {
			rows = ask(sql, row, arguments);
		}
		catch (SQLException | RuntimeException ex) {
			failed();
			result.completeExceptionally(new StoreUnavailableException("The database cannot be asked", ex));
			return;
		}
		long nanos = System.nanoTime() - since;
		if (nanos < this.timeout.toNanos()) {
			this.answered.increment();
			this.answerNanos.add(nanos);
			this.breaker.succeeded();
		}
		result.complete(rows);
	}

	private <T> List<T> ask(String sql, Row<T> row, @Nullable Object... arguments) throws SQLException {
		try (Connection connection = this.source.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			try (PreparedStatement statement = connection.prepareStatement(sql.replace("%s", this.schema))) {
				statement.setQueryTimeout((int) Math.max(1, this.timeout.toSeconds()));
				for (int i = 0; i < arguments.length; i++) {
					statement.setObject(i + 1, arguments[i]);
				}
				return rows(statement, row);
			}
			finally {
				if (!autoCommit) {
					connection.setAutoCommit(false);
				}
			}
		}
	}

	private static <T> List<T> rows(PreparedStatement statement, Row<T> row) throws SQLException {
		List<T> rows = new ArrayList<>();
		if (statement.execute()) {
			try (ResultSet results = statement.getResultSet()) {
				while (results.next()) {
					rows.add(row.read(results));
				}
			}
		}
		return rows;
	}

	private void failed() {
		this.failed.increment();
		this.breaker.failed();
	}

	/** Returns a result that fails when the time of an answer is over. */
	public <T> CompletableFuture<T> inTime(CompletableFuture<T> result) {
		return result.copy().orTimeout(this.timeout.toNanos(), TimeUnit.NANOSECONDS).whenComplete((value, failure) -> {
			if (failure instanceof TimeoutException) {
				failed();
			}
		});
	}

	/**
	 * Waits for a result as long as an answer may take.
	 * @throws StoreUnavailableException if there is none in time
	 */
	public <T> T await(CompletableFuture<T> result) {
		boolean interrupted = false;
		long end = System.nanoTime() + this.timeout.toNanos();
		try {
			while (true) {
				try {
					return result.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (TimeoutException ex) {
			failed();
			throw new StoreUnavailableException("The database does not answer in time", ex);
		}
		catch (ExecutionException ex) {
			throw new StoreUnavailableException("The database cannot be asked", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** Returns whether it makes no sense to ask. */
	public boolean isUnavailable() {
		return this.closed || this.breaker.isOpen();
	}

	/** Told that a probe was answered in time. */
	public void available() {
		this.breaker.close();
	}

	/** Lets nobody ask any more from now on, but for what is given back. */
	public void refuse() {
		this.closed = true;
	}

	public boolean isClosed() {
		return this.closed;
	}

	public long answered() {
		return this.answered.sum();
	}

	public Duration answerTime() {
		return Duration.ofNanos(this.answerNanos.sum());
	}

	public long failures() {
		return this.failed.sum();
	}

	/** Runs what was asked for already, for as long as an answer may take. */
	@Override
	public void close() {
		this.closed = true;
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(this.timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				this.executor.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
