package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.SessionRecords;
import dev.sluice.cluster.resume.outbox.OutboxContents;
import org.jspecify.annotations.Nullable;

/**
 * Records of the sessions of this node in its bus. Records of a node that stops are also
 * kept here, for nodes that have claimed one of the sessions at that moment. A bus
 * without records has no resumable sessions, so that nothing is stored.
 */
final class StoredSessions {

	/*
	 * A session that is left is put here before its record is sent to the bus, so a node
	 * that claims it finds its content in one of the two. Attacked by ResumePlacesTests
	 * and ShutdownTests.
	 */

	/** Time for which records are kept of sessions whose node has gone silent. */
	private static final Duration KEPT = Duration.ofHours(1);

	private final ClusterBus bus;

	private final @Nullable SessionRecords records;

	private final ResumeSettings settings;

	private final ConcurrentMap<String, Left> left = new ConcurrentHashMap<>();

	StoredSessions(ClusterBus bus, ResumeSettings settings) {
		this.bus = bus;
		this.records = bus.records();
		this.settings = settings;
	}

	boolean isSupported() {
		return this.records != null;
	}

	private SessionRecords records() {
		return Objects.requireNonNull(this.records);
	}

	/** Stores the current record of a session, for as long as it may be resumed. */
	CompletableFuture<Boolean> keep(ResumableSession session) {
		return keep(session, (session.connection() != null || !session.isWaiting()) ? KEPT : this.settings.window());
	}

	/**
	 * Verifies that a claimed session has not been claimed again. Its record is stored if
	 * it differs from the record that the claim has stored.
	 * @param content the content of the record as claimed
	 */
	CompletableFuture<Boolean> verify(ResumableSession session, String content) {
		if (session.outbox().hasEnded() || !session.content(direct(session)).write().equals(content)) {
			return keep(session);
		}
		return records().isLatest(session.key(), session.incarnation())
			.thenCompose((latest) -> latest ? CompletableFuture.completedFuture(true) : keep(session));
	}

	private @Nullable OutboxContents direct(ResumableSession session) {
		return this.settings.writesThrough() ? session.outbox().contents() : null;
	}

	private CompletableFuture<Boolean> keep(ResumableSession session, Duration time) {
		return session.keep(this.bus.node(), () -> direct(session), (record) -> session.outbox().hasEnded()
				? CompletableFuture.completedFuture(false) : records().keep(record, time));
	}

	/**
	 * Stores the record of a session that has lost its connection, unless it was claimed
	 * or left since.
	 */
	void keepSuspended(ResumableSession session, long incarnation) {
		session.keep(this.bus.node(), () -> direct(session),
				(record) -> (session.outbox().hasEnded() || record.incarnation() != incarnation)
						? CompletableFuture.completedFuture(false) : keep(record));
	}

	private CompletableFuture<Boolean> keep(SessionRecord record) {
		return records().keep(record, this.settings.window());
	}

	CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim) {
		return records().claim(claim, KEPT);
	}

	void forget(String key, long incarnation) {
		records().forget(key, incarnation);
	}

	/**
	 * Keeps the content of a session.
	 * @return ends when the content is kept, or when a node that has claimed the session
	 * was sent an answer
	 */
	CompletableFuture<@Nullable Void> leave(SessionRecord record) {
		Left left = new Left(record.content(), new CompletableFuture<>());
		this.left.put(record.key(), left);
		return keep(record).thenCompose((latest) -> latest ? CompletableFuture.completedFuture(null) : left.answered());
	}

	/** Returns the content of a session that was left, or an empty text. */
	String contentOfLeft(String key) {
		Left left = this.left.get(key);
		return (left != null) ? left.content() : HandOverRequests.NOTHING;
	}

	/** Called when the claimant of a session that was left has been sent an answer. */
	void answered(String key) {
		Left left = this.left.get(key);
		if (left != null) {
			left.answered().complete(null);
		}
	}

	private record Left(String content, CompletableFuture<@Nullable Void> answered) {
	}

}
