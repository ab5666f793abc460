package dev.sluice.redis.bus;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

import dev.sluice.cluster.BusUnavailableException;
import dev.sluice.cluster.Publication;
import dev.sluice.cluster.Published;
import dev.sluice.redis.connection.ReplicaCount;
import dev.sluice.redis.connection.Replicas;

/** Confirmation of publications by replicas of the server. */
final class Confirmations {

	/*
	 * What has not been confirmed in the time of its publication has been published all
	 * the same: so that fails as one that may have been, and is found if it is repeated.
	 *
	 * Attacked by ConfirmationsTests.
	 */

	private final String key;

	private final BusCommands commands;

	private final boolean possible;

	private final ConcurrentMap<Integer, Replicas> replicas = new ConcurrentHashMap<>();

	/**
	 * Asks no replica yet.
	 * @param key written before replicas are waited for
	 * @param possible whether there is a connection for that
	 */
	Confirmations(String key, BusCommands commands, boolean possible) {
		this.key = key;
		this.commands = commands;
		this.possible = possible;
	}

	/** Publishes, and has replicas confirm what was published, if they must. */
	CompletableFuture<Published> publish(Publication publication,
			Function<Publication, CompletableFuture<Published>> publishing) {
		int least = publication.limits().waitReplicas();
		if (least == 0) {
			return publishing.apply(publication);
		}
		if (!this.possible) {
			return CompletableFuture.failedFuture(new IllegalStateException("Replicas are to confirm what is published"
					+ " under '" + publication.name() + "', and the bus was built without 'confirmed(true)'"));
		}
		long since = System.nanoTime();
		return publishing.apply(publication)
			.thenCompose((published) -> confirm(least, since).thenApply((confirmed) -> published));
	}

	private CompletableFuture<Void> confirm(int least, long since) {
		return this.commands.admitted(BusFormat.PARTITION, System.nanoTime() - since,
				(sender) -> this.replicas
					.computeIfAbsent(least, (count) -> new Replicas(sender, this.key, ReplicaCount.fixed(count)))
					.confirm(),
				() -> {
				})
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(new BusUnavailableException(
					"The message is published, but too few replicas have confirmed it", true, failure)));
	}

}
