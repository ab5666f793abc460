package dev.sluice.redis.bus;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.redis.connection.Script;
import org.jspecify.annotations.Nullable;

/**
 * Presence of members in Redis: for each name a hash from members to their nodes.
 */
final class RedisPresenceRegistry implements PresenceRegistry {

	private final String node;

	private final BusNames names;

	private final BusCommands commands;

	private final Publications publications;

	private final UnreadableEntries unreadable;

	/**
	 * Creates the registry of a node.
	 * @param unreadable the log of members that are not in the format of the bus
	 */
	RedisPresenceRegistry(String node, BusNames names, BusCommands commands, Publications publications,
			UnreadableEntries unreadable) {
		this.node = node;
		this.names = names;
		this.commands = commands;
		this.publications = publications;
		this.unreadable = unreadable;
	}

	@Override
	public CompletableFuture<@Nullable Published> enter(String member, Publication arrival) {
		return this.publications.ask(Script.BUS_ENTER, arrival, this.node, member)
			.thenApply(BusReplies::publishedIfAny);
	}

	@Override
	public CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure) {
		return this.publications.ask(Script.BUS_EXIT, departure, node, member, this.node)
			.thenApply(BusReplies::publishedIfAny);
	}

	@Override
	public CompletableFuture<Map<String, Set<String>>> present(String name) {
		return this.commands.asked(name.length(), Script.BUS_PRESENT, new String[] { this.names.present(name) })
			.thenApply((reply) -> BusReplies.present(reply, this.unreadable));
	}

}
