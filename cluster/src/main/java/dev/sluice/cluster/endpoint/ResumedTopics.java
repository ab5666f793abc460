package dev.sluice.cluster.endpoint;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.cluster.resume.ResumeTopics;

/** Steps of the topics that a resumed session has joined. */
final class ResumedTopics {

	private ResumedTopics() {
	}

	/** Leaves the joined topics when the session, which is being rejected, ends. */
	static void giveUp(Map<String, CompletableFuture<ResumeTopics.Joined>> joining) {
		joining.values().forEach((topic) -> topic.thenAccept((joined) -> joined.start().begin()));
	}

	/** One topic after the other, so that they do not fill the send buffer together. */
	static void start(Iterator<ResumeTopics.Joined> topics) {
		while (topics.hasNext()) {
			CompletableFuture<?> sent = topics.next().start().begin();
			if (!sent.isDone()) {
				sent.whenComplete((nothing, failure) -> start(topics));
				return;
			}
		}
	}

}
