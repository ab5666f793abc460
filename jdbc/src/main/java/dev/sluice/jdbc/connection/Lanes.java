package dev.sluice.jdbc.connection;

import java.io.Serial;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import javax.sql.DataSource;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Threads that send statements. The statements of one lane are sent in the order of their
 * requests.
 */
final class Lanes {

	/*
	 * Each key belongs to one of a few lanes. A lane is a thread with at most one
	 * connection. With two or more connections, urgent statements have lanes of their
	 * own, and later statements of the same key wait for them. Statements for the whole
	 * node overtake the statements for keys, which may wait for a locked row one after
	 * the other. Every returned future completes: the lane, the timer or the close of the
	 * store completes it.
	 *
	 * A statement waits until it is sent or dropped, whichever comes first. For the
	 * caller, its timeout starts with the request. For the circuit breaker, its timeout
	 * starts with its turn: a wait in the queue of this node is no failure of the
	 * database. While the breaker is open, only probes are sent, and all waiting
	 * statements are dropped.
	 *
	 * Attacked by JdbcFaultTests and JdbcFaultSuiteTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(Lanes.class.getName());

	/** Share of the lanes for urgent statements: one of this many, rounded up. */
	private static final int LANES_PER_URGENT = 3;

	private final DataSource dataSource;

	private final Duration timeout;

	private final Duration networkTimeout;

	private final ProbeSessions probes;

	private final ScheduledExecutorService timer;

	private final CircuitBreaker breaker;

	private final List<ExecutorService> lanes = new ArrayList<>();

	private final List<ExecutorService> urgentLanes = new ArrayList<>();

	private final Map<Object, CompletableFuture<?>> urgentWork = new ConcurrentHashMap<>();

	private final LongAdder answered = new LongAdder();

	private final LongAdder answerNanos = new LongAdder();

	private final LongAdder failed = new LongAdder();

	Lanes(DataSource dataSource, Duration timeout, int connections, ScheduledExecutorService timer,
			CircuitBreaker breaker) {
		this.dataSource = dataSource;
		this.timeout = timeout;
		this.networkTimeout = Session.networkTimeout(timeout);
		this.probes = new ProbeSessions(dataSource, this.networkTimeout, timer);
		this.timer = timer;
		this.breaker = breaker;
		int urgent = (connections > 1) ? (connections + LANES_PER_URGENT - 1) / LANES_PER_URGENT : 0;
		for (int i = 0; i < connections - urgent; i++) {
			this.lanes.add(newLane("sluice-jdbc-" + i));
		}
		for (int i = 0; i < urgent; i++) {
			this.urgentLanes.add(newLane("sluice-jdbc-urgent-" + i));
		}
	}

	private static ExecutorService newLane(String name) {
		return new ThreadPoolExecutor(1, 1, 0, TimeUnit.NANOSECONDS, new CallQueue(),
				(task) -> new StoreThread(task, name));
	}

	<T> CompletableFuture<T> send(Object lane, Work<T> work) {
		return send(new Call<>(lane, work, Rank.KEY), false);
	}

	/** Sends work for the whole node, ahead of waiting work for keys. */
	<T> CompletableFuture<T> sendFirst(Object lane, Work<T> work) {
		return send(new Call<>(lane, work, Rank.NODE), false);
	}

	/** Sends work on a thread for urgent work, ahead of waiting work of its lane. */
	<T> CompletableFuture<T> sendUrgent(Object lane, Work<T> work) {
		return send(new Call<>(lane, work, Rank.KEY), true);
	}

	/** Returns whether a probe would not keep the pool from connecting soon. */
	boolean mayProbe() {
		return this.probes.mayOpen();
	}

	/** Sends work even while the circuit breaker is open. */
	<T> CompletableFuture<T> sendProbe(Object lane, Work<T> work) {
		return send(new Call<>(lane, work, Rank.PROBE), false);
	}

