package dev.sluice.websocket.cluster.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.cluster.Position;
import dev.sluice.cluster.TopicEntry;
import dev.sluice.execution.Level;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.cluster.ClusterObserver;
import dev.sluice.websocket.cluster.ObservedExchange;
import dev.sluice.websocket.cluster.internal.feed.TopicFeed;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SharedSends;
import org.jspecify.annotations.Nullable;

/** A topic as this node has it; used in the topic's turn only. */
final class LocalTopic {

	/*
	 * A member whose session drops a message of the topic, as its buffer is full and may
	 * drop the oldest, is told of the gap before the next message. The outcome of a
	 * sending comes on any thread, so that alone is written outside of the turn; and how
	 * many members there are may be read outside of it.
	 *
	 * Attacked by TopicTests and ClusterHistoryTests.
	 */

	private final String name;

	private final TopicFeed feed;

	private final TopicPayload payloads;

	private final SharedSends sends;

	private final ReceiptBook receipts;

	private final ClusterObserver observer;

	private final Map<OrderedWebSocketSession, Member> members = new ConcurrentHashMap<>();

	private boolean joined;

	LocalTopic(String name, TopicFeed feed, TopicPayload payloads, SharedSends sends, ReceiptBook receipts,
			ClusterObserver observer) {
		this.name = name;
		this.feed = feed;
		this.payloads = payloads;
		this.sends = sends;
		this.receipts = receipts;
		this.observer = observer;
	}

	String name() {
		return this.name;
	}

	TopicFeed feed() {
		return this.feed;
	}

	/** The bus may think that this node is interested. */
	void joining() {
		this.joined = true;
	}

	boolean isJoined() {
		return this.joined;
	}

	/** Adds a member; returns whether it is new. One that may resume is told. */
	boolean add(OrderedWebSocketSession session, @Nullable String principal) {
		boolean added = this.members.putIfAbsent(session, new Member(principal)) == null;
		if (added && session.outbound().isNumbered()) {
			session.outbound().send(this.payloads.joined(this.name, this.feed.last()), Level.NORMAL);
		}
		return added;
	}

	/** Adds a member that gets nothing until it has what it has missed. */
	boolean addReplaying(OrderedWebSocketSession session, @Nullable String principal) {
		Member member = new Member(principal);
		member.replaying = true;
		return this.members.put(session, member) == null;
	}

	/** Returns whether a member gets what it has missed. */
	boolean isReplaying(OrderedWebSocketSession session) {
		Member member = this.members.get(session);
		return member != null && member.replaying;
	}

	/** Lets a member that has what it has missed get what is new. */
	void replayed(OrderedWebSocketSession session, boolean gap) {
		Member member = this.members.get(session);
		if (member != null) {
			member.replaying = false;
			if (gap) {
				tellGap(List.of(session), this.feed.last());
			}
		}
	}

	/** Sends one member what it has missed. */
	CompletableFuture<@Nullable Void> repeat(OrderedWebSocketSession session, TopicEntry entry) {
		return session.outbound().send(this.payloads.message(this.name, entry.payload(), entry.at()), Level.NORMAL);
	}

	private List<OrderedWebSocketSession> listening() {
		return this.members.entrySet()
			.stream()
			.filter((one) -> !one.getValue().replaying)
			.map(Map.Entry::getKey)
			.toList();
	}

	/** Returns who a member was when it joined. */
	@Nullable String principalOf(OrderedWebSocketSession session) {
		Member member = this.members.get(session);
		return (member != null) ? member.principal : null;
	}

	/** Removes a member; returns whether it was one. */
	boolean remove(OrderedWebSocketSession session) {
		return this.members.remove(session) != null;
	}

	boolean isEmpty() {
		return this.members.isEmpty();
	}

	int size() {
		return this.members.size();
	}

	/** Sends to all members what was read anew. */
	void deliver(TopicFeed.Healed healed) {
		if (healed.gap()) {
			Position at = healed.entries().isEmpty() ? this.feed.last() : healed.entries().get(0).at();
			tellGap(listening(), at);
			this.members.values().forEach((member) -> member.missed = false);
		}
		healed.entries().forEach(this::deliver);
	}

	/** Sends a message to all members. */
	void deliver(TopicEntry entry) {
		deliver(entry.payload(), entry.at());
	}

	/** Sends a message to all members that has no position. */
	void deliverHere(String payload) {
		deliver(payload, null);
	}

	private void deliver(String payload, @Nullable Position at) {
		tellMissed(at);
		ObservedExchange observed = this.observer.receiving(
				TopicPayload.isTold(payload) ? DefaultTopic.POST : DefaultTopic.PUBLISH, this.name,
				TopicPayload.headers(payload));
		ObservedMessage.Scope scope = observed.open();
		try {
			send(payload, at, observed);
		}
		finally {
			scope.close();
		}
	}

	private void send(String payload, @Nullable Position at, ObservedExchange observed) {
		WrittenMessage written = this.payloads.message(this.name, payload, at);
		List<OrderedWebSocketSession> chosen = listening();
		Tally tally = new Tally();
		ReceiptBook.Receipt receipt = (at != null && TopicPayload.isTold(payload))
				? this.receipts.begin(at, chosen.size()) : null;
		this.sends.send(chosen, written, Level.NORMAL, (session, failure) -> {
			tally.add(failure);
			Member member = (failure != null && session.isOpen()) ? this.members.get(session) : null;
			if (member != null) {
				member.missed = true;
			}
		}).whenComplete((nothing, failure) -> {
			if (receipt != null) {
				receipt.end(tally.sent(), tally.failures());
			}
			observed.ended(null);
		});
	}

	private void tellMissed(@Nullable Position at) {
		List<OrderedWebSocketSession> missed = new ArrayList<>();
		Iterator<Map.Entry<OrderedWebSocketSession, Member>> all = this.members.entrySet().iterator();
		while (all.hasNext()) {
			Map.Entry<OrderedWebSocketSession, Member> one = all.next();
			if (one.getValue().missed) {
				one.getValue().missed = false;
				missed.add(one.getKey());
			}
		}
		if (!missed.isEmpty()) {
			tellGap(missed, at);
		}
	}

	private void tellGap(List<OrderedWebSocketSession> to, @Nullable Position at) {
		this.sends.send(to, this.payloads.gap(this.name, at), Level.NORMAL, (session, failure) -> {
		});
	}

	/** What is known of a member. */
	private static final class Member {

		private final @Nullable String principal;

		private volatile boolean missed;

		private boolean replaying;

		Member(@Nullable String principal) {
			this.principal = principal;
		}

	}

}
