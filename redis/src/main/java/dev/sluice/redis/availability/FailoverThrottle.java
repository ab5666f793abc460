package dev.sluice.redis.availability;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.NodeRegistry;
import dev.sluice.redis.connection.Replicas;
import dev.sluice.redis.connection.StoreUnavailableException;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.store.StoredThrottle;

/** Limit in Redis, with a fail-over policy for its calls while Redis is unavailable. */
public final class FailoverThrottle implements StoredThrottle {

	/*
	 * A call is put to Redis unless that is unavailable, and is decided by the policy if
	 * Redis was unavailable or has failed it. What is granted here is of other types than
	 * what Redis grants, so everything goes back to where it came from, whatever holds by
	 * then.
	 *
	 * Attacked by FailoverTests.
	 */

	private final RedisThrottle redis;

	private final Replicas replicas;

	private final FailoverDecisions decisions;

	/** Calls in line here, first come first. */
	private final Set<FailoverAcquire> waiting = Collections.synchronizedSet(new LinkedHashSet<>());

	public FailoverThrottle(RedisThrottle redis, FailurePolicy defaultPolicy, NodeRegistry registry, Replicas replicas,
			FailoverCounters counters) {
		this.redis = redis;
		this.replicas = replicas;
		this.decisions = new FailoverDecisions(redis, defaultPolicy, new LocalShare(redis.resource(), registry::nodes),
				counters);
	}

	/** Returns what is in Redis. */
	public RedisThrottle redis() {
		return this.redis;
	}

	public FailurePolicy policy() {
		return this.decisions.policy();
	}

	@Override
	public boolean isRemoved() {
		return this.redis.isRemoved();
	}

	@Override
	public Limit limit() {
		return this.redis.limit();
	}

	@Override
	public LimitOptions options() {
		return this.redis.options();
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		this.redis.requireDefined();
		CommandSender.requireMayBlock();
		if (!this.redis.isUnavailable()) {
			long since = System.nanoTime();
			Decision decision = this.redis.tryAcquire(request);
			if (decision.reason() != Decision.Reason.STORE && isConfirmed(request, decision, since)) {
				return decision;
			}
		}
		return this.decisions.decide(request);
	}

	/** Returns whether a decision counts; gives back what was granted, if not. */
	private boolean isConfirmed(AcquireRequest request, Decision decision, long since) {
		if (!decision.admitted()) {
			return true;
		}
		try {
			this.replicas.awaitConfirmed(since);
			return true;
		}
		catch (StoreUnavailableException ex) {
			this.redis.refund(request, decision.permit());
			return false;
		}
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		this.decisions.refund(request, permit);
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		this.redis.requireDefined();
		FailoverAcquire call = new FailoverAcquire(request, this.redis, this.replicas, this.decisions, this.waiting);
		call.ask();
		return call;
	}

	/** Takes calls out of the line in Redis, if their policy wants no waiting for it. */
	public void whileUnavailable() {
		if (policy() != FailurePolicy.CLOSED) {
			this.redis.leaveLine();
		}
	}

	/** Sends calls in line here to the line in Redis, in their order. */
	public void whenBack() {
		waiting().forEach(FailoverAcquire::goBack);
	}

	/** Returns the calls in line here. */
	List<FailoverAcquire> waiting() {
		return List.copyOf(this.waiting);
	}

	/** Rejects all calls in line: in Redis, and here. */
	public void failAll() {
		this.redis.failAll();
		waiting().forEach(FailoverAcquire::reject);
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		StoredThrottle here = this.decisions.lastShare();
		boolean released = here != null && here.limit().isHeld() && here.release(key, owner);
		return (released && this.redis.isUnavailable()) || this.redis.release(key, owner) || released;
	}

	@Override
	public boolean forget(String key) {
		StoredThrottle here = this.decisions.lastShare();
		boolean forgotten = here != null && here.forget(key);
		return (forgotten && this.redis.isUnavailable()) || this.redis.forget(key) || forgotten;
	}

	@Override
	public KeyState state(String key) {
		FailurePolicy policy = policy();
		if (!this.redis.isUnavailable() || policy == FailurePolicy.CLOSED) {
			return this.redis.state(key);
		}
		return (policy == FailurePolicy.LOCAL) ? this.decisions.share().state(key) : unlimited(key);
	}

	private KeyState unlimited(String key) {
		int limit = limit().maxPermits();
		return new KeyState(key, limit, 0, limit, 0, 0, Duration.ZERO, Duration.ZERO, Optional.empty());
	}

	@Override
	public ThrottleSnapshot snapshot(int top) {
		return this.redis.snapshot(top);
	}

	@Override
	public boolean change(Limit limit, LimitOptions options) {
		return this.redis.change(limit, options);
	}

	@Override
	public void remove() {
		this.redis.remove();
	}

}
