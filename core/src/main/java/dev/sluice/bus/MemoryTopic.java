package dev.sluice.bus;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Joined nodes, presence and messages of a name. Its methods are synchronized.
 */
final class MemoryTopic {

	/*
	 * All state is guarded by "this". A topic is sealed once; each later call returns
	 * null, and its caller looks the name up again. Messages are added to the mailboxes
	 * with the monitor held, so all nodes receive them in the order of positions.
	 * Attacked by MemoryBusTests.
	 */

	/** Number of the latest messages that are searched for a repeated message. */
	private static final int COMPARED = 1000;

	/**
	 * Time that the latest position is kept, as a multiple of the time of the history.
	 */
	private static final int POSITION_TIME = 10;

	/** Minimum time that the latest position is kept after the last node has left. */
	private static final long LEFT_NANOS = Duration.ofHours(1).toNanos();

	/** Number of places by node, for all joined nodes. */
	private final Map<String, Integer> interested = new LinkedHashMap<>();

	/** Nodes by member, for all members that are present. */
	private final Map<String, Set<String>> present = new LinkedHashMap<>();

	/** Messages of the history, and the message before the first of them. */
	private final Deque<Kept> kept = new ArrayDeque<>();

	private @Nullable Position top;

	private int size;

	private long forgottenAt;

	private boolean sealed;

	/**
	 * Seals this topic if no node has joined and the position has expired.
	 * @param crowded whether the start of a name without messages is not kept
	 * @return whether the topic is sealed
	 */
	synchronized boolean sealIfIdle(long now, boolean crowded) {
		this.sealed = this.sealed || this.interested.isEmpty()
				&& (this.top == null || now - this.forgottenAt >= 0 || crowded && this.top.offset() == 0);
		return this.sealed;
	}

	/**
	 * Adds a node.
	 * @param startId the id of the start, if the name has no position
	 * @return the top, or {@code null} if this is sealed
	 */
	synchronized @Nullable Position join(String node, String startId) {
		if (this.sealed) {
			return null;
		}
		this.interested.putIfAbsent(node, 1);
		Position present = this.top;
		if (present == null) {
			present = new Position(0, startId);
			this.top = present;
		}
		return present;
	}

	/** Returns whether there was room, or {@code null} if this is sealed. */
	synchronized @Nullable Boolean occupy(String node, int places, int maxPlaces) {
		if (this.sealed) {
			return null;
		}
		long others = this.interested.entrySet()
			.stream()
			.filter((one) -> !one.getKey().equals(node))
			.mapToLong(Map.Entry::getValue)
			.sum();
		boolean room = others + places <= maxPlaces;
		if (room) {
			this.interested.put(node, places);
		}
		return room;
	}

	synchronized void leave(String node, long now) {
		if (this.interested.remove(node) != null && this.interested.isEmpty() && this.top != null) {
			long kept = now + LEFT_NANOS;
			this.forgottenAt = (kept - this.forgottenAt > 0 || this.top.offset() == 0) ? kept : this.forgottenAt;
		}
	}

	synchronized @Nullable Set<String> interested() {
		return this.sealed ? null : new HashSet<>(this.interested.keySet());
	}

	/**
	 * Publishes a message and delivers it in the order of positions. Returns {@code null}
	 * if this topic is sealed.
	 */
	synchronized @Nullable Published publish(Publication publication, long now,
			Function<String, @Nullable Mailbox> mailboxes) {
		if (this.sealed) {
			return null;
		}
		Position earlier = publication.repeated() ? find(publication.messageId()) : null;
		if (earlier != null) {
			return new Published(earlier, this.interested.keySet());
		}
		Position before = this.top;
		Position at = new Position((before != null) ? before.offset() + 1 : 1, publication.messageId());
		this.top = at;
		TopicEntry entry = new TopicEntry(at, publication.payload());
		keep(entry, before, publication.limits(), now);
		for (String node : this.interested.keySet()) {
			Mailbox mailbox = mailboxes.apply(node);
			if (mailbox != null) {
				mailbox.add((listener) -> listener.published(publication.name(), entry, before));
			}
		}
		return new Published(at, this.interested.keySet());
	}

