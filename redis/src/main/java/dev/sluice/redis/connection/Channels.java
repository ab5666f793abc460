package dev.sluice.redis.connection;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Channels that a connection for messages listens to.
 *
 * @param groups those that are subscribed to together; sharded ones are of one slot
 * @param isSharded whether only the server that has their slot sends to them
 */
public record Channels(List<List<String>> groups, boolean isSharded) {

	public static final Channels NONE = new Channels(List.of(), false);

	/** Returns channels to which any server sends. */
	public static Channels of(String... channels) {
		return new Channels(List.of(List.of(channels)), false);
	}

	Set<String> all() {
		return this.groups.stream().flatMap(Collection::stream).collect(Collectors.toSet());
	}

	/** Returns the channels that are subscribed to together with one, if it is wanted. */
	List<String> groupOf(String channel) {
		return this.groups.stream().filter((group) -> group.contains(channel)).findFirst().orElse(List.of());
	}

}
