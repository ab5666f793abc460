package dev.sluice.jdbc.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Messages that notify nodes of changes to waiting lines. A message is a hint: a node
 * that misses one polls a little later. The transaction of a decision never sends a
 * message, as the server serializes the commits of transactions with messages.
 */
public final class Notifications {

	/*
	 * One thread listens on a connection that it keeps. While no connection is available,
	 * the node polls. The driver is called by reflection, as the store otherwise needs no
	 * driver classes. A call that adds a node sets "sending". The timer clears "sending"
	 * before it reads the nodes, so it misses none.
	 *
	 * Attacked by NotificationsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(Notifications.class.getName());

	private static final String DRIVER = "org.postgresql.PGConnection";

	private static final String CHANNEL = "sluice_";

	private static final long TOGETHER_MILLIS = 10;

	private static final int WAIT_MILLIS = 500;

	private static final int WAITS_BETWEEN_CHECKS = 20;

	private static final long RETRY_MILLIS = 1_000;

	/** Network time-out, which is longer than a wait for notifications. */
	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(5);

	private final DataSource dataSource;

	private final Database database;

	private final ScheduledExecutorService timer;

	private final Set<String> nodes = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean sending = new AtomicBoolean();

	private final CountDownLatch closed = new CountDownLatch(1);

	/**
	 * Creates an instance; opens no connection.
	 * @param dataSource provides the connection that listens
	 * @param database sends the messages
	 * @param timer a thread that never blocks
	 */
	public Notifications(DataSource dataSource, Database database, ScheduledExecutorService timer) {
		this.dataSource = dataSource;
		this.database = database;
		this.timer = timer;
	}

	/**
	 * Notifies a node. Messages to several nodes within a few milliseconds are sent
	 * together.
	 * @param node the name of the node, of letters, digits and hyphens
	 */
	public void send(String node) {
		this.nodes.add(CHANNEL + node);
		if (this.sending.compareAndSet(false, true)) {
			this.timer.schedule(this::sendAll, TOGETHER_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	private void sendAll() {
		this.sending.set(false);
		String[] channels = this.nodes.toArray(String[]::new);
		this.nodes.removeAll(Set.of(channels));
		this.database.ask(this, (connection) -> {
			try (PreparedStatement statement = connection
				.prepareStatement("SELECT pg_notify(channel, '') FROM unnest(?) channel")) {
				statement.setArray(1, connection.createArrayOf("text", channels));
				return statement.execute();
			}
		});
	}

	/**
	 * Listens on a separate thread until this object is closed.
	 * @param node the name of this node
	 * @param action the callback, which the thread runs when a message may have arrived
	 */
	public void listen(String node, Runnable action) {
		Thread thread = new Thread(() -> listenUntilClosed(node, action), "sluice-jdbc-listener");
		thread.setDaemon(true);
		thread.start();
	}

	private void listenUntilClosed(String node, Runnable action) {
		try {
			do {
				// a caller that waits lengthens the pauses of the pool
				if (this.database.isUnavailable()) {
					continue;
				}
				try (Session session = Session.open(this.dataSource, NETWORK_TIMEOUT)) {
					listen(session.connection(), node, action);
				}
				catch (SQLException | RuntimeException ex) {
					LOGGER.log(System.Logger.Level.DEBUG, "Cannot listen to PostgreSQL; polling at intervals", ex);
				}
			}
			while (!this.closed.await(RETRY_MILLIS, TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ReflectiveOperationException ex) {
			LOGGER.log(System.Logger.Level.WARNING, "The driver has no notifications; polling at intervals", ex);
		}
	}

	private void listen(Connection connection, String node, Runnable action)
			throws SQLException, ReflectiveOperationException {
		Class<?> type = Class.forName(DRIVER);
		Object driver = connection.unwrap(type);
		Method notifications = type.getMethod("getNotifications", int.class);
		try (Statement statement = connection.createStatement()) {
			statement.execute("LISTEN " + Text.quoted(CHANNEL + node));
			action.run();
			for (int waits = 1; this.closed.getCount() > 0; waits++) {
				Object[] heard = heard(notifications, driver);
				if (heard != null && heard.length > 0) {
					action.run();
				}
				else if (waits % WAITS_BETWEEN_CHECKS == 0 && !connection.isValid(1)) {
					return;
				}
			}
			statement.execute("UNLISTEN *");
		}
	}

	private static Object @Nullable [] heard(Method notifications, Object driver)
			throws SQLException, ReflectiveOperationException {
		try {
			return (Object[]) notifications.invoke(driver, WAIT_MILLIS);
		}
		catch (InvocationTargetException ex) {
			throw new SQLException("The connection has ended", ex.getCause());
		}
	}

	/** Stops listening after the current wait for notifications. */
	public void close() {
		this.closed.countDown();
	}

}
