package dev.sluice.benchmarks.batches;

import java.time.Duration;

/** The contenders. */
public enum Contender {

	/** Sluice: bounded, each item with its future. */
	SLUICE("Sluice", SluiceBatcher::new),

	/** Reactor's bufferTimeout, whose batches go to a pool. */
	REACTOR("Reactor", (slots, capacity, interval, pump) -> new ReactorBatcher(slots, interval, pump, true)),

	/** The same, whose batches stay on the threads that push. */
	REACTOR_INLINE("Reactor, no pool",
			(slots, capacity, interval, pump) -> new ReactorBatcher(slots, interval, pump, false)),

	/** A drain loop on a LinkedBlockingQueue for each slot. */
	QUEUE("drain loop", QueueBatcher::new);

	final String title;

	private final Batcher.Factory factory;

	Contender(String title, Batcher.Factory factory) {
		this.title = title;
		this.factory = factory;
	}

	Batcher create(int slots, int capacity, Duration interval, CountingPump pump) {
		return this.factory.create(slots, capacity, interval, pump);
	}

}
