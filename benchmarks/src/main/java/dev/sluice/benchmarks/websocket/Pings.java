package dev.sluice.benchmarks.websocket;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Single messages, each some time after the answer to the one before, and how long their
 * answers take. Connections begin at random times.
 */
final class Pings {

	private static final long PATIENCE_MILLIS = 30_000;

	private final Clients clients;

	private final String text;

	private final long pauseNanos;

	/* All on the event loop. */

	private final Map<Client, Long> sent = new IdentityHashMap<>();

	private final List<Double> millis = new ArrayList<>();

	private int awaited;

	private boolean ends;

	private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

	private Pings(Clients clients, String text, long pauseMillis) {
		this.clients = clients;
		this.text = text;
		this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
	}

	/**
	 * Sends messages from each connection.
	 * @param count how many answers to wait for, of all connections together
	 * @return the milliseconds that 99 % of the answers took at most
	 */
	static double p99(Clients clients, String text, long pauseMillis, int count) {
		Pings pings = new Pings(clients, text, pauseMillis);
		return pings.p99(count);
	}

	private double p99(int count) {
		this.clients.forEach((client) -> {
			client.onUrgentAnswer((from) -> answered(from, count));
			this.clients.schedule(() -> send(client), ThreadLocalRandom.current().nextLong(this.pauseNanos),
					TimeUnit.NANOSECONDS);
		});
		this.ended.orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).join();
		return this.clients.call(() -> {
			double[] sorted = this.millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
			return sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
		});
	}

	private void send(Client client) {
		if (!this.ends) {
			this.awaited++;
			this.sent.put(client, System.nanoTime());
			client.send(this.text);
		}
	}

	private void answered(Client client, int count) {
		this.millis.add((System.nanoTime() - this.sent.getOrDefault(client, 0L)) / 1e6);
		this.awaited--;
		if (this.millis.size() >= count) {
			this.ends = true;
		}
		if (!this.ends) {
			this.clients.schedule(() -> send(client), this.pauseNanos, TimeUnit.NANOSECONDS);
		}
		else if (this.awaited == 0) {
			this.ended.complete(null);
		}
	}

}
