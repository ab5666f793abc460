package dev.sluice.bus;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Registry of the members that are present under the names of a {@link ClusterBus}, on
 * all of its nodes. Its methods behave like those of the bus: they never block, and their
 * futures fail if the bus cannot be reached. {@code ClusterPresenceContract} in
 * {@code sluice-test} is its contract.
 *
 * @since 0.1.0
 */
public interface PresenceRegistry {

	/**
	 * Records that a member of a name is present at this node. If the member was present
	 * at no node, a message is published in the same step. The member stays present until
	 * it {@linkplain #exit exits}, even if the node dies.
	 * @param member the member, any text that UTF-8 can encode
	 * @param arrival the message, with the name under which it is published
	 * @return the published message, or {@code null} if the member was present already
	 */
	CompletableFuture<@Nullable Published> enter(String member, Publication arrival);

	/**
	 * Records that a member of a name is no longer present at a node. If the member was
	 * present there and is at no other node, a message is published in the same step. The
	 * call has no effect on another node whose lease is valid, even if this node
	 * considers it dead.
	 * @param node the name of this node, or of a dead node
	 * @param member the member
	 * @param departure the message, with the name under which it is published
	 * @return the published message, or {@code null} if the member is still present, or
	 * was not
	 */
	CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure);

	/**
	 * Returns the members of a name that are present.
	 * @param name the name
	 * @return the nodes by member; some of the nodes may be dead
	 */
	CompletableFuture<Map<String, Set<String>>> present(String name);

}
