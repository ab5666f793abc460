package dev.sluice.redis.connection;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Channels that a connection for messages subscribes to.
 *
 * @param groups the groups that are subscribed to together; sharded channels of a group
 * are in one slot
 * @param isSharded whether only the server of their slot delivers their messages
 */
public record Channels(List<List<String>> groups, boolean isSharded) {

	public static final Channels NONE = new Channels(List.of(), false);

	/** Returns channels whose messages any server delivers. */
	public static Channels of(String... channels) {
		return new Channels(List.of(List.of(channels)), false);
	}

	Set<String> all() {
		return this.groups.stream().flatMap(Collection::stream).collect(Collectors.toSet());
	}

	/** Returns the group of a channel, or an empty list if it is not one of these. */
	List<String> groupOf(String channel) {
		return this.groups.stream().filter((group) -> group.contains(channel)).findFirst().orElse(List.of());
	}

}