	private <T> CompletableFuture<T> send(Call<T> call, boolean urgent) {
		try {
			Future<?> end = this.timer.schedule(call::expire, this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			call.whenComplete((result, failure) -> end.cancel(false));
		}
		catch (RejectedExecutionException ex) {
			call.drop("The store is closed", ex);
			return call;
		}
		if (urgent) {
			awaitFirst(call.lane, call);
			execute(this.urgentLanes.isEmpty() ? this.lanes : this.urgentLanes, call);
			return call;
		}
		CompletableFuture<?> before = this.urgentWork.get(call.lane);
		if (before == null) {
			execute(this.lanes, call);
		}
		else {
			before.whenComplete((result, failure) -> execute(this.lanes, call));
		}
		return call;
	}

	/** Makes later statements of a lane wait for other work. */
	void awaitFirst(Object lane, CompletableFuture<?> work) {
		this.urgentWork.put(lane, work);
		work.whenComplete((result, failure) -> this.urgentWork.remove(lane, work));
	}

	private static void execute(List<ExecutorService> lanes, Call<?> call) {
		int hash = call.lane.hashCode();
		try {
			lanes.get(Math.floorMod(hash ^ (hash >>> Short.SIZE), lanes.size())).execute(call);
		}
		catch (RejectedExecutionException ex) {
			call.drop("The store is closed", ex);
		}
	}

	/**
	 * Returns the number of answered statements, their total time in nanoseconds, and the
	 * number of failed statements.
	 */
	long[] statistics() {
		return new long[] { this.answered.sum(), this.answerNanos.sum(), this.failed.sum() };
	}

	/**
	 * Sends the statements that were requested before, for at most the time of one
	 * statement, and rejects later statements.
	 */
	void close() {
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
	}

	/** Order and treatment of a statement. */
	private enum Rank {

		/** For a key; sent in the order of the requests. */
		KEY,

		/** For the whole node; sent ahead of the statements that wait. */
		NODE,

		/** Sent although the circuit breaker is open. */
		PROBE

	}

	/** Waiting statements of one lane. */
	private static final class CallQueue extends LinkedBlockingDeque<Runnable> {

		@Serial
		private static final long serialVersionUID = 1L;

		@Override
		public boolean offer(Runnable task) {
			return (task instanceof Call<?> call && call.rank == Rank.NODE) ? offerFirst(task) : offerLast(task);
		}

	}

	/** Thrown when a statement fails before it is sent. */
	static final class UnsentException extends Exception {

		@Serial
		private static final long serialVersionUID = 1L;

		UnsentException(Throwable cause) {
			super(cause.getMessage(), cause);
		}

	}

	/** Statement from its request to its answer. */
	private final class Call<T> extends CompletableFuture<T> implements Runnable {

		private final Object lane;

		private final Work<T> work;

		private final Rank rank;

		private final long requested = System.nanoTime();

		/** Whether the statement has left the queue: sent or dropped. */
		private final AtomicBoolean ended = new AtomicBoolean();

		Call(Object lane, Work<T> work, Rank rank) {
			this.lane = lane;
			this.work = work;
			this.rank = rank;
		}

		void drop(String reason, @Nullable Throwable cause) {
			if (this.ended.compareAndSet(false, true)) {
				fail(new StoreUnavailableException(reason, (cause != null) ? new UnsentException(cause) : null));
			}
		}

		private void fail(StoreUnavailableException failure) {
			if (completeExceptionally(failure)) {
				Lanes.this.failed.increment();
			}
		}

		void expire() {
			drop("The statement has waited for its turn in this node for " + Lanes.this.timeout, null);
			fail(silent());
		}

		private StoreUnavailableException silent() {
			String message = "The database has not answered in " + Lanes.this.timeout;
			return new StoreUnavailableException(message, new TimeoutException(message));
		}

		@Override
		public void run() {
			if (this.rank != Rank.PROBE && Lanes.this.breaker.isOpen()) {
				drop("The database is unavailable", Lanes.this.breaker.cause());
			}
			if (this.ended.get()) {
				return;
			}
			AtomicBoolean counted = new AtomicBoolean();
			Future<?> silence = schedule(() -> {
				if (counted.compareAndSet(false, true)) {
					Lanes.this.breaker.timedOut(silent());
				}
			});
			try (Session session = open()) {
				if (this.ended.compareAndSet(false, true)) {
					T result = this.work.with(session.connection());
					answered(counted);
					complete(result);
				}
			}
			catch (SQLException | RuntimeException ex) {
				failed(ex, counted);
			}
			finally {
				silence.cancel(false);
			}
		}

		private Session open() throws SQLException {
			return (this.rank == Rank.PROBE) ? Lanes.this.probes.open()
					: Session.open(Lanes.this.dataSource, Lanes.this.networkTimeout);
		}

		private Future<?> schedule(Runnable task) {
			try {
				return Lanes.this.timer.schedule(task, Lanes.this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				return CompletableFuture.completedFuture(null);
			}
		}

		private void answered(AtomicBoolean counted) {
			Lanes.this.answered.increment();
			Lanes.this.answerNanos.add(System.nanoTime() - this.requested);
			if (counted.compareAndSet(false, true)) {
				Lanes.this.breaker.succeeded();
			}
		}

		private void failed(Exception failure, AtomicBoolean counted) {
			boolean first = counted.compareAndSet(false, true);
			switch (SqlStates.meaning(failure)) {
				case UNAVAILABLE, MISCONFIGURED -> Lanes.this.breaker.open(failure);
				case TIMED_OUT -> {
					if (first) {
						Lanes.this.breaker.timedOut(failure);
					}
					else {
						Lanes.this.breaker.explain(failure);
					}
				}
				case STATEMENT -> {
					if (first) {
						Lanes.this.breaker.succeeded();
					}
				}
			}
			LOGGER.log(System.Logger.Level.DEBUG, "A statement has failed", failure);
			String message = "The database has not answered: " + failure.getMessage();
			drop(message, failure);
			fail(new StoreUnavailableException(message, failure));
		}

	}

	/** Thread of the store, which completes calls and therefore never waits for one. */
	static final class StoreThread extends Thread {

		StoreThread(Runnable task, String name) {
			super(task, name);
			setDaemon(true);
		}

	}

}
