package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.TopicSnapshot;
import dev.sluice.cluster.internal.feed.CatchUps;
import dev.sluice.cluster.internal.feed.TopicBacklog;
import dev.sluice.cluster.internal.feed.TopicFeed;
import dev.sluice.cluster.internal.feed.TopicStream;
import dev.sluice.execution.Level;
import dev.sluice.execution.QueueSnapshot;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.outbound.DroppableStream;
import dev.sluice.websocket.outbound.RecoverableStreams;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SharedSends;
import org.jspecify.annotations.Nullable;

/** The members of a topic on this node; used in the topic's turn only. */
final class LocalTopic {

	/*
	 * If the send buffer of a member's session is full and drops a message of the topic
	 * (drop-oldest), the member's stream sends a gap in its place. If a message is
	 * missing for another reason, the member is notified of the gap before the next
	 * message. The outcome of a send may arrive on any thread, so only the outcome is
	 * written outside of the turn; the number of members may be read outside of it.
	 *
	 * Attacked by TopicTests, ClusterHistoryTests and DroppedHistoryTests.
	 */

	private final String name;

	private final TopicFeed feed;

	private final TopicPayload payloads;

	private final SharedSends sends;

	private final ReceiptBook receipts;

	private final ClusterObserver observer;

	private final Map<OrderedWebSocketSession, Member> members = new ConcurrentHashMap<>();

	private final CatchUps catchUps;

	private boolean joined;

	/**
	 * Creates a topic without members.
	 * @param catchUp called when members can be sent missed messages
	 */
	LocalTopic(String name, TopicFeed feed, TopicPayload payloads, SharedSends sends, ReceiptBook receipts,
			ClusterObserver observer, Consumer<LocalTopic> catchUp) {
		this.name = name;
		this.feed = feed;
		this.payloads = payloads;
		this.sends = sends;
		this.receipts = receipts;
		this.observer = observer;
		this.catchUps = new CatchUps(feed, new MemberFrames(), sends, () -> catchUp.accept(this));
	}

	String name() {
		return this.name;
	}

	TopicFeed feed() {
		return this.feed;
	}

	/** Returns the members that have fallen behind. */
	CatchUps catchUps() {
		return this.catchUps;
	}

	/**
	 * Describes the topic.
	 * @param queue the state of its queue, if it has one
	 */
	TopicSnapshot snapshot(Optional<QueueSnapshot> queue) {
		Position at = this.feed.last();
		return new TopicSnapshot(this.name, size(), queue.map(QueueSnapshot::waiting).orElse(0),
				queue.map(QueueSnapshot::oldestWait).orElse(Duration.ZERO), (at != null) ? at.toString() : null);
	}

	/** Called when the bus may have registered this node for the topic. */
	void joining() {
		this.joined = true;
	}

	boolean isJoined() {
		return this.joined;
	}

	/**
	 * Adds a member; returns whether it is new. A member that may resume receives its
	 * position.
	 */
	boolean add(OrderedWebSocketSession session, @Nullable String principal) {
		Member member = new Member(principal);
		boolean added = this.members.putIfAbsent(session, member) == null;
		if (added) {
			begin(member, session);
		}
		if (added && session.outbound().isNumbered()) {
			session.outbound().send(this.payloads.joined(this.name, this.feed.last()), Level.NORMAL);
		}
		return added;
	}

	/**
	 * If messages of a member may be dropped, a stream of its own sends its messages.
	 */
	private void begin(Member member, OrderedWebSocketSession session) {
		RecoverableStreams streams = session.outbound().streams();
		if (streams != null) {
			member.stream = new TopicStream(session, streams, this.feed.last(), this.catchUps::ready);
		}
		member.droppable = session.outbound().droppable();
	}

	/** Adds a member that receives no messages until the missed messages were sent. */
	boolean addReplaying(OrderedWebSocketSession session, @Nullable String principal) {
		Member member = new Member(principal);
		member.replaying = true;
		return this.members.put(session, member) == null;
	}

	/** Returns whether a member is being sent missed messages. */
	boolean isReplaying(OrderedWebSocketSession session) {
		Member member = this.members.get(session);
		return member != null && member.replaying;
	}

	/** Lets a member receive new messages once the missed messages were sent. */
	void replayed(OrderedWebSocketSession session, boolean gap) {
		Member member = this.members.get(session);
		if (member != null && member.replaying) {
			member.replaying = false;
			begin(member, session);
			if (gap) {
				tellGap(List.of(session), this.feed.last());
			}
		}
	}

