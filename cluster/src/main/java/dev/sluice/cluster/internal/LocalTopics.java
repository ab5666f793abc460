package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import dev.sluice.cluster.TopicSnapshot;
import dev.sluice.cluster.internal.feed.CatchUpPages;
import dev.sluice.cluster.internal.feed.Replay;
import dev.sluice.cluster.internal.feed.TopicArrivals;
import dev.sluice.cluster.internal.feed.TopicBacklog;
import dev.sluice.cluster.internal.feed.TopicFeed;
import dev.sluice.cluster.internal.feed.TopicReplay;
import dev.sluice.cluster.internal.presence.LocalPresence;
import dev.sluice.cluster.resume.ResumeTopics;
import dev.sluice.cluster.resume.outbox.ResumeBudget;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

/** The topics that sessions of this node have joined. */
final class LocalTopics {

	/*
	 * All access to a topic happens in the turn of its queue: joining, leaving, messages,
	 * and reading the history. The turn is held while the bus answers, so that messages
	 * that arrive while a topic is joined or read wait behind it. Consecutive messages
	 * share one turn. If a message finds no room, the topic becomes unsure; the next task
	 * detects this, and a later read is scheduled in case no further message arrives.
	 *
	 * Attacked by TopicTests and ClusterHistoryTests.
	 */

	/** Prefix of the names of topics on the bus. */
	static final String PREFIX = "t:";

	private static final String QUEUE_PREFIX = "topic:";

	private final ClusterBus bus;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final Duration retry;

	private final BiFunction<String, Consumer<LocalTopic>, LocalTopic> factory;

	private final LocalPresence presence;

	private final ResumeBudget budget;

	private final ConcurrentMap<String, LocalTopic> topics = new ConcurrentHashMap<>();

	private final TopicArrivals<LocalTopic> arrivals = new TopicArrivals<>();

	private final TopicBacklog messages = new TopicBacklog();

	private final Set<String> unsure = ConcurrentHashMap.newKeySet();

	/** Topics with a scheduled read. */
	private final Set<String> verified = ConcurrentHashMap.newKeySet();

	private final LongAdder heals = new LongAdder();

	private final LongAdder gaps = new LongAdder();

	private final CatchUpPages pages;

	private volatile boolean closed;

	/**
	 * Creates the topics.
	 * @param retry time after which a failed operation is repeated
	 * @param factory creates a topic, with a callback for members that can be sent missed
	 * messages
	 */
	LocalTopics(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock, Duration retry,
			BiFunction<String, Consumer<LocalTopic>, LocalTopic> factory, LocalPresence presence, ResumeBudget budget) {
		this.bus = bus;
		this.turns = turns;
		this.clock = clock;
		this.retry = retry;
		this.factory = factory;
		this.presence = presence;
		this.budget = budget;
		this.pages = new CatchUpPages(bus, clock, retry, () -> this.closed);
	}

	/** Adds a member; returns the position of the latest earlier message. */
	CompletableFuture<@Nullable Position> join(String name, OrderedWebSocketSession session) {
		CompletableFuture<@Nullable Position> joined = new CompletableFuture<>();
		arrive(name, TopicArrivals.Arrival.joining(session, null, (topic, history) -> {
			String principal = LocalSessions.principal(session);
			if (topic.add(session, principal)) {
				this.presence.joined(name, principal);
			}
			joined.complete(topic.feed().last());
		}, joined::completeExceptionally));
		return joined;
	}

	/** Adds a member that receives no messages until its replay starts. */
	CompletableFuture<ResumeTopics.Joined> resume(String name, OrderedWebSocketSession session, String at) {
		CompletableFuture<ResumeTopics.Joined> joined = new CompletableFuture<>();
		arrive(name,
				TopicArrivals.Arrival.joining(session, at,
						(topic, history) -> joined.complete(resume(topic, session, at, Replay.of(history, at))),
						joined::completeExceptionally));
		return joined;
	}

	private ResumeTopics.Joined resume(LocalTopic topic, OrderedWebSocketSession session, String at, Replay replay) {
		TopicReplay sending = new TopicReplay(topic.name(), session, replay, at, this.budget);
		String principal = LocalSessions.principal(session);
		if (topic.addReplaying(session, principal)) {
			this.presence.joined(topic.name(), principal);
		}
		return new ResumeTopics.Joined(sending.isComplete(), sending.count(),
				sending.isComplete() ? at : Replay.text(topic.feed().last()), () -> replay(topic, sending));
	}

	/** All sessions that wait to join a topic share one turn and one read of it. */
	private void arrive(String name, TopicArrivals.Arrival<LocalTopic> arrival) {
		TopicArrivals<LocalTopic>.JoinBatch batch = this.arrivals.add(name, arrival);
		if (batch != null) {
			inTurn(name, (topic) -> {
				boolean reading = batch.begin();
				return interested(topic).thenCompose(
						(nothing) -> reading ? look(topic) : CompletableFuture.completedFuture(TopicArrivals.NOT_READ))
					.handle((history, failure) -> {
						batch.end(topic, history, failure);
						return null;
					});
			}).exceptionally((failure) -> {
				batch.reject(failure);
				return null;
			});
		}
	}

