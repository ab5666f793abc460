package dev.sluice.jdbc.database;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

/**
 * Listener to the channel {@code sluice}, on a thread and a connection of its own. The
 * driver is asked by reflection, as its classes are annotated by what is not there when
 * this is compiled.
 */
public final class Notifications implements AutoCloseable {

	private static final System.Logger LOGGER = System.getLogger(Notifications.class.getName());

	private static final Duration STEP = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofSeconds(5);

	private final DataSource source;

	private final Runnable whenNotified;

	private final Thread thread;

	private final CountDownLatch end = new CountDownLatch(1);

	/**
	 * Prepares to listen.
	 * @param source where the connection is
	 * @param whenNotified called on the listener's thread; must not block
	 */
	public Notifications(DataSource source, Runnable whenNotified) {
		this.source = source;
		this.whenNotified = whenNotified;
		this.thread = new Thread(this::run, "sluice-jdbc-listener");
		this.thread.setDaemon(true);
	}

	public void start() {
		this.thread.start();
	}

	private void run() {
		while (this.end.getCount() > 0) {
			try (Connection connection = this.source.getConnection();
					Statement statement = connection.createStatement()) {
				connection.setAutoCommit(true);
				Class<?> type = Class.forName("org.postgresql.PGConnection");
				Object postgres = connection.unwrap(type);
				Method read = type.getMethod("getNotifications", int.class);
				statement.execute("LISTEN sluice");
				try {
					listen(postgres, read);
				}
				finally {
					statement.execute("UNLISTEN sluice");
				}
			}
			catch (SQLException | ReflectiveOperationException ex) {
				LOGGER.log(System.Logger.Level.DEBUG, "There are no notifications; grants are polled", ex);
				pause();
			}
		}
	}

	private void listen(Object connection, Method read) throws ReflectiveOperationException {
		while (this.end.getCount() > 0) {
			Object notifications = read.invoke(connection, (int) STEP.toMillis());
			if (notifications != null && Array.getLength(notifications) > 0) {
				this.whenNotified.run();
			}
		}
	}

	private void pause() {
		try {
			if (this.end.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
				LOGGER.log(System.Logger.Level.DEBUG, "The store was closed");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			close();
		}
	}

	@Override
	public void close() {
		this.end.countDown();
	}

}
