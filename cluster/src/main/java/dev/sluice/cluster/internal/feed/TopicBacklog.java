package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for the turns of their topics. Consecutive messages of one topic
 * take one turn together.
 */
public final class TopicBacklog {

	/*
	 * A topic takes at most half of its queue's capacity in turns, so that members can
	 * join and leave. The messages that wait for all topics are bounded by their cost.
	 * Messages that find no room are read from the history. A group is open until its
	 * turn has come, it is full, or it is closed, as something else has taken a turn that
	 * messages to come must be behind. Attacked by TopicBacklogTests.
	 */

	/** Half of the capacity of a queue. */
	static final int MAX_TURNS = 512;

	/** Maximum cost of the waiting messages of all topics together. */
	static final long MAX_COST = 16 << 20;

	/** Cost of a message in addition to its characters. */
	static final int OVERHEAD = 128;

	/**
	 * Maximum number of messages, and of characters, in a group, so that a turn does not
	 * take long.
	 */
	static final int AT_ONCE = 64;

	static final int LENGTH_AT_ONCE = 1 << 15;

	/** Number of waiting turns of a topic. */
	private final Map<String, Integer> turns = new HashMap<>();

	private long cost;

	private final Map<String, Group> open = new HashMap<>();

	/**
	 * Adds a message, if there is room for it.
	 * @param before the position that it follows
	 * @param turn takes a turn of the topic for a new group
	 * @return whether there is room
	 */
	public boolean add(String topic, TopicEntry entry, @Nullable Position before, Consumer<Group> turn) {
		Group group;
		boolean first;
		synchronized (this) {
			Group present = this.open.get(topic);
			group = (present != null && present.fits(entry)) ? present : new Group(topic);
			first = group != present;
			int length = entry.payload().length();
			if (first && this.turns.getOrDefault(topic, 0) >= MAX_TURNS
					|| this.cost > 0 && this.cost + length + OVERHEAD > MAX_COST) {
				return false;
			}
			if (first) {
				this.turns.merge(topic, 1, Integer::sum);
			}
			this.open.put(topic, group);
			group.messages.add(new Message(entry, before));
			group.length += length;
			this.cost += length + OVERHEAD;
		}
		if (first) {
			turn.accept(group);
		}
		return true;
	}

	/**
	 * Closes the group, so that later messages take a turn after all turns taken so far.
	 */
	public synchronized void close(String topic) {
		this.open.remove(topic);
	}

	/** Messages of a topic that take one turn, in their order. */
	public final class Group {

		private final String topic;

		/** Guarded by the lock of all groups; changed only while the group is open. */
		private final List<Message> messages = new ArrayList<>();

		private int length;

		private Group(String topic) {
			this.topic = topic;
		}

		private boolean fits(TopicEntry entry) {
			return this.messages.size() < AT_ONCE && this.length + entry.payload().length() <= LENGTH_AT_ONCE;
		}

		/** Begins the turn; no further message is added. Returns its messages. */
		public List<Message> begin() {
			synchronized (TopicBacklog.this) {
				TopicBacklog.this.open.remove(this.topic, this);
			}
			return this.messages;
		}

		/** Called when its messages no longer wait, whether or not they had a turn. */
		public void end() {
			synchronized (TopicBacklog.this) {
				long ended = this.length + (long) OVERHEAD * begin().size();
				TopicBacklog.this.cost -= ended;
				TopicBacklog.this.turns.computeIfPresent(this.topic, (name, count) -> (count > 1) ? count - 1 : null);
			}
		}

	}

	/**
	 * A message that has arrived.
	 *
	 * @param entry the message
	 * @param before the position that it follows
	 */
	public record Message(TopicEntry entry, @Nullable Position before) {
	}

}