	/** Sends a missed message to one member. */
	CompletableFuture<@Nullable Void> repeat(OrderedWebSocketSession session, TopicEntry entry) {
		return session.outbound().send(messageOrGap(entry), Level.NORMAL);
	}

	/** An entry that cannot be read does not keep later entries from members. */
	private WrittenMessage messageOrGap(TopicEntry entry) {
		WrittenMessage message = this.payloads.message(this.name, entry.payload(), entry.at());
		return (message != null) ? message : this.payloads.gap(this.name, entry.at());
	}

	private List<Map.Entry<OrderedWebSocketSession, Member>> listening() {
		return this.members.entrySet().stream().filter((one) -> !one.getValue().replaying).toList();
	}

	/** Returns the principal of a member when it joined. */
	@Nullable String principalOf(OrderedWebSocketSession session) {
		Member member = this.members.get(session);
		return (member != null) ? member.principal : null;
	}

	/** Removes a member; returns whether it was one. */
	boolean remove(OrderedWebSocketSession session) {
		Member removed = this.members.remove(session);
		if (removed != null && removed.stream != null) {
			removed.stream.end();
		}
		return removed != null;
	}

	boolean isEmpty() {
		return this.members.isEmpty();
	}

	int size() {
		return this.members.size();
	}

	/** Sends the messages read from the history to all members. */
	void deliver(TopicFeed.Healed healed) {
		if (healed.gap()) {
			this.members.values().forEach((member) -> member.missed = false);
			tellGap(listening().stream().map(Map.Entry::getKey).toList(), healed.before());
		}
		Position before = healed.before();
		for (TopicEntry entry : healed.entries()) {
			send(List.of(new Sending(entry.payload(), entry.at(), before)));
			before = entry.at();
		}
	}

	/** Sends a message without a position to all members. */
	void deliverHere(String payload) {
		send(List.of(new Sending(payload, null, this.feed.last())));
	}

	/**
	 * Sends messages that have arrived, as long as each follows the previous one.
	 * @return the first that does not follow, {@code null} if all do
	 */
	TopicBacklog.@Nullable Message take(Iterator<TopicBacklog.Message> messages) {
		joining();
		List<Sending> sendings = new ArrayList<>();
		try {
			while (messages.hasNext()) {
				TopicBacklog.Message next = messages.next();
				TopicEntry entry = next.entry();
				TopicFeed.Step step = isEmpty() ? TopicFeed.Step.DROP : this.feed.next(entry.at(), next.before());
				if (step == TopicFeed.Step.READ) {
					return next;
				}
				if (step == TopicFeed.Step.DELIVER) {
					sendings.add(new Sending(entry.payload(), entry.at(), next.before()));
				}
			}
			return null;
		}
		finally {
			send(sendings);
		}
	}

	/**
	 * Sends messages, all to one member before the next, because messages sent together
	 * cost a member and the network less.
	 */
	private void send(List<Sending> sendings) {
		List<Map.Entry<OrderedWebSocketSession, Member>> chosen = listening();
		sendings.forEach((sending) -> sending.expect(chosen.size()));
		try {
			for (Map.Entry<OrderedWebSocketSession, Member> one : chosen) {
				for (Sending sending : sendings) {
					if (one.getValue().isGapDue()) {
						one.getValue().missed = false;
						tellGap(List.of(one.getKey()), sending.before);
					}
					sending.send(one.getKey(), one.getValue());
				}
			}
		}
		finally {
			sendings.forEach(Sending::end);
		}
	}

	private Supplier<WrittenMessage> gapAt(@Nullable Position at) {
		return () -> this.payloads.gap(this.name, at);
	}

	/**
	 * Notifies members of a gap.
	 * @param at the position of the latest message that may be missing
	 */
	private void tellGap(List<OrderedWebSocketSession> to, @Nullable Position at) {
		WrittenMessage gap = this.payloads.gap(this.name, at);
		this.sends.send(to, gap, (session) -> {
			Member member = this.members.get(session);
			return (member != null) ? member.sendGap(session, gap, at)
					: session.outbound().sendShared(gap, Level.NORMAL);
		}, this::missedIfFailed);
	}

	/** A member that did not get a message or a gap is sent a gap before the next. */
	private void missedIfFailed(OrderedWebSocketSession session, @Nullable Throwable failure) {
		Member member = (failure != null && session.isOpen()) ? this.members.get(session) : null;
		if (failure != null && member != null && !member.tellsGapAfter(failure)) {
			member.missed = true;
		}
	}

