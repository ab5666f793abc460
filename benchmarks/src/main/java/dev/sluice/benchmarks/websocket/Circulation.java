package dev.sluice.benchmarks.websocket;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/** Messages that go round: each answer is followed by the next message. */
final class Circulation {

	private final Clients clients;

	private final int window;

	/* All on the event loop. */

	private long answers;

	private int inFlight;

	private @Nullable CompletableFuture<@Nullable Void> end;

	/**
	 * Creates the messages.
	 * @param window how many of each connection are in flight
	 */
	Circulation(Clients clients, int window) {
		this.clients = clients;
		this.window = window;
	}

	void start() {
		this.clients.forEach((client) -> {
			client.onAnswer(this::answered);
			for (int i = 0; i < this.window; i++) {
				this.inFlight++;
				client.send(Clients.MESSAGE);
			}
		});
	}

	private void answered(Client client) {
		this.answers++;
		if (this.end == null) {
			client.send(Clients.MESSAGE);
		}
		else if (--this.inFlight == 0) {
			this.end.complete(null);
		}
	}

	/** Counts for some time. */
	double answersPerSecond(long millis) {
		long before = this.clients.call(() -> this.answers);
		long start = System.nanoTime();
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
		long counted = this.clients.call(() -> this.answers) - before;
		return counted * 1e9 / (System.nanoTime() - start);
	}

	/** Sends no more, and waits for all that is in flight. */
	void end() {
		CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
		this.clients.call(() -> this.end = ended);
		ended.join();
	}

	/** The answers a second that connections receive which send again immediately. */
	static double throughput(Clients clients, long millis) {
		Circulation circulation = new Circulation(clients, 1);
		circulation.start();
		double throughput = circulation.answersPerSecond(millis);
		circulation.end();
		return throughput;
	}

}
