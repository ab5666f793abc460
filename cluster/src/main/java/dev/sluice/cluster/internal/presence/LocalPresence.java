package dev.sluice.cluster.internal.presence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.cluster.TopicPresence;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.message.EncodedSize;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/** Registration of the principals of this node as present in topics. */
public final class LocalPresence {

	/*
	 * There is an entry for each principal of a topic that the bus should list as present
	 * at this node. The entry outlives the last session by the delay, so that a principal
	 * that returns within it counts as present throughout. Each change of the entries
	 * takes a turn of the topic, which sends the current state to the bus. A turn that
	 * fails is repeated later, and all turns are repeated when the bus may have lost
	 * entries. The last turn therefore sends the final state. In one step with the
	 * message, the bus determines the first and the last session of a principal, so that
	 * each event is published once.
	 *
	 * If a node has died, all other nodes with members remove its entries; the bus lets
	 * only one of them publish the event. The bus removes nothing while it considers the
	 * node alive by its own clock, so a topic is checked again until no entry remains.
	 * Once a second, while there are members, this node checks whether others have died,
	 * without a request over the bus. Entries of nodes that died before are removed when
	 * the first member joins.
	 *
	 * Attacked by PresenceTests.
	 */

	private static final Log logger = LogFactory.getLog(LocalPresence.class);

	private static final Duration LOOK = Duration.ofSeconds(1);

	private static final int MAX_NAME_LENGTH = 10_000;

	private static final int MAX_REMOVED_AT_A_TIME = 500;

	private final ClusterBus bus;

	private final @Nullable PresenceRegistry registry;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final Duration retry;

	private final PresenceSettings settings;

	private final PresenceEvents events;

	private final BoundedLog unreadable;

	private final KnownNodes nodes = new KnownNodes();

	/** The members of each topic; guarded by itself. */
	private final Map<String, Members> topics = new HashMap<>();

	private final AtomicBoolean watching = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Creates the presence.
	 * @param retry time after which a failed operation is repeated
	 * @throws IllegalArgumentException if topics have presence, and the bus offers no
	 * registry
	 */
	public LocalPresence(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock, Duration retry,
			PresenceSettings settings, PresenceEvents events) {
		Assert.isTrue(!settings.isEnabled() || bus.presence() != null, "'bus' must offer a registry of presence");
		this.bus = bus;
		this.registry = bus.presence();
		this.turns = turns;
		this.clock = clock;
		this.retry = retry;
		this.settings = settings;
		this.events = events;
		this.unreadable = new BoundedLog(logger, clock,
				"The name of a principal cannot be sent; members are not notified that it has left");
	}

	/**
	 * Checks the name of a principal that is to join a topic.
	 * @throws IllegalArgumentException if the name cannot be sent to members
	 */
	public void check(String topic, @Nullable String principal) {
		if (principal != null && this.settings.isKept(topic)
				&& !(principal.length() <= MAX_NAME_LENGTH && EncodedSize.isEncodable(principal))) {
			throw new IllegalArgumentException("Name of a principal of topic '" + topic + "' must have at most "
					+ MAX_NAME_LENGTH + " characters, and not half of a surrogate pair: " + principal.length());
		}
	}

	/** A session has joined. */
	public void joined(String topic, @Nullable String principal) {
		if (!this.settings.isKept(topic)) {
			return;
		}
		boolean first;
		boolean arrived;
		synchronized (this.topics) {
			first = !this.topics.containsKey(topic);
			arrived = this.topics.computeIfAbsent(topic, (absent) -> new Members()).add(principal);
		}
		if (principal != null && arrived) {
			tell(topic, principal);
		}
		if (first) {
			purge(topic);
			watch();
		}
	}

	/**
	 * A session has left.
	 * @param said whether the session left the topic explicitly, instead of by ending
	 */
	public void left(String topic, @Nullable String principal, boolean said) {
		synchronized (this.topics) {
			Members members = this.topics.get(topic);
			if (members == null) {
				return;
			}
			if (principal == null) {
				members.anonymous--;
				forgetIfEmpty(topic, members);
				return;
			}
			Entry present = members.principals.get(principal);
			if (present == null || --present.sessions > 0) {
				return;
			}
			present.emptySince = this.clock.nanoTime();
			if (!said) {
				if (!present.timed) {
					present.timed = true;
					this.clock.schedule(() -> leaveUnlessBack(topic, principal), this.settings.leaveDelay());
				}
				return;
			}
			members.principals.remove(principal);
			forgetIfEmpty(topic, members);
		}
		tell(topic, principal);
	}

	private void leaveUnlessBack(String topic, String principal) {
		synchronized (this.topics) {
			Members members = this.topics.get(topic);
			Entry present = (members != null) ? members.principals.get(principal) : null;
			if (members == null || present == null || !present.timed) {
				return;
			}
			if (present.sessions > 0) {
				present.timed = false;
				return;
			}
			Duration rest = this.settings.leaveDelay().minusNanos(this.clock.nanoTime() - present.emptySince);
			if (rest.compareTo(Duration.ZERO) > 0) {
				this.clock.schedule(() -> leaveUnlessBack(topic, principal), rest);
				return;
			}
			members.principals.remove(principal);
			forgetIfEmpty(topic, members);
		}
		tell(topic, principal);
	}

	private void forgetIfEmpty(String topic, Members members) {
		if (members.anonymous == 0 && members.principals.isEmpty()) {
			this.topics.remove(topic);
		}
	}

	private void tell(String topic, String principal) {
		inTurn(topic, () -> tellNow(topic, principal), () -> tell(topic, principal));
	}

