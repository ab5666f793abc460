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
 * Messages between nodes that something can be picked up. They are hints: who misses one
 * looks a little later by itself. A message is never sent by the transaction that
 * decides, as the server commits those with messages one after the other.
 */
public final class Notifications {

	/*
	 * One thread listens, with a connection that it keeps, and does without while it can
	 * have none. The driver is called by reflection, as the store needs no classes of it
	 * otherwise. "sending" is set by who has nodes told, and cleared before they are
	 * read, so none is forgotten.
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

	/** Longer than a wait. */
	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(5);

	private final DataSource dataSource;

	private final Database database;

	private final ScheduledExecutorService timer;

	private final Set<String> nodes = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean sending = new AtomicBoolean();

	private final CountDownLatch closed = new CountDownLatch(1);

	/**
	 * Prepares to send.
	 * @param dataSource has a connection to listen with
	 * @param database sends
	 * @param timer a thread that never blocks
	 */
	public Notifications(DataSource dataSource, Database database, ScheduledExecutorService timer) {
		this.dataSource = dataSource;
		this.database = database;
		this.timer = timer;
	}

	/**
	 * Tells a node, together with others that are told at about the same time.
	 * @param node its name, of letters, digits and hyphens
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
	 * Listens on a thread of its own until this is closed.
	 * @param node the name of this node
	 * @param action called by that thread when there may be something to pick up
	 */
	public void listen(String node, Runnable action) {
		Thread thread = new Thread(() -> listenUntilClosed(node, action), "sluice-jdbc-listener");
		thread.setDaemon(true);
		thread.start();
	}

	private void listenUntilClosed(String node, Runnable action) {
		try {
			do {
				try (Session session = Session.open(this.dataSource, NETWORK_TIMEOUT)) {
					listen(session.connection(), node, action);
				}
				catch (SQLException | RuntimeException ex) {
					LOGGER.log(System.Logger.Level.DEBUG, "Cannot listen to PostgreSQL; looking at intervals", ex);
				}
			}
			while (!this.closed.await(RETRY_MILLIS, TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ReflectiveOperationException ex) {
			LOGGER.log(System.Logger.Level.WARNING, "The driver has no notifications; looking at intervals", ex);
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

	/** Stops listening, soon. */
	public void close() {
		this.closed.countDown();
	}

}
