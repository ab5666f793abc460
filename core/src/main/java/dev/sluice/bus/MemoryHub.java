package dev.sluice.bus;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.internal.GuardedClock;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** State that the nodes of a {@link MemoryBus} share. */
final class MemoryHub {

	/*
	 * A name without interested nodes is sealed and removed when its position has
	 * expired. No timer is needed: each operation on a name checks two other names. A
	 * thread that finds a sealed name repeats its lookup.
	 *
	 * Attacked by MemoryBusTests.
	 */

	private static final int MAILBOX_CAPACITY = 100_000;

	private static final int SWEPT_AT_A_TIME = 2;

	/**
	 * Above this number of names, a name without messages is removed as soon as its last
	 * node leaves.
	 */
	private static final int MANY_NAMES = 100_000;

	private final ConcurrentMap<String, Mailbox> nodes = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, MemoryTopic> topics = new ConcurrentHashMap<>();

	private final SequentialLeveledTaskExecutor deliveries;

	private final NanoClock clock;

	private final MemoryRecords records;

	private final AtomicBoolean sweeping = new AtomicBoolean();

	/** Used only by the thread that has set {@link #sweeping}. */
	private @Nullable Iterator<Map.Entry<String, MemoryTopic>> swept;

	MemoryHub(Executor executor, NanoClock clock) {
		this.deliveries = SequentialLeveledTaskExecutor.builder(executor).queueCapacity(MAILBOX_CAPACITY).build();
		this.clock = GuardedClock.of(clock);
		this.records = new MemoryRecords(clock);
	}

	void add(String node, BusListener listener) {
		this.nodes.put(node, new Mailbox(this.deliveries.queue(node), listener));
	}

	void remove(String node) {
		Mailbox removed = this.nodes.remove(node);
		if (removed != null) {
			removed.close();
		}
		this.topics.values().forEach((topic) -> topic.leave(node, now()));
	}

	Set<String> nodes() {
		return Set.copyOf(this.nodes.keySet());
	}

	@Nullable Mailbox mailbox(String node) {
		return this.nodes.get(node);
	}

	long now() {
		return this.clock.nanoTime();
	}

	MemoryRecords records() {
		return this.records;
	}

	int topics() {
		return this.topics.size();
	}

	<T> T withTopic(String name, Function<MemoryTopic, @Nullable T> action) {
		sweep();
		T result = null;
		while (result == null) {
			result = action
				.apply(Objects.requireNonNull(this.topics.computeIfAbsent(name, (key) -> new MemoryTopic())));
		}
		return result;
	}

	private void sweep() {
		if (this.sweeping.compareAndSet(false, true)) {
			Iterator<Map.Entry<String, MemoryTopic>> next = this.swept;
			for (int looked = 0; looked < SWEPT_AT_A_TIME; looked++) {
				if (next == null || !next.hasNext()) {
					next = this.topics.entrySet().iterator();
				}
				if (next.hasNext()) {
					Map.Entry<String, MemoryTopic> entry = next.next();
					if (entry.getValue().sealIfIdle(now(), this.topics.size() > MANY_NAMES)) {
						this.topics.remove(entry.getKey(), entry.getValue());
					}
				}
			}
			this.swept = next;
			this.sweeping.set(false);
		}
	}

}
