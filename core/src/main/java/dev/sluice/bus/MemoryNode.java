package dev.sluice.bus;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** A node of a {@link MemoryBus}. */
final class MemoryNode implements ClusterBus, PresenceRegistry, SessionRecords {

	/*
	 * An action adds this node to a topic and then reads "closed"; close() writes
	 * "closed" and then removes the node from the topics. One of the two threads
	 * therefore removes what was added during the close. Attacked by MemoryBusTests.
	 */

	private static final SecureRandom RANDOM = new SecureRandom();

	private final MemoryHub hub;

	private static final int RADIX = 36;

	private final String name = Long.toString(RANDOM.nextLong() >>> 23, RADIX);

	/** How many ids of starts this node has made. */
	private final AtomicLong starts = new AtomicLong();

	private volatile boolean closed;

	MemoryNode(MemoryHub hub) {
		this.hub = hub;
	}

	@Override
	public String node() {
		return this.name;
	}

	@Override
	public Set<String> nodes() {
		return this.hub.nodes();
	}

	@Override
	public void start(BusListener listener) {
		this.hub.add(this.name, listener);
	}

	@Override
	public CompletableFuture<Boolean> send(String node, String frame) {
		return whileOpen(() -> deliver(node, frame));
	}

	private boolean deliver(String node, String frame) {
		Mailbox mailbox = this.hub.mailbox(node);
		if (mailbox != null) {
			mailbox.add((listener) -> listener.received(frame));
		}
		return mailbox != null;
	}

	@Override
	public CompletableFuture<Set<String>> broadcast(String frame) {
		return whileOpen(() -> deliver(this.hub.nodes(), frame));
	}

	private Set<String> deliver(Set<String> nodes, String frame) {
		Set<String> reached = new HashSet<>(nodes);
		reached.removeIf((node) -> !deliver(node, frame));
		return reached;
	}

	@Override
	public CompletableFuture<@Nullable Position> join(String name) {
		return whileOpen(() -> {
			String startId = this.name + ".start." + Long.toString(this.starts.incrementAndGet(), RADIX);
			Position top = this.hub.withTopic(name, (topic) -> topic.join(this.name, startId));
			if (this.closed) {
				forget(name);
			}
			return top;
		});
	}

	@Override
	public CompletableFuture<Boolean> occupy(String name, int places, int maxPlaces) {
		return whileOpen(() -> {
			boolean room = this.hub.withTopic(name, (topic) -> topic.occupy(this.name, places, maxPlaces));
			if (this.closed) {
				forget(name);
			}
			return room;
		});
	}

	private void forget(String name) {
		this.hub.withTopic(name, (topic) -> {
			topic.leave(this.name, this.hub.now());
			return topic;
		});
	}

	@Override
	public CompletableFuture<@Nullable Void> leave(String name) {
		return whileOpen(() -> {
			forget(name);
			return null;
		});
	}

	@Override
	public CompletableFuture<Set<String>> route(String name, String frame) {
		return whileOpen(() -> deliver(this.hub.withTopic(name, MemoryTopic::interested), frame));
	}

	@Override
	public CompletableFuture<Published> publish(Publication publication) {
		return whileOpen(() -> this.hub.withTopic(publication.name(),
				(topic) -> topic.publish(publication, this.hub.now(), this.hub::mailbox)));
	}

	@Override
	public CompletableFuture<TopicHistory> read(String name, @Nullable Position known) {
		return whileOpen(() -> this.hub.withTopic(name, (topic) -> topic.read(known, this.hub.now())));
	}

	@Override
	public CompletableFuture<@Nullable Published> enter(String member, Publication arrival) {
		return whileOpen(() -> this.hub
			.withTopic(arrival.name(),
					(topic) -> topic.enter(this.name, member, arrival, this.hub.now(), this.hub::mailbox))
			.published());
	}

	@Override
	public CompletableFuture<@Nullable Published> exit(String node, String member, Publication departure) {
		return whileOpen(() -> this.hub
			.withTopic(departure.name(),
					(topic) -> topic.exit(node, member, departure, this.hub.now(), this.hub::mailbox))
			.published());
	}

	@Override
	public CompletableFuture<Map<String, Set<String>>> present(String name) {
		return whileOpen(() -> this.hub.withTopic(name, MemoryTopic::present));
	}

	@Override
	public CompletableFuture<Boolean> keep(SessionRecord record, Duration time) {
		return whileOpen(() -> this.hub.records().keep(record, time));
	}

	@Override
	public CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim, Duration time) {
		return whileOpen(() -> this.hub.records().claim(this.name, claim, time));
	}

	@Override
	public CompletableFuture<Boolean> isLatest(String key, long incarnation) {
		return whileOpen(() -> this.hub.records().isLatest(key, incarnation));
	}

	@Override
	public CompletableFuture<@Nullable Void> forget(String key, long incarnation) {
		return whileOpen(() -> {
			this.hub.records().forget(key, incarnation);
			return null;
		});
	}

	@Override
	public PresenceRegistry presence() {
		return this;
	}

	@Override
	public SessionRecords records() {
		return this;
	}

	private <T extends @Nullable Object> CompletableFuture<T> whileOpen(Supplier<T> action) {
		if (this.closed) {
			return CompletableFuture
				.failedFuture(new BusUnavailableException("Node '" + this.name + "' has left", false, null));
		}
		return CompletableFuture.completedFuture(action.get());
	}

	@Override
	public void close() {
		this.closed = true;
		this.hub.remove(this.name);
	}

}
