package dev.sluice.bus;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Records of sessions that any node of a {@link ClusterBus} may resume. Its methods
 * behave like those of the bus: they never block, and their futures fail if the bus
 * cannot be reached. {@code ClusterRecordsContract} in {@code sluice-test} is their
 * contract.
 *
 * @since 0.1.0
 */
public interface SessionRecords {

	/**
	 * Stores the record of a session and replaces the stored one. If the stored record
	 * has a higher incarnation, the session was claimed in the meantime and the call has
	 * no effect.
	 * @param record the record to store
	 * @param time the time until the record expires, unless it is stored again
	 * @return whether the record was stored
	 */
	CompletableFuture<Boolean> keep(SessionRecord record, Duration time);

	/**
	 * Claims a session for this node, if the secret is one of the record's secrets and
	 * the owner is the same. In one step, the record gets the name of this node, the next
	 * incarnation, the two secrets of the claim and a new expiry time.
	 * @param claim the claim
	 * @param time the time until the record expires, unless it is stored again
	 * @return the record before the claim, or {@code null} if no record matches the claim
	 */
	CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim, Duration time);

	/**
	 * Returns whether the record of a session is stored with an incarnation, so that the
	 * session has not been claimed since.
	 * @param key the key of the session
	 * @param incarnation the latest incarnation known to this node
	 * @return {@code false} if the record has another incarnation, or does not exist
	 */
	CompletableFuture<Boolean> isLatest(String key, long incarnation);

	/**
	 * Removes the record of a session, unless the session was claimed in the meantime.
	 * @param key the key of the session
	 * @param incarnation the latest incarnation known to this node
	 * @return a future that completes when the record is removed
	 */
	CompletableFuture<@Nullable Void> forget(String key, long incarnation);

}