	private CompletionStage<@Nullable Void> interested(LocalTopic topic) {
		if (!topic.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		topic.joining();
		return this.bus.join(PREFIX + topic.name()).thenApply((top) -> {
			topic.feed().start(top);
			return null;
		});
	}

	/** Reads the history of a topic, after which its members have received all of it. */
	private CompletionStage<TopicHistory> look(LocalTopic topic) {
		return this.bus.read(PREFIX + topic.name(), null).thenApply((history) -> {
			deliver(topic, topic.feed().heal(history, null), null);
			return history;
		});
	}

	/** Sends the missed messages, then the messages published since. */
	private CompletableFuture<?> replay(LocalTopic topic, TopicReplay replay) {
		CompletableFuture<?> sent = replay.send((entry) -> topic.repeat(replay.session(), entry));
		sent.whenComplete((nothing, failure) -> continueReplay(replay, failure != null));
		return sent;
	}

	private void continueReplay(TopicReplay replay, boolean later) {
		if (!replay.session().isOpen() || this.closed) {
			replay.end();
			return;
		}
		if (later) {
			this.clock.schedule(() -> continueReplay(replay, false), this.retry);
			return;
		}
		inTurn(replay.topic(), (topic) -> continueReplay(topic, replay)).whenComplete((rest, failure) -> {
			if (failure != null) {
				continueReplay(replay, true);
			}
			else if (rest != null) {
				replay(rest, replay);
			}
		});
	}

	/** Returns the topic if more messages are to be sent. */
	private CompletionStage<@Nullable LocalTopic> continueReplay(LocalTopic topic, TopicReplay replay) {
		OrderedWebSocketSession session = replay.session();
		boolean ended = !topic.isReplaying(session)
				|| replay.at().equals(Replay.text(topic.feed().last())) && !topic.feed().isUnsure();
		if (ended || !replay.isComplete()) {
			replay.end();
			topic.replayed(session, !replay.isComplete());
			return CompletableFuture.completedFuture(null);
		}
		return look(topic).thenApply((history) -> {
			replay.add(Replay.of(history, replay.at()));
			if (replay.isComplete() && replay.count() > 0) {
				return topic;
			}
			topic.replayed(session, !replay.isComplete());
			return null;
		});
	}

	/** Removes a member that leaves; returns whether it was a member. */
	CompletableFuture<Boolean> leave(String name, OrderedWebSocketSession session) {
		return remove(name, session, true);
	}

	private CompletableFuture<Boolean> remove(String name, OrderedWebSocketSession session, boolean said) {
		CompletableFuture<Boolean> behind = new CompletableFuture<>();
		if (this.arrivals.addLeaving(name, TopicArrivals.Arrival.leaving(session,
				(topic) -> behind.complete(remove(topic, session, said)), behind::completeExceptionally))) {
			return behind;
		}
		CompletableFuture<Boolean> left = inTurn(name,
				(topic) -> CompletableFuture.completedFuture(remove(topic, session, said)));
		if (said) {
			this.arrivals.close(name);
		}
		return left;
	}

	private boolean remove(LocalTopic topic, OrderedWebSocketSession session, boolean said) {
		String principal = topic.principalOf(session);
		boolean removed = topic.remove(session);
		if (removed) {
			this.presence.left(topic.name(), principal, said);
		}
		return removed;
	}

	/** Removes a session that has ended, eventually. */
	void forget(String name, OrderedWebSocketSession session) {
		remove(name, session, false).whenComplete((left, failure) -> {
			if (failure != null && !this.closed) {
				this.clock.schedule(() -> forget(name, session), this.retry);
			}
		});
	}

	/** A message has arrived. */
	void published(String name, TopicEntry entry, @Nullable Position before) {
		boolean room = this.messages.add(name, entry, before,
				(group) -> turn(name, (topic) -> take(topic, group.begin().iterator()))
					.whenComplete((nothing, failure) -> {
						group.end();
						if (failure != null) {
							missed(name);
						}
					}));
		if (!room) {
			missed(name);
		}
	}

	private CompletionStage<@Nullable Void> take(LocalTopic topic, Iterator<TopicBacklog.Message> messages) {
		TopicBacklog.Message doubtful = topic.take(messages);
		return (doubtful != null) ? heal(topic, doubtful).thenCompose((nothing) -> take(topic, messages))
				: CompletableFuture.completedFuture(null);
	}

	/**
	 * Delivers a message that the bus has not confirmed to members of this node, unless
	 * it has arrived from the bus. A gap follows when the bus is available again.
	 * @return whether there are members
	 */
	CompletableFuture<Boolean> deliverHere(String name, Publication publication) {
		return inTurn(name, (topic) -> {
			if (topic.isEmpty()) {
				return CompletableFuture.completedFuture(false);
			}
			if (topic.feed().wasDelivered(publication.messageId())) {
				return CompletableFuture.completedFuture(true);
			}
			if (topic.feed().deliveredAside(publication.messageId())) {
				verifyLater(name);
			}
			topic.deliverHere(publication.payload());
			return CompletableFuture.completedFuture(true);
		});
	}

	/** Messages without room are read with the next message, or later if none arrives. */
	private void missed(String name) {
		this.unsure.add(name);
		verifyLater(name);
	}

	private void verifyLater(String name) {
		if (!this.closed && this.verified.add(name)) {
			this.clock.schedule(() -> {
				this.verified.remove(name);
				verify(name);
			}, this.retry);
		}
	}

	/** Messages may have been missed, and members recorded by the bus may be lost. */
	void interrupted() {
		this.presence.interrupted();
		this.topics.keySet().forEach(this::verify);
	}

	private void verify(String name) {
		inTurn(name, (topic) -> {
			topic.feed().doubt();
			return topic.isEmpty() ? CompletableFuture.completedFuture(true) : heal(topic, null);
		}).whenComplete((nothing, failure) -> {
			if (failure != null) {
				missed(name);
			}
		});
	}

	/** Returns how many members miss a message, or {@code null} if unknown. */
	CompletableFuture<@Nullable Integer> find(String name) {
		return inTurn(name, (topic) -> topic.isEmpty() ? CompletableFuture.completedFuture(0)
				: heal(topic, null).thenApply((read) -> read ? topic.size() : null));
	}

	/** Returns whether the history was read. */
	private CompletionStage<Boolean> heal(LocalTopic topic, TopicBacklog.@Nullable Message arrived) {
		return this.bus.read(PREFIX + topic.name(), topic.feed().last()).handle((history, failure) -> {
			if (failure == null) {
				deliver(topic, topic.feed().heal(history, arrived), arrived);
			}
			else {
				topic.feed().doubt();
				verifyLater(topic.name());
			}
			return failure == null;
		});
	}

	private void deliver(LocalTopic topic, TopicFeed.Healed healed, TopicBacklog.@Nullable Message arrived) {
		if (healed.gap()) {
			this.gaps.increment();
		}
		if (healed.entries().stream().anyMatch((entry) -> arrived == null || !entry.equals(arrived.entry()))) {
			this.heals.increment();
		}
		topic.deliver(healed);
	}

	private void catchUp(LocalTopic topic) {
		this.pages.read(PREFIX + topic.name(), topic.catchUps(), (page) -> inTurn(topic.name(), (one) -> page.get()));
	}

	/** Returns the number of topics with members. */
	int count() {
		return Math.toIntExact(joined().count());
	}

	/** Returns the number of members of all topics, added up. */
	int members() {
		return joined().mapToInt(LocalTopic::size).sum();
	}

	/** Returns how often missed messages were read. */
	long heals() {
		return this.heals.sum();
	}

	long gaps() {
		return this.gaps.sum();
	}

	/** Returns the topics with the most members. */
	List<TopicSnapshot> largest(int top) {
		return joined().map((topic) -> Map.entry(topic, topic.size()))
			.sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
			.limit(top)
			.flatMap((one) -> snapshot(one.getKey().name()).stream())
			.toList();
	}

	/** Returns a topic with members. */
	Optional<TopicSnapshot> snapshot(String name) {
		return Optional.ofNullable(this.topics.get(name))
			.filter((topic) -> !topic.isEmpty())
			.map((topic) -> topic.snapshot(this.turns.snapshot(QUEUE_PREFIX + name)));
	}

	private Stream<LocalTopic> joined() {
		return this.topics.values().stream().filter((topic) -> !topic.isEmpty());
	}

	/** Messages that arrive from now on have a later turn than this one. */
	private <T extends @Nullable Object> LeveledTask<T> inTurn(String name,
			Function<LocalTopic, ? extends CompletionStage<T>> action) {
		LeveledTask<T> turn = turn(name, action);
		this.messages.close(name);
		return turn;
	}

	private <T extends @Nullable Object> LeveledTask<T> turn(String name,
			Function<LocalTopic, ? extends CompletionStage<T>> action) {
		return this.turns.submitStage(QUEUE_PREFIX + name, Level.NORMAL, () -> {
			LocalTopic topic = this.topics.computeIfAbsent(name, (absent) -> this.factory.apply(absent, this::catchUp));
			if (this.unsure.remove(name)) {
				topic.feed().doubt();
			}
			return action.apply(topic)
				.handle((result, failure) -> (failure != null) ? CompletableFuture.<T>failedFuture(failure)
						: CompletableFuture.completedFuture(result))
				.thenCompose((outcome) -> leaveIfEmpty(topic).thenCompose((nothing) -> outcome));
		});
	}

	/** A failure of the bus is ignored; the next message causes another attempt. */
	private CompletionStage<@Nullable Void> leaveIfEmpty(LocalTopic topic) {
		if (!topic.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		this.topics.remove(topic.name());
		return topic.isJoined() ? this.bus.leave(PREFIX + topic.name()).exceptionally((failure) -> null)
				: CompletableFuture.completedFuture(null);
	}

	/** Stops all later work. */
	void close() {
		this.closed = true;
	}

}
