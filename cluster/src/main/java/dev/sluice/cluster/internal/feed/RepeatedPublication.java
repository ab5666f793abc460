package dev.sluice.cluster.internal.feed;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;

/**
 * Repeats a publication that may have failed. A repeated publication is delivered once.
 */
public final class RepeatedPublication {

	private RepeatedPublication() {
	}

	/**
	 * Publishes a message.
	 * @return the answer of the bus, to the second attempt if the first one has failed
	 */
	public static CompletableFuture<Published> publish(ClusterBus bus, Publication publication) {
		return bus.publish(publication)
			.exceptionallyCompose((failure) -> isUndecided(failure) ? publishAgain(bus, publication, failure)
					: CompletableFuture.failedFuture(failure));
	}

	/**
	 * If the second attempt fails for any reason, the first one may still have been
	 * published.
	 */
	private static CompletableFuture<Published> publishAgain(ClusterBus bus, Publication publication, Throwable first) {
		return bus.publish(publication.again())
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(first));
	}

	/** Returns whether the operation of a failed stage may have been executed. */
	public static boolean isUndecided(Throwable failure) {
		Throwable reason = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return reason instanceof BusUnavailableException unavailable && unavailable.isUndecided();
	}

}
