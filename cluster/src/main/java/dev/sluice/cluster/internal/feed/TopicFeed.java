package dev.sluice.cluster.internal.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;

/** The order of a topic as received by one node; used in the topic's turn only. */
public final class TopicFeed {

	/*
	 * Invariant: the delivered messages are a run of the topic's order without a hole, or
	 * a gap is reported in its place; and no message is delivered twice. A message
	 * follows the one before it if that one's position is ours, its id included: after a
	 * server has forgotten its latest messages, their numbers belong to others, and the
	 * ids differ. Then what both orders have in common is looked for among the latest
	 * positions, more than a history holds. If there is nothing in common, only the
	 * message that has arrived, its successors, and messages with numbers higher than the
	 * latest delivered one are certain to be new. A message that such a server has lost
	 * may be published again under another number; its id shows that it was delivered.
	 * The same applies to a message that was delivered without a position because the bus
	 * was unavailable. Whether other nodes have received that message is unknown, so that
	 * a gap is reported once the order is certain again.
	 *
	 * Attacked by TopicFeedTests and ClusterHistoryTests.
	 */

	private static final int MIN_REMEMBERED = 64;

	private final int remembered;

	private final Deque<Position> order = new ArrayDeque<>();

	private final Set<Position> seen = new HashSet<>();

	private final Set<String> ids = new HashSet<>();

	/** Ids of messages that were delivered without a position. */
	private final Deque<String> aside = new ArrayDeque<>();

	/** Seen by others, too. */
	private volatile @Nullable Position last;

	private boolean unsure;

	/** Whether a message was delivered that other nodes may not have received. */
	private boolean forked;

	public TopicFeed(int historySize) {
		this.remembered = Math.max(MIN_REMEMBERED, 2 * historySize);
	}

	public @Nullable Position last() {
		return this.last;
	}

	/** Begins, behind the latest message. */
	public void start(@Nullable Position top) {
		this.order.clear();
		this.seen.clear();
		this.ids.clear();
		this.aside.clear();
		this.unsure = false;
		this.forked = false;
		if (top != null) {
			advance(top);
		}
	}

	/** Messages may have been missed. */
	public void doubt() {
		this.unsure = true;
	}

	/** Returns whether messages may have been missed. */
	public boolean isUnsure() {
		return this.unsure;
	}

	/**
	 * Records a message that was delivered without a position, although it may have one.
	 * @return whether it is the first since the order was certain
	 */
	public boolean deliveredAside(String messageId) {
		boolean first = !this.forked;
		this.unsure = true;
		this.forked = true;
		if (this.ids.add(messageId)) {
			this.aside.add(messageId);
			if (this.aside.size() > this.remembered) {
				this.ids.remove(this.aside.remove());
			}
		}
		return first;
	}

	/** Returns whether a message was delivered, with a position or without one. */
	public boolean wasDelivered(String messageId) {
		return this.ids.contains(messageId);
	}

	/** Returns whether a message was delivered without a position. */
	public boolean wasDeliveredAside(Position at) {
		return this.aside.contains(at.messageId());
	}

	/** Decides how to handle a message that has arrived. */
	public Step next(Position at, @Nullable Position before) {
		if (this.seen.contains(at)) {
			return Step.DROP;
		}
		if (this.unsure || !Objects.equals(before, this.last)) {
			return Step.READ;
		}
		boolean repeated = this.ids.contains(at.messageId());
		advance(at);
		return repeated ? Step.DROP : Step.DELIVER;
	}

	/**
	 * Continues with the history of the topic.
	 * @param arrived the message that did not follow, if there is one
	 */
	public Healed heal(TopicHistory history, TopicBacklog.@Nullable Message arrived) {
		boolean forked = this.forked;
		this.unsure = false;
		this.forked = false;
		Position top = history.top();
		if (Objects.equals(top, this.last)) {
			return new Healed(forked, top, List.of());
		}
		List<TopicEntry> entries = history.entries();
		int known = latestKnown(entries);
		boolean gap = !isContinuous(history, known);
		List<TopicEntry> news = new ArrayList<>(entries.subList(known + 1, entries.size()));
		long passed = (this.last != null) ? this.last.offset() : 0;
		if (gap && known < 0) {
			int certain = (arrived != null) ? news.indexOf(arrived.entry()) : -1;
			List<TopicEntry> doubtful = news.subList(0, (certain >= 0) ? certain : news.size());
			doubtful.removeIf((entry) -> entry.at().offset() <= passed);
		}
		Position start = history.before();
		if (arrived != null && news.isEmpty() && entries.isEmpty() && arrived.entry().at().offset() > passed) {
			news.add(arrived.entry());
			start = arrived.before();
		}
		List<TopicEntry> unseen = news.stream().filter((entry) -> !this.ids.contains(entry.at().messageId())).toList();
		news.forEach((entry) -> advance(entry.at()));
		if (news.isEmpty()) {
			gap = gap || !Objects.equals(top, this.last);
			this.last = top;
			remember(top);
		}
		if (unseen.isEmpty()) {
			return new Healed(gap || forked, this.last, List.of());
		}
		int first = entries.indexOf(unseen.get(0));
		return new Healed(gap || forked, (first > 0) ? entries.get(first - 1).at() : start, unseen);
	}

	private int latestKnown(List<TopicEntry> entries) {
		int index = entries.size() - 1;
		while (index >= 0 && !this.seen.contains(entries.get(index).at())) {
			index--;
		}
		return index;
	}

	private boolean isContinuous(TopicHistory history, int known) {
		List<TopicEntry> entries = history.entries();
		if (this.last == null) {
			return !entries.isEmpty() && entries.get(0).at().offset() == 1;
		}
		Position at = (known >= 0) ? entries.get(known).at() : entries.isEmpty() ? null : history.before();
		return this.last.equals(at);
	}

	private void advance(Position at) {
		this.last = at;
		remember(at);
	}

	private void remember(@Nullable Position at) {
		if (at != null && this.seen.add(at)) {
			this.ids.add(at.messageId());
			this.order.add(at);
			if (this.order.size() > this.remembered) {
				Position oldest = this.order.remove();
				this.seen.remove(oldest);
				this.ids.remove(oldest.messageId());
			}
		}
	}

	/** Next action for a message. */
	public enum Step {

		DELIVER, DROP, READ

	}

	/**
	 * Messages to deliver after a history was read.
	 *
	 * @param gap whether messages are missing before the entries
	 * @param before the position that the entries follow, {@code null} if it is not known
	 * @param entries the messages
	 */
	public record Healed(boolean gap, @Nullable Position before, List<TopicEntry> entries) {
	}

}
