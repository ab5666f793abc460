package dev.sluice.jdbc.throttle;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;

/** Call of this node that stands in line in the database, or soon will. */
final class Waiter extends CompletableFuture<Permit> {

	private final AcquireRequest request;

	private final String id;

	private final long since = System.nanoTime();

	Waiter(AcquireRequest request, String id) {
		this.request = request;
		this.id = id;
	}

	AcquireRequest request() {
		return this.request;
	}

	String id() {
		return this.id;
	}

	long since() {
		return this.since;
	}

}
