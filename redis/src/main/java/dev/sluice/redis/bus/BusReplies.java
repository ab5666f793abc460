package dev.sluice.redis.bus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.bus.Position;
import dev.sluice.bus.Published;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;

/** Readers of the replies of the scripts of the bus. */
final class BusReplies {

	private BusReplies() {
	}

	static Published published(List<Object> reply) {
		return new Published(Position.parse((String) reply.get(0)), nodes(reply.subList(1, reply.size())));
	}

	/** Returns the outcomes of messages that were published one after the other. */
	static List<Published> published(List<Object> reply, List<String> messageIds) {
		Published first = published(reply);
		List<Published> published = new ArrayList<>();
		for (String messageId : messageIds) {
			published
				.add(new Published(new Position(first.at().offset() + published.size(), messageId), first.nodes()));
		}
		return published;
	}

	/** Returns the outcome if the script has published a message, or {@code null}. */
	static @Nullable Published publishedIfAny(List<Object> reply) {
		return reply.isEmpty() ? null : published(reply);
	}

	static TopicHistory history(List<Object> reply) {
		List<TopicEntry> entries = new ArrayList<>();
		for (int index = 2; index < reply.size(); index += 2) {
			entries.add(new TopicEntry(Position.parse((String) reply.get(index)), (String) reply.get(index + 1)));
		}
		return new TopicHistory(position((String) reply.get(0)), position((String) reply.get(1)), entries);
	}

	static @Nullable Position position(String text) {
		return text.isEmpty() ? null : Position.parse(text);
	}

	/** Reads a record: node, incarnation, a digest of the owner, secrets and content. */
	static SessionRecord record(String key, String owner, String kept) {
		String[] parts = kept.split(" ", 5);
		return new SessionRecord(key, parts[0], Long.parseLong(parts[1]), List.of(parts[3].split(",")), owner,
				parts[4]);
	}

	/** Returns whether the start of a record has an incarnation. */
	static boolean isIncarnation(String start, long incarnation) {
		String[] parts = start.split(" ", 3);
		return parts.length == 3 && parts[1].equals(Long.toString(incarnation));
	}

	static Set<String> nodes(List<Object> reply) {
		return reply.stream().map(String.class::cast).collect(Collectors.toCollection(HashSet::new));
	}

	/** Returns the nodes of each member, without members that have none. */
	static Map<String, Set<String>> present(List<Object> reply, UnreadableEntries unreadable) {
		Map<String, Set<String>> present = new HashMap<>();
		for (int index = 0; index < reply.size(); index += 2) {
			Set<String> nodes = Stream.of(((String) reply.get(index + 1)).split(" "))
				.filter((node) -> !node.isEmpty())
				.collect(Collectors.toUnmodifiableSet());
			if (nodes.isEmpty()) {
				unreadable.warn(new IllegalArgumentException("No nodes of a member"));
			}
			else {
				present.put((String) reply.get(index), nodes);
			}
		}
		return present;
	}

}
