package dev.sluice.cluster.internal.feed;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.sluice.bus.ClusterBus;
import dev.sluice.time.NanoClock;

/** Reads the pages of history for members that have fallen behind, one at a time. */
public final class CatchUpPages {

	private final ClusterBus bus;

	private final NanoClock clock;

	private final Duration retry;

	private final BooleanSupplier closed;

	/**
	 * Creates an idle reader.
	 * @param retry time after which a failed read of a page is repeated
	 * @param closed returns whether all later work is stopped
	 */
	public CatchUpPages(ClusterBus bus, NanoClock clock, Duration retry, BooleanSupplier closed) {
		this.bus = bus;
		this.clock = clock;
		this.retry = retry;
		this.closed = closed;
	}

	/**
	 * Reads and sends pages for as long as members need them.
	 * @param name the name of the topic on the bus
	 * @param turn runs a page in the topic's turn, which is held until it has ended
	 */
	public void read(String name, CatchUps members, Turn turn) {
		turn.run(() -> readPage(name, members)).whenComplete((more, failure) -> {
			if (failure != null) {
				this.clock.schedule(() -> readLater(name, members, turn), this.retry);
			}
			else if (more) {
				read(name, members, turn);
			}
			else {
				members.stop();
			}
		});
	}

	private void readLater(String name, CatchUps members, Turn turn) {
		if (!this.closed.getAsBoolean()) {
			read(name, members, turn);
		}
	}

	/** Returns whether more messages may have to be sent. */
	private CompletionStage<Boolean> readPage(String name, CatchUps members) {
		CatchUps.Page page = members.begin();
		if (page.isEmpty()) {
			return CompletableFuture.completedFuture(false);
		}
		return this.bus.read(name, page.from(), CatchUps.PAGE).whenComplete((history, failure) -> {
			if (failure != null) {
				page.abandon();
			}
			else {
				page.send(history);
			}
		}).thenApply((history) -> true);
	}

	/** Runs tasks in the turn of a topic. */
	@FunctionalInterface
	public interface Turn {

		/**
		 * Runs a page.
		 * @return ends when the page ends, or fails if it has not begun
		 */
		CompletableFuture<Boolean> run(Supplier<CompletionStage<Boolean>> page);

	}

}
