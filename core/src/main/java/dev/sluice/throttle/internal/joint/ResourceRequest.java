package dev.sluice.throttle.internal.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.argument.Checks;

/** Request with its throttle. */
public record ResourceRequest(ManagedThrottle throttle, AcquireRequest request) implements Comparable<ResourceRequest> {

	/** Pairs requests with throttles, in the order of acquisition, one per key. */
	static List<ResourceRequest> of(AcquireRequest[] requests, Function<String, ManagedThrottle> throttles) {
		if (requests.length == 0) {
			throw new IllegalArgumentException("'requests' must not be empty");
		}
		List<ResourceRequest> demands = new ArrayList<>(requests.length);
		for (AcquireRequest request : requests) {
			Checks.notNull("request", request);
			add(demands, new ResourceRequest(throttles.apply(request.resource()), request));
		}
		demands.forEach((demand) -> demand.throttle.checkPermits(demand.request.permits()));
		Collections.sort(demands);
		return demands;
	}

	private static void add(List<ResourceRequest> demands, ResourceRequest demand) {
		for (int i = 0; i < demands.size(); i++) {
			if (demands.get(i).compareTo(demand) == 0) {
				demands.set(i, demands.get(i).merge(demand));
				return;
			}
		}
		demands.add(demand);
	}

	/**
	 * Adds the permits of a rate limit; one owner of a mutex or semaphore counts once.
	 */
	private ResourceRequest merge(ResourceRequest other) {
		int permits;
		if (!isHeld()) {
			permits = (int) Math.min(Integer.MAX_VALUE, (long) this.request.permits() + other.request.permits());
		}
		else if (Objects.equals(this.request.owner(), other.request.owner())) {
			permits = Math.max(this.request.permits(), other.request.permits());
		}
		else {
			throw new IllegalArgumentException("'owner' must be the same in all requests for one key of '"
					+ this.request.resource() + "': '" + this.request.owner() + "', '" + other.request.owner() + "'");
		}
		Duration maxWait = this.request.maxWait();
		Duration otherWait = other.request.maxWait();
		return new ResourceRequest(this.throttle,
				this.request.permits(permits).maxWait((maxWait.compareTo(otherWait) < 0) ? maxWait : otherWait));
	}

	boolean isHeld() {
		return this.throttle.limit().isHeld();
	}

	boolean isStored() {
		return this.throttle.isStored();
	}

	/** Acquires the permits within a time. */
	CompletableFuture<Permit> acquire(Duration maxWait) {
		return this.throttle.acquire(this.request.maxWait(maxWait));
	}

	/** Returns the remaining time after a wait. */
	Duration left(Duration waited) {
		Duration maxWait = this.request.maxWait();
		return (maxWait.compareTo(waited) > 0) ? maxWait.minus(waited) : Duration.ZERO;
	}

	/**
	 * Compares by the order of acquisition: concurrency limits first, then rate limits.
	 */
	@Override
	public int compareTo(ResourceRequest other) {
		if (isHeld() != other.isHeld()) {
			return isHeld() ? -1 : 1;
		}
		if (isStored() != other.isStored()) {
			return isStored() ? 1 : -1;
		}
		int byResource = this.request.resource().compareTo(other.request.resource());
		return (byResource != 0) ? byResource : this.request.key().compareTo(other.request.key());
	}

}
