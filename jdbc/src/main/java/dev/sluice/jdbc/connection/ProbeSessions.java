package dev.sluice.jdbc.connection;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

/** Connections for probes, from a pool that cannot connect to the database. */
final class ProbeSessions {

	/*
	 * HikariCP connects on a thread of its own. While a caller waits for a connection,
	 * the thread doubles its pauses between failed attempts, up to five seconds. When no
	 * caller waits at the end of a pause, the thread stops, and the next caller starts
	 * again with short pauses. A probe therefore leaves the pool early, and the next one
	 * comes late. An attempt to connect continues without the probe, and the next probe
	 * gets its connection.
	 *
	 * An interrupt ends the wait of a probe. It would also end an attempt to connect on
	 * the thread of the probe. Only a pool that has reported the failure of an attempt on
	 * another thread is therefore left early.
	 *
	 * Invariant: a thread is interrupted only while it opens a session here, and leaves
	 * without the interrupt. Attacked by ProbeSessionsTests and PoolPauseTests.
	 */

	private static final long WAIT = Duration.ofMillis(100).toNanos();

	private static final long INTERVAL = Duration.ofMillis(500).toNanos();

	private final DataSource pool;

	private final Duration networkTimeout;

	private final ScheduledExecutorService timer;

	private volatile boolean pausing;

	private volatile long begin;

	ProbeSessions(DataSource pool, Duration networkTimeout, ScheduledExecutorService timer) {
		this.pool = pool;
		this.networkTimeout = networkTimeout;
		this.timer = timer;
	}

	/** Returns whether the pool has stopped its attempts for the previous probe. */
	boolean mayOpen() {
		return !this.pausing || System.nanoTime() - this.begin >= INTERVAL;
	}

	Session open() throws SQLException {
		this.begin = System.nanoTime();
		try {
			Session session = this.pausing ? openSoon() : Session.open(this.pool, this.networkTimeout);
			this.pausing = false;
			return session;
		}
		catch (SQLTransientConnectionException ex) {
			this.pausing = ex.getCause() != null;
			throw ex;
		}
	}

	private Session openSoon() throws SQLException {
		Wait wait = new Wait();
		Future<?> end = this.timer.schedule(wait::interrupt, WAIT, TimeUnit.NANOSECONDS);
		try {
			return Session.open(this.pool, this.networkTimeout);
		}
		finally {
			end.cancel(false);
			wait.end();
		}
	}

	/** Wait of the current thread in the pool. */
	private static final class Wait {

		private final Thread thread = Thread.currentThread();

		private boolean ended;

		private boolean interrupted;

		synchronized void interrupt() {
			if (!this.ended) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}

		synchronized void end() {
			this.ended = true;
			if (this.interrupted) {
				Thread.interrupted();
			}
		}

	}

}
