package dev.sluice.cluster;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.websocket.ManagedSession;
import org.jspecify.annotations.Nullable;

/**
 * Messages to all sessions that have joined, on any node, in one order for all.
 * <p>
 * A member gets each message once: an object as a JSON object with two properties more,
 * {@code topic} and {@code at}, its position; anything else as {@code data} of an object
 * of the type {@code message}. Where something is missing between two messages, it gets
 * an object of the type {@code gap} in its place. If presence is enabled, an object of
 * the type {@code presence} lists the names that have {@code joined} and {@code left}.
 *
 * @since 0.1.0
 */
public interface Topic {

	/** Maximum number of characters of a name. */
	int MAX_NAME_LENGTH = 255;

	/**
	 * Returns the name.
	 * @return the topic's name
	 */
	String name();

	/**
	 * Publishes a message without waiting for its delivery.
	 * @param message a text, or anything to be written as JSON that has no property
	 * {@code topic} or {@code at}: at most 10,000,000 characters without half of a
	 * surrogate pair, and at most 500 levels of arrays and objects in the frame, numbers
	 * of 1,000 and names of 50,000 characters
	 * @return ends when the bus has accepted the message, with its position. Fails with
	 * {@link IllegalArgumentException} if the message exceeds one of these limits, and
	 * with {@link BusUnavailableException} if the bus has not accepted it, or may not
	 * have. With the failure policy {@code local}, the message is then sent to the
	 * members on this node only, and the future ends without a position
	 */
	CompletableFuture<@Nullable String> publish(Object message);

	/**
	 * Publishes a message and requests the outcome from all nodes with members.
	 * @param message as for {@link #publish}
	 * @return ends when the message was sent or has failed for all members
	 */
	CompletableFuture<Delivery> post(Object message);

	/**
	 * Adds a session of this node, until it {@linkplain #leave leaves} or ends. The
	 * session receives messages published from now on.
	 * @param session an open session of this node
	 * @return ends when it is a member, with the position of the latest message published
	 * before, or of the start of the topic; fails with {@link TooManyTopicsException} if
	 * the session has joined its maximum number of topics
	 */
	CompletableFuture<@Nullable String> join(ManagedSession session);

	/**
	 * Removes a session.
	 * @param session a session of this node
	 * @return ends when no further message is sent to it, with whether it was a member
	 */
	CompletableFuture<Boolean> leave(ManagedSession session);

	/**
	 * Finds the members on all nodes.
	 * @return the sessions
	 */
	CompletableFuture<FoundSessions> members();

	/**
	 * Finds the principals that are present on all nodes. A principal is present from the
	 * moment when the first of its sessions joins until the last has left, or has ended
	 * for the leave delay.
	 * @return the principals; fails with {@link IllegalStateException} if presence is not
	 * enabled for this topic
	 */
	CompletableFuture<TopicPresence> presence();

	/**
	 * Reads the latest messages.
	 * @param most the maximum number
	 * @return messages, the oldest first; no more than the history keeps
	 */
	CompletableFuture<List<TopicMessage>> history(int most);

}