	private CompletionStage<?> tellNow(String topic, String principal) {
		boolean present;
		synchronized (this.topics) {
			Members members = this.topics.get(topic);
			present = members != null && members.principals.containsKey(principal);
		}
		return present ? registry().enter(principal, this.events.joined(topic, principal))
				: registry().exit(this.bus.node(), principal, this.events.left(topic, principal));
	}

	/** Removes the principals of dead nodes from a topic. */
	private void purge(String topic) {
		inTurn(topic, () -> purgeNow(topic), () -> purge(topic));
	}

	private CompletionStage<?> purgeNow(String topic) {
		return registry().present(this.events.nameOf(topic)).thenCompose((present) -> {
			long now = this.clock.nanoTime();
			List<CompletableFuture<?>> removed = new ArrayList<>();
			boolean strangers = false;
			observe();
			for (Map.Entry<String, Set<String>> one : present.entrySet()) {
				for (String node : one.getValue()) {
					KnownNodes.State state = this.nodes.stateOf(node, now);
					strangers |= state == KnownNodes.State.UNKNOWN;
					if (state == KnownNodes.State.DEAD && removed.size() < MAX_REMOVED_AT_A_TIME) {
						remove(topic, node, one.getKey(), removed);
					}
				}
			}
			if (removed.size() == MAX_REMOVED_AT_A_TIME) {
				purge(topic);
			}
			else if (!removed.isEmpty()) {
				this.clock.schedule(() -> purge(topic), LOOK);
			}
			else if (strangers) {
				this.clock.schedule(() -> purge(topic), KnownNodes.PATIENCE);
			}
			return CompletableFuture.allOf(removed.toArray(CompletableFuture[]::new));
		});
	}

	/** A name that cannot be sent to members does not keep other principals present. */
	private void remove(String topic, String node, String member, List<CompletableFuture<?>> removed) {
		Publication departure;
		try {
			departure = this.events.left(topic, member);
		}
		catch (IllegalArgumentException ex) {
			this.unreadable.warn("topic '" + topic + "'", ex);
			return;
		}
		removed.add(registry().exit(node, member, departure));
	}

	private void inTurn(String topic, TurnTask task, Runnable again) {
		if (this.closed) {
			return;
		}
		this.turns.submitStage("presence:" + topic, Level.NORMAL, () -> ended(task.run()))
			.whenComplete((nothing, failure) -> {
				if (failure != null && !this.closed) {
					this.clock.schedule(again, this.retry);
				}
			});
	}

	/** Returns the registry, which a bus has if a topic has presence. */
	private PresenceRegistry registry() {
		return Objects.requireNonNull(this.registry);
	}

	private static CompletionStage<@Nullable Void> ended(CompletionStage<?> stage) {
		return stage.thenApply((result) -> null);
	}

	private void watch() {
		boolean needed;
		synchronized (this.topics) {
			needed = !this.topics.isEmpty();
		}
		if (needed && !this.closed && this.watching.compareAndSet(false, true)) {
			this.clock.schedule(this::look, LOOK);
		}
	}

	private void look() {
		try {
			if (observe()) {
				members().keySet().forEach(this::purge);
			}
		}
		finally {
			this.watching.set(false);
			watch();
		}
	}

	/**
	 * A node that is cut off receives no heartbeats, which does not mean that the others
	 * have died.
	 */
	private boolean observe() {
		Set<String> live = this.bus.nodes();
		return live.contains(this.bus.node()) && this.nodes.observe(live);
	}

	/** Returns the principals of each topic with members here. */
	private Map<String, List<String>> members() {
		Map<String, List<String>> copy = new HashMap<>();
		synchronized (this.topics) {
			this.topics.forEach((topic, members) -> copy.put(topic, List.copyOf(members.principals.keySet())));
		}
		return copy;
	}

	/** Sends the principals of this node again, because the bus may have lost them. */
	public void interrupted() {
		members().forEach((topic, principals) -> principals.forEach((principal) -> tell(topic, principal)));
	}

	/** Finds the principals present on all nodes. */
	public CompletableFuture<TopicPresence> find(String topic) {
		if (!this.settings.isKept(topic)) {
			return CompletableFuture.failedFuture(new IllegalStateException("Presence is not kept of topic '" + topic
					+ "'; name it, or a pattern, in 'sluice.cluster.presence.topics'"));
		}
		return registry().present(this.events.nameOf(topic)).thenApply((present) -> {
			observe();
			long now = this.clock.nanoTime();
			List<String> principals = present.entrySet()
				.stream()
				.filter((one) -> one.getValue()
					.stream()
					.anyMatch((node) -> this.nodes.stateOf(node, now) != KnownNodes.State.DEAD))
				.map(Map.Entry::getKey)
				.sorted()
				.toList();
			return new TopicPresence(principals.stream().limit(this.settings.maxMembers()).toList(), principals.size());
		});
	}

	/** Stops all updates of the bus. */
	public void close() {
		this.closed = true;
	}

	/** The members of a topic at this node. */
	private static final class Members {

		private int anonymous;

		private final Map<String, Entry> principals = new HashMap<>();

		/** Adds a session; returns whether its principal was not present. */
		boolean add(@Nullable String principal) {
			if (principal == null) {
				this.anonymous++;
				return false;
			}
			boolean arrived = !this.principals.containsKey(principal);
			this.principals.computeIfAbsent(principal, (absent) -> new Entry()).sessions++;
			return arrived;
		}

	}

	/** Presence of a principal at this node. */
	private static final class Entry {

		private int sessions;

		private long emptySince;

		/** Whether the delay is running. */
		private boolean timed;

	}

	/** Task in a turn. */
	@FunctionalInterface
	private interface TurnTask {

		CompletionStage<?> run();

	}

}
