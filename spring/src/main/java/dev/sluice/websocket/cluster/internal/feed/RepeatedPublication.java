package dev.sluice.websocket.cluster.internal.feed;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.cluster.BusUnavailableException;
import dev.sluice.cluster.ClusterBus;
import dev.sluice.cluster.Publication;
import dev.sluice.cluster.Published;

/** Publishes once more what may have been published, which does not double it. */
public final class RepeatedPublication {

	private RepeatedPublication() {
	}

	/**
	 * Publishes a message.
	 * @return what the bus has answered, the second time if it had not the first time
	 */
	public static CompletableFuture<Published> publish(ClusterBus bus, Publication publication) {
		return bus.publish(publication)
			.exceptionallyCompose((failure) -> isUndecided(failure) ? publishAgain(bus, publication, failure)
					: CompletableFuture.failedFuture(failure));
	}

	/** If that fails, whatever the reason, the first may have been published still. */
	private static CompletableFuture<Published> publishAgain(ClusterBus bus, Publication publication, Throwable first) {
		return bus.publish(publication.again())
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(first));
	}

	/** Returns whether what a stage before has failed to do may be done. */
	public static boolean isUndecided(Throwable failure) {
		Throwable reason = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return reason instanceof BusUnavailableException unavailable && unavailable.isUndecided();
	}

}
