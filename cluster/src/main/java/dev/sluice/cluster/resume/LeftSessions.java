package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.SessionRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that this node had when it stopped, for other nodes: in the bus, and here for
 * nodes that have claimed one of them at that moment.
 */
final class LeftSessions {

	/*
	 * A session is put here before its record is sent to the bus, so a node that claims
	 * it finds its content in one of the two. Attacked by ResumePlacesTests and
	 * ShutdownTests.
	 */

	private final ConcurrentMap<String, Left> sessions = new ConcurrentHashMap<>();

	private final ClusterBus bus;

	LeftSessions(ClusterBus bus) {
		this.bus = bus;
	}

	/**
	 * Keeps the content of a session.
	 * @return ends when the content is kept, or when a node that has claimed the session
	 * was sent an answer
	 */
	CompletableFuture<@Nullable Void> leave(SessionRecord record, Duration time) {
		Left left = new Left(record.content(), new CompletableFuture<>());
		this.sessions.put(record.key(), left);
		return this.bus.keep(record, time)
			.thenCompose((latest) -> latest ? CompletableFuture.completedFuture(null) : left.answered());
	}

	/** Returns the content of a session, or an empty text if it has none. */
	String content(String key) {
		Left left = this.sessions.get(key);
		return (left != null) ? left.content() : HandOverRequests.NOTHING;
	}

	/** Called when the claimant has been sent an answer. */
	void answered(String key) {
		Left left = this.sessions.get(key);
		if (left != null) {
			left.answered().complete(null);
		}
	}

	private record Left(String content, CompletableFuture<@Nullable Void> answered) {
	}

}
