package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Notifications;

/**
 * Collaborators that all limits of one node share.
 */
public final class JdbcNode {

	private final String name = UUID.randomUUID().toString();

	private final AtomicLong entries = new AtomicLong();

	private final Database database;

	private final ScheduledExecutorService timer;

	private final Duration lease;

	private final boolean relaxed;

	private final Notifications notifications;

	private final Releases releases;

	private final Holdings holdings;

	private final Lines lines;

	/**
	 * Creates a node, without a statement to the database.
	 * @param database the database that stores the limits
	 * @param timer a thread that never blocks
	 * @param notifications the notifications between nodes
	 * @param lease how long a permit is held without a renewal by its node
	 * @param relaxed whether decisions on rates do not wait for the disk
	 */
	public JdbcNode(Database database, ScheduledExecutorService timer, Notifications notifications, Duration lease,
			boolean relaxed) {
		this.database = database;
		this.timer = timer;
		this.notifications = notifications;
		this.lease = lease;
		this.relaxed = relaxed;
		this.releases = new Releases(database, this.name, this::wake);
		this.lines = new Lines(database, this.name, timer, this.releases);
		this.holdings = new Holdings(database, this.name, lease, this.releases);
	}

	/**
	 * Returns the name of this node.
	 * @return a name that no other node has
	 */
	public String name() {
		return this.name;
	}

	long nextEntry() {
		return this.entries.incrementAndGet();
	}

	/**
	 * Returns the database.
	 * @return the database that stores the limits
	 */
	public Database database() {
		return this.database;
	}

	ScheduledExecutorService timer() {
		return this.timer;
	}

	Duration lease() {
		return this.lease;
	}

	boolean isRelaxed() {
		return this.relaxed;
	}

	/**
	 * Returns the releases that the database has not confirmed.
	 * @return the releases of this node
	 */
	public Releases releases() {
		return this.releases;
	}

	/**
	 * Returns the permits that this node holds.
	 * @return the permits of this node
	 */
	public Holdings holdings() {
		return this.holdings;
	}

	/**
	 * Returns the waiting calls of this node.
	 * @return the calls of this node that stand in line
	 */
	public Lines lines() {
		return this.lines;
	}

	/**
	 * Listens for the notifications of other nodes, and picks up grants at each.
	 */
	public void listen() {
		this.notifications.listen(this.name, this.lines::pickInTime);
	}

	/** Notifies nodes to pick up the outcome of their places in line. */
	void wake(Collection<String> nodes) {
		for (String node : Set.copyOf(nodes)) {
			if (node.equals(this.name)) {
				this.lines.pick();
			}
			else {
				this.notifications.send(node);
			}
		}
	}

}
