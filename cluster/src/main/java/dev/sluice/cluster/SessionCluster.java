package dev.sluice.cluster;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.websocket.ManagedSession;

import org.springframework.web.socket.CloseStatus;

/**
 * Sessions of all nodes of the application. Methods never wait.
 * <p>
 * The futures report the actual outcome. A session counts as sent only when the message
 * was written to its socket, and as failed only when it was not and will not be; it is
 * unknown only if its node was lost after the hand-over. A lost receipt is requested
 * again. Every future ends: a node that is silent for the time-out is lost, and one that
 * answers ends within its own limits of sending. A request that could not be handed over
 * to the bus fails with {@link BusUnavailableException}.
 *
 * @since 0.1.0
 */
public interface SessionCluster {

	/**
	 * Finds sessions.
	 * @param query which
	 * @return the sessions that are open
	 */
	CompletableFuture<FoundSessions> find(SessionQuery query);

	/**
	 * Sends a message before all waiting messages that were posted, to sessions without a
	 * sub-protocol.
	 * @param to which sessions
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return ends when the message was sent or has failed for all sessions
	 */
	CompletableFuture<Delivery> send(SessionQuery to, Object message);

	/**
	 * Sends a message after all waiting messages, to sessions without a sub-protocol.
	 * @param to which sessions
	 * @param message a text, bytes, or anything to be written as JSON
	 * @return ends when the message was sent or has failed for all sessions
	 */
	CompletableFuture<Delivery> post(SessionQuery to, Object message);

	/**
	 * Closes sessions after the messages that were sent to them.
	 * @param which which sessions
	 * @param status the close status sent to the clients
	 * @return ends when they have ended
	 */
	CompletableFuture<Delivery> close(SessionQuery which, CloseStatus status);

	/**
	 * Returns a topic, which is created with its first member or message.
	 * @param name any text of 1 to 255 characters, without half of a surrogate pair
	 * @return the topic
	 * @throws IllegalArgumentException if the name is not valid
	 */
	Topic topic(String name);

	/**
	 * Returns how many topics a session may join.
	 * @return the maximum number
	 */
	int maxTopicsPerSession();

	/**
	 * Returns the nodes that are alive, including this one.
	 * @return the nodes, in the order of their names
	 */
	List<NodeInfo> nodes();

	/**
	 * Returns a snapshot of the cluster as this node observes it, without requests to
	 * other nodes; takes time in proportion to the topics that its sessions have joined.
	 * @param top how many of the largest topics to list; not negative
	 * @return counts and the largest topics
	 * @throws IllegalArgumentException if {@code top} is negative
	 */
	ClusterSnapshot snapshot(int top);

	/**
	 * Returns a snapshot of one topic, without requests to other nodes.
	 * @param topic the topic's name
	 * @return its state on this node, or empty if it has no members on this node
	 */
	Optional<TopicSnapshot> snapshot(String topic);

	/**
	 * Returns the id of a session of this node that is valid on all nodes.
	 * @param session a session of this node
	 * @return its id in the cluster
	 */
	String idOf(ManagedSession session);

}
