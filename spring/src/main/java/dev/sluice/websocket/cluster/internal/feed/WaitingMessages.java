package dev.sluice.websocket.cluster.internal.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.sluice.cluster.Position;
import dev.sluice.cluster.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for the turns of their topics: those of one topic that follow each
 * other, with nothing else between them, take one turn together.
 */
public final class WaitingMessages {

	/*
	 * A topic has no more than half of what may wait, so that members can join and leave.
	 * A group is open until its turn has come, it is full, or it is closed, as something
	 * else has taken a turn that messages to come must be behind. Attacked by
	 * WaitingMessagesTests.
	 */

	/** Half of the capacity of a queue. */
	static final int MOST = 512;

	/** So many messages, and characters, are a group, lest one turn lasts long. */
	static final int AT_ONCE = 64;

	static final int LENGTH_AT_ONCE = 1 << 15;

	/** How many messages of a topic wait. */
	private final Map<String, Integer> counts = new HashMap<>();

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
			if (this.counts.getOrDefault(topic, 0) >= MOST) {
				return false;
			}
			this.counts.merge(topic, 1, Integer::sum);
			Group present = this.open.get(topic);
			group = (present != null && present.fits(entry)) ? present : new Group(topic);
			first = group != present;
			this.open.put(topic, group);
			group.messages.add(new Message(entry, before));
			group.length += entry.payload().length();
		}
		if (first) {
			turn.accept(group);
		}
		return true;
	}

	/** Has messages to come take a turn that is behind all that were taken. */
	public synchronized void close(String topic) {
		this.open.remove(topic);
	}

	/** Messages of a topic that take one turn, in their order. */
	public final class Group {

		private final String topic;

		/** Changed with the lock of all groups, and while the group is open only. */
		private final List<Message> messages = new ArrayList<>();

		private int length;

		private Group(String topic) {
			this.topic = topic;
		}

		private boolean fits(TopicEntry entry) {
			return this.messages.size() < AT_ONCE && this.length + entry.payload().length() <= LENGTH_AT_ONCE;
		}

		/** Its turn has come, and nothing is added any more; returns its messages. */
		public List<Message> begin() {
			synchronized (WaitingMessages.this) {
				WaitingMessages.this.open.remove(this.topic, this);
			}
			return this.messages;
		}

		/** Its messages wait no more, whether or not they had a turn. */
		public void end() {
			synchronized (WaitingMessages.this) {
				int ended = begin().size();
				WaitingMessages.this.counts.compute(this.topic,
						(name, count) -> (count != null && count > ended) ? count - ended : null);
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
