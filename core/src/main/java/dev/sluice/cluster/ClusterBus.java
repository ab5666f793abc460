package dev.sluice.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Connection of one node to the other nodes of its application. {@code sluice-test} has
 * the contract that every bus must keep, as JUnit tests.
 * <p>
 * Methods never wait, and every future ends: within the bus's time-out, at the latest,
 * with a {@link BusUnavailableException} that tells whether something may have been done.
 * What a node sends to another arrives in order or not at all; a node to which something
 * may not have arrived is {@linkplain BusListener#interrupted() told}, as soon as it can
 * be reached.
 *
 * @since 0.1.0
 */
public interface ClusterBus extends AutoCloseable {

	/**
	 * Returns the name of this node: random, another one after each start, of letters and
	 * digits.
	 * @return the name
	 */
	String node();

	/**
	 * Returns the nodes that are known to live, this one included once it has started.
	 * One that has ended without telling so is missing as soon as its lease is over.
	 * @return the names of the nodes
	 */
	Set<String> nodes();

	/**
	 * Begins to take messages; called once, before all that follows.
	 * @param listener takes them
	 */
	void start(BusListener listener);

	/**
	 * Sends a message to one node.
	 * @param node the node's name; may be that of this node
	 * @param frame the message
	 * @return ends when it is handed over, which is no promise that the node lives:
	 * {@code false} if it is known that nobody has got it, so that no answer can come
	 */
	CompletableFuture<Boolean> send(String node, String frame);

	/**
	 * Sends a message to all nodes, this one included.
	 * @param frame the message
	 * @return the nodes to which it was handed over
	 */
	CompletableFuture<Set<String>> broadcast(String frame);

	/**
	 * Makes this node interested in a name: what is sent to it and published under it
	 * from the moment of the answer reaches the node.
	 * <p>
	 * The bus knows that position for as long as a node is interested, and for at least
	 * an hour after the last one has left, whatever the age of the history.
	 * @param name the name
	 * @return the position of the latest message published before, or the start of the
	 * name, which is a position with the number 0; the start has another id whenever the
	 * bus did not know the name
	 */
	CompletableFuture<@Nullable Position> join(String name);

	/**
	 * Gives this node places of a name, in place of those that it had, if the nodes that
	 * live have no more than so many together; a node that has {@linkplain #join joined}
	 * has one otherwise. Who gets places has joined; who {@linkplain #leave leaves} gives
	 * them back. Of a node that was lost and comes back the bus may know of one place
	 * only when it {@linkplain BusListener#interrupted() is told}.
	 * @param name the name
	 * @param places the node's places, at least one
	 * @param most how many there are; {@link Integer#MAX_VALUE} takes them anyhow
	 * @return whether there was room; nothing is changed otherwise. Unless overridden,
	 * the places of other nodes do not count
	 */
	default CompletableFuture<Boolean> occupy(String name, int places, int most) {
		return (places > most) ? CompletableFuture.completedFuture(false) : join(name).thenApply((joined) -> true);
	}

	/**
	 * Ends this node's interest in a name.
	 * @param name the name
	 * @return ends when nothing more is handed over
	 */
	CompletableFuture<@Nullable Void> leave(String name);

	/**
	 * Sends a message to the nodes that are interested in a name.
	 * @param name the name
	 * @param frame the message
	 * @return the nodes to which it was handed over
	 */
	CompletableFuture<Set<String>> route(String name, String frame);

	/**
	 * Publishes a message under a name: behind all that was published before, in the same
	 * order for all nodes.
	 * @param publication the message
	 * @return its position, and who gets it
	 */
	CompletableFuture<Published> publish(Publication publication);

	/**
	 * Reads what is left of what was published under a name.
	 * @param name the name
	 * @param known the position from which on it is wanted, that message included; where
	 * it is not in the history, or {@code null}, the whole history is returned
	 * @return the history
	 */
	CompletableFuture<TopicHistory> read(String name, @Nullable Position known);

	/**
	 * Reads a part of what is left of what was published under a name.
	 * @param name the name
	 * @param known the position from which on it is wanted, that message included; where
	 * it is not in the history, or {@code null}, the oldest are returned
	 * @param most how many messages are wanted besides that at {@code known}, at least
	 * one
	 * @return the part; where there is more, its last is not that at the top. Unless
	 * overridden, all is read and the rest left out
	 */
	default CompletableFuture<TopicHistory> read(String name, @Nullable Position known, int most) {
		return read(name, known).thenApply((history) -> history.first(known, most));
	}

	/**
	 * Notes that a member of a name is present at this node. If it was present at no
	 * node, a message is published in the same step. It stays present until it
	 * {@linkplain #exit exits}, even when the node dies.
	 * @param member the member, any text
	 * @param arrival the message, under the name
	 * @return what was published, or {@code null} if the member was present already;
	 * fails with {@link UnsupportedOperationException} if the bus does not know who is
	 * present, as it does unless overridden
	 */
	default CompletableFuture<@Nullable Published> enter(String member, Publication arrival) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("This bus knows of nobody's presence"));
	}

	/**
	 * Notes that a member of a name is not present at a node any more. If it was, and is
	 * at no other, a message is published in the same step. Nothing is done for another
	 * node whose lease goes on, though this node may not have heard so yet.
	 * @param node the name of this node, or of one that has died
	 * @param member the member
	 * @param departure the message, under the name
	 * @return what was published, or {@code null} if the member is still present, or was
	 * not; fails as {@link #enter} does
	 */
	default CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("This bus knows of nobody's presence"));
	}

	/**
	 * Returns the members of a name that are present.
	 * @param name the name
	 * @return the nodes of each, of which some may have died; fails as {@link #enter}
	 * does
	 */
	default CompletableFuture<Map<String, Set<String>>> present(String name) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("This bus knows of nobody's presence"));
	}

	/**
	 * Keeps what is known of a session, in place of what is kept of it, unless the
	 * session has been claimed since, which a higher incarnation tells.
	 * @param record what is to be kept
	 * @param time how long it is kept, unless it is kept anew
	 * @return whether it is kept; fails with {@link UnsupportedOperationException} if the
	 * bus keeps nothing of sessions, as it does unless overridden
	 */
	default CompletableFuture<Boolean> keep(SessionRecord record, Duration time) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("This bus keeps no sessions"));
	}

	/**
	 * Claims a session for this node, if the secret is one of the record's and the owner
	 * is the same: in one step, the record names this node, has the next incarnation, and
	 * the two secrets of the claim, and is kept for a time.
	 * @param claim what is claimed
	 * @param time how long the record is kept, unless it is kept anew
	 * @return the record as it was before, or {@code null} if there is none for such a
	 * claim; fails as {@link #keep} does
	 */
	default CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim, Duration time) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("This bus keeps no sessions"));
	}

	/**
	 * Keeps nothing more of a session, unless it has been claimed since.
	 * @param key the key of the session
	 * @param incarnation the latest incarnation that this node knows of
	 * @return ends when nothing is kept; fails as {@link #keep} does
	 */
	default CompletableFuture<@Nullable Void> forget(String key, long incarnation) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("This bus keeps no sessions"));
	}

	/**
	 * Returns whether this node hears the others, as far as the bus has found out by
	 * itself.
	 * @return the state, {@link BusState#UP} unless overridden
	 */
	default BusState state() {
		return BusState.UP;
	}

	/** Leaves the other nodes, which know at once. Takes no more messages. */
	@Override
	void close();

}
