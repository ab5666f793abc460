package dev.sluice.redis.bus;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.redis.connection.ReplicaCount;
import dev.sluice.redis.connection.Replicas;

/** Confirmation of publications by replicas of the server. */
final class Confirmations {

	/*
	 * A publication that is not confirmed within its timeout has been published. So it
	 * fails as one that may have been published, and is found if it is repeated.
	 *
	 * Attacked by ConfirmationsTests.
	 */

	private final String key;

	private final BusCommands commands;

	private final boolean possible;

	private final ConcurrentMap<Integer, Replicas> replicas = new ConcurrentHashMap<>();

	/**
	 * Creates an instance without publications.
	 * @param key the key that is written before the wait for replicas
	 * @param possible whether a connection for the wait exists
	 */
	Confirmations(String key, BusCommands commands, boolean possible) {
		this.key = key;
		this.commands = commands;
		this.possible = possible;
	}

	/** Publishes, and waits for the confirmation by replicas if it is required. */
	CompletableFuture<Published> publish(Publication publication,
			Function<Publication, CompletableFuture<Published>> publishing) {
		int least = publication.limits().waitReplicas();
		if (least == 0) {
			return publishing.apply(publication);
		}
		if (!this.possible) {
			return CompletableFuture.failedFuture(new IllegalStateException("Publications to '" + publication.name()
					+ "' require confirmation by replicas, but the bus was built without 'confirmed(true)'"));
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