	/** State of a member. */
	private static final class Member {

		private final @Nullable String principal;

		private volatile boolean missed;

		private boolean replaying;

		/** Present if the session may fall behind, once it is sent new messages. */
		private volatile @Nullable TopicStream stream;

		/** Present if a full buffer drops messages, once it is sent new messages. */
		private volatile @Nullable DroppableStream droppable;

		Member(@Nullable String principal) {
			this.principal = principal;
		}

		boolean isGapDue() {
			TopicStream present = this.stream;
			return (present != null) ? present.isGapDue() : this.missed;
		}

		/** Returns whether a stream sends a gap for a message that has failed. */
		boolean tellsGapAfter(Throwable failure) {
			return this.stream != null
					|| this.droppable != null && Tally.reason(failure) instanceof TaskDroppedException;
		}

		CompletableFuture<@Nullable Void> sendGap(OrderedWebSocketSession session, WrittenMessage gap,
				@Nullable Position at) {
			TopicStream present = this.stream;
			DroppableStream dropping = this.droppable;
			if (present != null) {
				return present.sendGap(gap, at);
			}
			return (dropping != null) ? dropping.sendGap(() -> gap) : session.outbound().sendShared(gap, Level.NORMAL);
		}

	}

	/** A message that is being sent to members. */
	private final class Sending {

		private final @Nullable Position at;

		/** The position that the message follows. */
		private final @Nullable Position before;

		private final boolean told;

		private final WrittenMessage written;

		/** Creates the gap in place of the message. */
		private final Supplier<WrittenMessage> gap;

		/** Whether the message can be read; members are sent a gap otherwise. */
		private final boolean readable;

		private final ObservedExchange observed;

		private final SharedSends.Sending shared;

		private final Tally tally = new Tally();

		private ReceiptBook.@Nullable Receipt receipt;

		private Sending(String payload, @Nullable Position at, @Nullable Position before) {
			this.at = at;
			this.before = before;
			this.told = TopicPayload.isTold(payload);
			WrittenMessage message = LocalTopic.this.payloads.message(LocalTopic.this.name, payload, at);
			this.readable = message != null;
			this.gap = gapAt(at);
			this.written = (message != null) ? message : this.gap.get();
			this.observed = LocalTopic.this.observer.receiving(this.told ? DefaultTopic.POST : DefaultTopic.PUBLISH,
					LocalTopic.this.name, TopicPayload.headers(payload));
			this.shared = LocalTopic.this.sends.begin(this.written, this::sent);
		}

		private void sent(OrderedWebSocketSession session, @Nullable Throwable failure) {
			if (failure == null && !this.readable) {
				this.tally.addLost();
			}
			else {
				this.tally.add(failure);
			}
			missedIfFailed(session, failure);
		}

		private void expect(int members) {
			this.receipt = (this.at != null && this.told) ? LocalTopic.this.receipts.begin(this.at, members) : null;
		}

		private void send(OrderedWebSocketSession session, Member member) {
			ObservedMessage.Scope scope = this.observed.open();
			try {
				this.shared.add(session, sendTo(session, member.stream, member.droppable));
			}
			catch (Throwable ex) {
				this.shared.add(session, CompletableFuture.failedFuture(ex));
				FatalErrors.passOn(ex);
			}
			finally {
				scope.close();
			}
		}

		private CompletableFuture<@Nullable Void> sendTo(OrderedWebSocketSession session, @Nullable TopicStream stream,
				@Nullable DroppableStream droppable) {
			if (stream != null) {
				return stream.send(this.written, this.at);
			}
			return (droppable != null) ? droppable.send(this.written, this.gap)
					: session.outbound().sendShared(this.written, Level.NORMAL);
		}

		private void end() {
			this.shared.end().whenComplete((nothing, failure) -> {
				if (this.receipt != null) {
					this.receipt.end(this.tally);
				}
				this.observed.ended(null);
			});
		}

	}

	/** Frames for members that have fallen behind. */
	private final class MemberFrames implements CatchUps.Frames {

		@Override
		public WrittenMessage message(TopicEntry entry) {
			return messageOrGap(entry);
		}

		@Override
		public WrittenMessage gap(@Nullable Position at) {
			return LocalTopic.this.payloads.gap(LocalTopic.this.name, at);
		}

	}

}
