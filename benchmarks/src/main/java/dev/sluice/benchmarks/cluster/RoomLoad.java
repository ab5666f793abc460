package dev.sluice.benchmarks.cluster;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.cluster.SessionCluster;

/** Numbered messages at a steady rate, in the order of their numbers. */
final class RoomLoad implements AutoCloseable {

	private static final long TICK_MILLIS = 10;

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final SessionCluster cluster;

	private final int first;

	private final int rooms;

	private final AtomicInteger published = new AtomicInteger();

	/** Creates a load of some rooms, whose numbers follow each other. */
	RoomLoad(SessionCluster cluster, int first, int rooms) {
		this.cluster = cluster;
		this.first = first;
		this.rooms = rooms;
	}

	/** Begins with so many messages a second, in all rooms together. */
	void start(int perSecond) {
		int atOnce = (int) (perSecond * TICK_MILLIS / 1000);
		this.timer.scheduleAtFixedRate(() -> publish(atOnce), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
	}

	private void publish(int messages) {
		for (int message = 0; message < messages; message++) {
			int number = this.published.getAndIncrement();
			this.cluster.topic("room-" + (this.first + number % this.rooms))
				.publish(ClusterNode.message(number / this.rooms));
		}
	}

	int published() {
		return this.published.get();
	}

	/** Returns the number of the latest message of a room. */
	int latest(int room) {
		return (published() - 1 - (room - this.first)) / this.rooms;
	}

	/** Ends when all is published. */
	void end() {
		this.timer.shutdown();
		try {
			if (!this.timer.awaitTermination(30, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The load does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the load ended", ex);
		}
	}

	@Override
	public void close() {
		end();
	}

}
