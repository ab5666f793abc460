package dev.sluice.cluster.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.FoundSessions;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.TopicMessage;
import dev.sluice.cluster.TopicPresence;
import dev.sluice.cluster.internal.feed.ByTopic;
import dev.sluice.cluster.internal.feed.RepeatedPublication;
import dev.sluice.cluster.internal.feed.Replay;
import dev.sluice.cluster.internal.presence.LocalPresence;
import dev.sluice.cluster.resume.ResumableSessions;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/** A topic, in the form for applications. */
final class DefaultTopic implements Topic {

	/** Action, in observations, of a publication that awaits no receipts. */
	static final String PUBLISH = "publish";

	/** Action, in observations, of a publication that awaits receipts. */
	static final String POST = "post";

	private final String name;

	private final SessionCluster cluster;

	private final TopicParts parts;

	DefaultTopic(String name, SessionCluster cluster, TopicParts parts) {
		this.name = name;
		this.cluster = cluster;
		this.parts = parts;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public CompletableFuture<@Nullable String> publish(Object message) {
		Assert.notNull(message, "'message' must not be null");
		ObservedExchange observed = this.parts.observer().sending(PUBLISH, this.name);
		CompletableFuture<@Nullable String> outcome = publish(message, observed.headers());
		if (observed != ObservedExchange.NONE) {
			outcome.whenComplete((at, failure) -> observed.ended(failure));
		}
		return outcome;
	}

	private CompletableFuture<@Nullable String> publish(Object message, Map<String, String> headers) {
		Publication publication;
		try {
			publication = publication(this.parts.requests().nextNumber(), message, false, headers);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
		CompletableFuture<@Nullable String> outcome = RepeatedPublication.publish(this.parts.bus(), publication)
			.thenApply((published) -> published.at().toString());
		return this.parts.publishedLocally()
				? outcome.exceptionallyCompose((failure) -> publishHere(publication, Tally.reason(failure))) : outcome;
	}

	/** Members receive the message once, even if it was published despite the failure. */
	private CompletableFuture<@Nullable String> publishHere(Publication publication, Throwable failure) {
		if (!(failure instanceof BusUnavailableException)) {
			return CompletableFuture.failedFuture(failure);
		}
		return this.parts.topics()
			.deliverHere(this.name, publication)
			.thenCompose((delivered) -> delivered ? CompletableFuture.completedFuture(null)
					: CompletableFuture.failedFuture(failure));
	}

	@Override
	public CompletableFuture<Delivery> post(Object message) {
		Assert.notNull(message, "'message' must not be null");
		OpenRequests requests = this.parts.requests();
		long number = requests.nextNumber();
		ObservedExchange observed = this.parts.observer().sending(POST, this.name);
		OpenRequest request = requests.open(number, null, this.name);
		request.observed(observed);
		if (request.future().isDone()) {
			return request.future().thenApply(Deliveries::of);
		}
		try {
			RepeatedPublication.publish(this.parts.bus(), publication(number, message, true, observed.headers()))
				.whenComplete((published, failure) -> {
					if (failure == null) {
						requests.addressed(request, published.nodes());
					}
					else {
						request.fail(Tally.reason(failure));
					}
				});
		}
		catch (Throwable ex) {
			request.fail(ex);
		}
		return request.future().thenApply(Deliveries::of);
	}

	private Publication publication(long number, Object message, boolean told, Map<String, String> headers) {
		return new Publication(LocalTopics.PREFIX + this.name, ReceiptBook.messageId(this.parts.bus().node(), number),
				this.parts.payloads().write(message, told, headers), this.parts.histories().of(this.name), false);
	}

	/** A failure is logged, as the session would receive nothing without a word. */
	@Override
	public CompletableFuture<@Nullable String> join(ManagedSession session) {
		CompletableFuture<@Nullable String> joined = add(session);
		joined.whenComplete((at, failure) -> {
			Throwable reason = (failure != null) ? Tally.reason(failure) : null;
			if (reason != null && !(reason instanceof SessionClosedException)) {
				this.parts.failures().warn(this.name, reason);
			}
		});
		return joined;
	}

	private CompletableFuture<@Nullable String> add(ManagedSession session) {
		Assert.notNull(session, "'session' must not be null");
		try {
			OrderedWebSocketSession joining = this.parts.sessions().require(session);
			this.parts.presence().check(this.name, LocalSessions.principal(joining));
			SessionTopics joined = this.parts.sessions().topicsOf(joining, this.parts.topics()::forget);
			long addition = joined.add(this.name);
			return this.parts.topics().join(this.name, joining).whenComplete((top, failure) -> {
				if (failure != null) {
					joined.remove(this.name, addition);
				}
				else if (addition > 0 && joined.contains(this.name)) {
					this.parts.resumes().joined(joining, this.name, Replay.text(top));
					if (!joined.contains(this.name)) { // it was left just then
						this.parts.resumes().left(joining, this.name);
					}
				}
			}).thenApply((top) -> (top != null) ? top.toString() : null);
		}
		catch (SessionClosedException | RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public CompletableFuture<Boolean> leave(ManagedSession session) {
		Assert.notNull(session, "'session' must not be null");
		try {
			OrderedWebSocketSession leaving = this.parts.sessions().require(session);
			this.parts.sessions().topicsOf(leaving, this.parts.topics()::forget).remove(this.name);
			this.parts.resumes().left(leaving, this.name);
			return this.parts.topics().leave(this.name, leaving);
		}
		catch (SessionClosedException ex) {
			return CompletableFuture.completedFuture(false);
		}
	}

	@Override
	public CompletableFuture<FoundSessions> members() {
		return this.cluster.find(SessionQuery.inTopic(this.name));
	}

	@Override
	public CompletableFuture<TopicPresence> presence() {
		return this.parts.presence().find(this.name);
	}

	@Override
	public CompletableFuture<List<TopicMessage>> history(int most) {
		Assert.isTrue(most >= 0, () -> "'most' must not be negative: " + most);
		return this.parts.bus().read(LocalTopics.PREFIX + this.name, null).thenApply((history) -> {
			List<TopicEntry> entries = history.entries();
			return entries.subList(Math.max(0, entries.size() - most), entries.size())
				.stream()
				.map((entry) -> new TopicMessage(entry.at().toString(),
						this.parts.payloads().frame(this.name, entry.payload(), entry.at())))
				.toList();
		});
	}

	/**
	 * Collaborators that all topics share.
	 *
	 * @param bus publishes
	 * @param requests wait for receipts
	 * @param sessions of this node
	 * @param topics with members on this node
	 * @param presence the presence of principals
	 * @param payloads writes messages
	 * @param histories bounds of the histories
	 * @param resumes the sessions that may be resumed
	 * @param observer observes publications
	 * @param publishedLocally whether publications are sent to the members on this node
	 * while the bus is unavailable
	 * @param failures logs the sessions that do not become members
	 */
	record TopicParts(ClusterBus bus, OpenRequests requests, LocalSessions sessions, LocalTopics topics,
			LocalPresence presence, TopicPayload payloads, ByTopic<HistoryLimits> histories, ResumableSessions resumes,
			ClusterObserver observer, boolean publishedLocally, BoundedLog failures) {
	}

	/** Creates the log of the sessions that do not become members. */
	static BoundedLog failures(NanoClock clock) {
		return new BoundedLog(LogFactory.getLog(DefaultTopic.class), clock,
				"A session did not become a member of a topic, and receives no messages of it");
	}

	/** Creates the log of topics whose names look like patterns. */
	static BoundedLog patternNames(NanoClock clock) {
		return new BoundedLog(LogFactory.getLog(DefaultTopic.class), clock,
				"A topic has a variable or a star in its name, which has no meaning there: it is the topic of exactly "
						+ "this name");
	}

}
