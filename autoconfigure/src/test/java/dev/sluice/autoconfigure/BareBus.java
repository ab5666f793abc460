package dev.sluice.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;

/** A bus that offers neither presence nor records, and reaches nobody. */
class BareBus implements ClusterBus {

	private static final Position TOP = new Position(0, "bare");

	@Override
	public String node() {
		return "bare";
	}

	@Override
	public Set<String> nodes() {
		return Set.of(node());
	}

	@Override
	public void start(BusListener listener) {
	}

	@Override
	public CompletableFuture<Boolean> send(String node, String frame) {
		return CompletableFuture.completedFuture(false);
	}

	@Override
	public CompletableFuture<Set<String>> broadcast(String frame) {
		return CompletableFuture.completedFuture(Set.of());
	}

	@Override
	public CompletableFuture<@Nullable Position> join(String name) {
		return CompletableFuture.completedFuture(TOP);
	}

	@Override
	public CompletableFuture<@Nullable Void> leave(String name) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletableFuture<Set<String>> route(String name, String frame) {
		return CompletableFuture.completedFuture(Set.of());
	}

	@Override
	public CompletableFuture<Published> publish(Publication publication) {
		return CompletableFuture.completedFuture(new Published(TOP, Set.of()));
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
		return CompletableFuture.completedFuture(new TopicHistory(TOP, null, List.of()));
	}

	@Override
	public void close() {
	}

}
