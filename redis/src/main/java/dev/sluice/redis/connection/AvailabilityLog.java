package dev.sluice.redis.connection;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Log of the times in which Redis cannot be used: one warning with the cause when such a
 * time begins, and one message when it ends.
 */
public final class AvailabilityLog {

	/*
	 * Called by the timer of the owner; a server that is no longer used by the thread
	 * that has read the topology. All state is guarded by "this". A fault that comes and
	 * goes, as where some commands fail and others do not, is one fault until two seconds
	 * pass without it. A cause that trying again does not remove is logged even if it
	 * follows another one.
	 *
	 * Attacked by RedisFaultSuiteTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(AvailabilityLog.class.getName());

	private static final Duration STABLE = Duration.ofSeconds(2);

	private final RedisConnections connections;

	private final CommandSender commands;

	private final String user;

	private volatile @Nullable Throwable reported;

	private boolean faulty;

	private boolean permanent;

	private boolean ended;

	/** Whether the last check has seen a fault. */
	private boolean present;

	private long begin;

	/** Time of the first check that has not seen the fault. */
	private long end;

	/**
	 * Prepares to log.
	 * @param user of Redis, as the log names it
	 */
	public AvailabilityLog(RedisConnections connections, CommandSender commands, String user) {
		this.connections = connections;
		this.commands = commands;
		this.user = user;
	}

	/**
	 * Reports a failure that no other command may show, as where a user may read but not
	 * publish.
	 * @param failure the failure, or {@code null} once it is over
	 */
	public void report(@Nullable Throwable failure) {
		this.reported = failure;
	}

	/** Logs the end of a fault of a server that is no longer used. */
	public synchronized void end() {
		this.ended = true;
		if (this.faulty) {
			logEnd(System.nanoTime());
		}
	}

	private void logEnd(long time) {
		this.faulty = false;
		this.permanent = false;
		LOGGER.log(System.Logger.Level.INFO, "Redis is available to " + this.user + " again, after "
				+ Duration.ofNanos(time - this.begin).toMillis() + " ms");
	}

	/** Logs a fault that has begun or ended since the last call. */
	public synchronized void check() {
		if (this.ended) {
			return;
		}
		Throwable unconnected = this.connections.failure();
		Throwable cause = (unconnected != null) ? unconnected : this.commands.failure();
		cause = (cause != null) ? cause : this.reported;
		long now = System.nanoTime();
		if (cause != null) {
			this.present = true;
			String problem = RedisErrors.permanentProblem(cause);
			if (!this.faulty || (problem != null && !this.permanent)) {
				this.begin = this.faulty ? this.begin : now;
				this.faulty = true;
				this.permanent = problem != null;
				LOGGER.log(System.Logger.Level.WARNING, "Redis is unavailable to " + this.user
						+ ", and is tried again until it answers: " + RedisErrors.describe(cause));
				LOGGER.log(System.Logger.Level.DEBUG, "Cause", cause);
			}
		}
		else if (this.faulty) {
			this.end = this.present ? now : this.end;
			this.present = false;
			if (now - this.end >= STABLE.toNanos()) {
				logEnd(this.end);
			}
		}
	}

}
