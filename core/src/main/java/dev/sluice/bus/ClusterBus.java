package dev.sluice.bus;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Connection of one node to the other nodes of its application. The module
 * {@code sluice-test} contains the contract of every bus as JUnit tests.
 * <p>
 * Methods never block. Every future completes within the time-out of the bus: if the bus
 * cannot be reached, with a {@link BusUnavailableException}, which indicates whether the
 * operation may have taken effect. Messages from one node to another arrive in order or
 * not at all. If messages to a node may have been lost, the bus
 * {@linkplain BusListener#interrupted() notifies} that node as soon as it is reachable.
 * <p>
 * The {@linkplain #presence() presence of members} and the {@linkplain #records() records
 * of sessions} are interfaces of their own, which a bus may offer. A feature that needs a
 * missing one stops the start of the application.
 *
 * @since 0.1.0
 */
public interface ClusterBus extends AutoCloseable {

	/**
	 * Returns the name of this node. It is random, consists of letters and digits, and
	 * changes with each start.
	 * @return the name
	 */
	String node();

	/**
	 * Returns the live nodes, including this one once it has started. A node that stopped
	 * without {@linkplain #close() leaving} is removed when its lease expires.
	 * @return the names of the nodes
	 */
	Set<String> nodes();

	/**
	 * Starts receiving messages. Called once, before any of the methods below.
	 * @param listener the listener that receives the messages
	 */
	void start(BusListener listener);

	/**
	 * Sends a message to one node.
	 * @param node the name of a node, which may be this node
	 * @param frame the message
	 * @return a future that completes when the message is handed over, which does not
	 * guarantee that the node is alive; {@code false} if the message certainly reached no
	 * node, so that no answer can come
	 */
	CompletableFuture<Boolean> send(String node, String frame);

	/**
	 * Sends a message to all nodes, this one included.
	 * @param frame the message
	 * @return the nodes to which the message was handed over
	 */
	CompletableFuture<Set<String>> broadcast(String frame);

	/**
	 * Subscribes this node to a name. From the moment of the answer, messages routed to
	 * the name and published under it reach the node.
	 * <p>
	 * The bus keeps the position of a name while a node is subscribed, and for at least
	 * an hour after the last node has left, independent of the age of the history.
	 * @param name the name
	 * @return the position of the latest message published before, or the start of the
	 * name, a position with the number 0. The start has a new id whenever the bus had no
	 * record of the name
	 */
	CompletableFuture<@Nullable Position> join(String name);

	/**
	 * Reserves places of a name for this node, if the live nodes have at most
	 * {@code maxPlaces} places together. The reservation replaces the previous places of
	 * the node. A node that has {@linkplain #join joined} without a reservation has one
	 * place. A successful reservation also joins the name, and {@linkplain #leave
	 * leaving} frees the places. When a lost node returns and
	 * {@linkplain BusListener#interrupted() is notified}, the bus may have one place on
	 * record for it.
	 * @param name the name
	 * @param places the number of places for this node, at least 1
	 * @param maxPlaces the maximum number of places of all nodes;
	 * {@link Integer#MAX_VALUE} reserves unconditionally
	 * @return whether the places were free; if not, nothing changes. The default
	 * implementation ignores the places of other nodes
	 */
	default CompletableFuture<Boolean> occupy(String name, int places, int maxPlaces) {
		return (places > maxPlaces) ? CompletableFuture.completedFuture(false) : join(name).thenApply((joined) -> true);
	}

	/**
	 * Unsubscribes this node from a name.
	 * @param name the name
	 * @return a future that completes when no further message is handed over
	 */
	CompletableFuture<@Nullable Void> leave(String name);

	/**
	 * Sends a message to the nodes that are subscribed to a name.
	 * @param name the name
	 * @param frame the message
	 * @return the nodes to which the message was handed over
	 */
	CompletableFuture<Set<String>> route(String name, String frame);

	/**
	 * Publishes a message under a name. All nodes receive the messages of a name in the
	 * order of publication.
	 * @param publication the message
	 * @return the position of the message, and its receivers
	 */
	CompletableFuture<Published> publish(Publication publication);

	/**
	 * Reads the history of a name.
	 * @param name the name
	 * @param known the position of the first message to return; if it is not in the
	 * history, or {@code null}, the whole history is returned
	 * @return the history
	 */
	CompletableFuture<TopicHistory> read(String name, @Nullable Position known);

	/**
	 * Reads a part of the history of a name.
	 * @param name the name
	 * @param known the position of the first message to return; if it is not in the
	 * history, or {@code null}, the oldest messages are returned
	 * @param maxMessages the maximum number of messages to return in addition to the
	 * message at {@code known}, at least 1
	 * @return the part; if the history continues, the last message is not the one at the
	 * top. The default implementation reads the whole history and drops the rest
	 */
	default CompletableFuture<TopicHistory> read(String name, @Nullable Position known, int maxMessages) {
		return read(name, known).thenApply((history) -> history.first(known, maxMessages));
	}

	/**
	 * Returns the registry of the members that are present under the names of this bus.
	 * @return the registry, the same one before and after the start; {@code null} if this
	 * bus offers none, as in the default implementation. Topics with presence need one
	 */
	default @Nullable PresenceRegistry presence() {
		return null;
	}

	/**
	 * Returns the records of sessions that may be resumed.
	 * @return the records, the same object before and after the start; {@code null} if
	 * this bus offers none, as in the default implementation. Resumable endpoints need
	 * them
	 */
	default @Nullable SessionRecords records() {
		return null;
	}

	/**
	 * Returns whether this node receives messages of other nodes, as far as the bus has
	 * detected.
	 * @return the state; {@link BusState#UP} in the default implementation
	 */
	default BusState state() {
		return BusState.UP;
	}

	/**
	 * Leaves the cluster and notifies the other nodes immediately. No further messages
	 * are received.
	 */
	@Override
	void close();

}