	/** Adds a member; {@code null} if this is sealed. */
	synchronized @Nullable Change enter(String node, String member, Publication arrival, long now,
			Function<String, @Nullable Mailbox> mailboxes) {
		if (this.sealed) {
			return null;
		}
		Set<String> nodes = this.present.computeIfAbsent(member, (absent) -> new LinkedHashSet<>());
		boolean first = nodes.isEmpty();
		nodes.add(node);
		return new Change(first ? publish(arrival, now, mailboxes) : null);
	}

	/** Removes a member; {@code null} if this is sealed. */
	synchronized @Nullable Change exit(String node, String member, Publication departure, long now,
			Function<String, @Nullable Mailbox> mailboxes) {
		if (this.sealed) {
			return null;
		}
		Set<String> nodes = this.present.get(member);
		boolean last = nodes != null && nodes.remove(node) && nodes.isEmpty();
		if (last) {
			this.present.remove(member);
		}
		return new Change(last ? publish(departure, now, mailboxes) : null);
	}

	/** Returns the nodes of each member; {@code null} if this is sealed. */
	synchronized @Nullable Map<String, Set<String>> present() {
		if (this.sealed) {
			return null;
		}
		Map<String, Set<String>> copy = new LinkedHashMap<>();
		this.present.forEach((member, nodes) -> copy.put(member, Set.copyOf(nodes)));
		return copy;
	}

	private void keep(TopicEntry entry, @Nullable Position before, HistoryLimits limits, long now) {
		long nanos = limits.time().toNanos();
		this.size = limits.size();
		this.forgottenAt = now + POSITION_TIME * nanos;
		if (this.size > 0) {
			if (this.kept.isEmpty() && before != null) {
				// expired: read() needs only its position
				this.kept.add(new Kept(new TopicEntry(before, ""), now));
			}
			this.kept.add(new Kept(entry, now + nanos));
		}
		while (this.kept.size() > ((this.size > 0) ? this.size + 1 : 0)) {
			this.kept.remove();
		}
	}

	private @Nullable Position find(String messageId) {
		Iterator<Kept> latest = this.kept.descendingIterator();
		for (int looked = 0; looked < COMPARED && latest.hasNext(); looked++) {
			Position at = latest.next().entry().at();
			if (at.messageId().equals(messageId)) {
				return at;
			}
		}
		return (this.top != null && this.top.messageId().equals(messageId)) ? this.top : null;
	}

	synchronized @Nullable TopicHistory read(@Nullable Position known, long now) {
		if (this.sealed) {
			return null;
		}
		List<TopicEntry> wanted = new ArrayList<>();
		int unwanted = Math.max(0, this.kept.size() - this.size);
		Position before = null;
		Position latest = null;
		for (Kept one : this.kept) {
			Position at = one.entry().at();
			boolean isKnown = at.equals(known);
			if (isKnown || unwanted > 0 || now - one.until() >= 0) {
				wanted.clear();
				before = isKnown ? latest : at;
			}
			if (isKnown || unwanted <= 0 && now - one.until() < 0) {
				wanted.add(one.entry());
			}
			latest = at;
			unwanted--;
		}
		return new TopicHistory(this.top, wanted.isEmpty() ? this.top : before, wanted);
	}

	/**
	 * Result of an arrival or a departure.
	 *
	 * @param published the published message, if the member was at no node before or is
	 * at no node now
	 */
	record Change(@Nullable Published published) {
	}

	/**
	 * Message in the history.
	 *
	 * @param entry the message
	 * @param until the expiry time
	 */
	private record Kept(TopicEntry entry, long until) {
	}

}
