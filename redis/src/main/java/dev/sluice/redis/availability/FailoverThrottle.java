package dev.sluice.redis.availability;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.redis.connection.NodeRegistry;
import dev.sluice.redis.connection.RedisConnections;
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
import org.jspecify.annotations.Nullable;

/** A limit in Redis, and what becomes of its calls while Redis is away. */
public final class FailoverThrottle implements StoredThrottle {

	/*
	 * A call is put to Redis unless that is away, and is decided by the policy if Redis
	 * was away or has failed it. What is granted here is of other types than what Redis
	 * grants, so everything goes back to where it came from, whatever holds by then.
	 */

	private final RedisThrottle redis;

	private final FailurePolicy defaultPolicy;

	private final LocalShare share;

	private final Replicas replicas;

	private final FailoverCounters decided;

	/** Calls in line here, first come first. */
	private final Set<FailoverAcquire> waiting = new LinkedHashSet<>();

	public FailoverThrottle(RedisThrottle redis, FailurePolicy defaultPolicy, NodeRegistry presence, Replicas replicas,
			FailoverCounters decided) {
		this.redis = redis;
		this.defaultPolicy = defaultPolicy;
		this.share = new LocalShare(redis.resource, presence::nodes);
		this.replicas = replicas;
		this.decided = decided;
	}

	/** Returns what is in Redis. */
	public RedisThrottle redis() {
		return this.redis;
	}

	public FailurePolicy policy() {
		FailurePolicy policy = options().failurePolicy();
		return (policy != null) ? policy : this.defaultPolicy;
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

	boolean isAway() {
		return this.redis.node.link().isAway();
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		this.redis.requireDefined();
		RedisConnections.requireMayBlock();
		if (!isAway()) {
			long since = System.nanoTime();
			Decision decision = this.redis.tryAcquire(request);
			if (decision.reason() != Decision.Reason.STORE && isConfirmed(request, decision, since)) {
				return decision;
			}
		}
		return decide(request);
	}

	/** Returns whether a decision counts; gives back what was granted, if not. */
	private boolean isConfirmed(AcquireRequest request, Decision decision, long since) {
		if (!decision.admitted() || !this.replicas.areAsked()) {
			return true;
		}
		try {
			this.redis.node.link().await(this.replicas.confirm(), since);
			return true;
		}
		catch (StoreUnavailableException ex) {
			this.redis.refund(request, decision.permit());
			return false;
		}
	}

	/** Waits until what was granted counts, without blocking. */
	CompletableFuture<Void> confirm() {
		return this.replicas.areAsked() ? this.redis.node.link().inTime(this.replicas.confirm())
				: CompletableFuture.completedFuture(null);
	}

	private Decision decide(AcquireRequest request) {
		return switch (policy()) {
			case CLOSED -> rejected(request, FailurePolicy.CLOSED, RedisThrottle.RETRY);
			case OPEN -> Decision.admitted(admittedFreely(request));
			case LOCAL -> decideHere(request);
		};
	}

	private Decision decideHere(AcquireRequest request) {
		StoredThrottle here = share();
		if (request.permits() > here.limit().maxPermits()) {
			return rejected(request, FailurePolicy.LOCAL, RedisThrottle.RETRY);
		}
		Decision decision = here.tryAcquire(request);
		return decision.admitted() ? Decision.admitted(admittedHere(request, here, decision.permit()))
				: rejected(request, FailurePolicy.LOCAL, decision.retryAfter());
	}

	/** Returns this node's share of the limit. */
	StoredThrottle share() {
		return this.share.of(limit(), options());
	}

	/** Counts a call that needs no permit now, and makes it one. */
	Permit admittedFreely(AcquireRequest request) {
		admitted(request, FailurePolicy.OPEN);
		return Permit.spent();
	}

	/** Counts a call that was granted this node's own permits, and makes it one. */
	Permit admittedHere(AcquireRequest request, StoredThrottle here, Permit granted) {
		admitted(request, FailurePolicy.LOCAL);
		return new LocalPermit(here, granted);
	}

	private void admitted(AcquireRequest request, FailurePolicy policy) {
		this.redis.counts.admitted(request.permits());
		this.decided.count(policy, true);
	}

	/** Counts a call that is rejected by a policy, and makes the decision. */
	Decision rejected(AcquireRequest request, FailurePolicy policy, @Nullable Duration retryAfter) {
		this.redis.counts.rejected(request.key());
		this.decided.count(policy, false);
		return Decision.rejected(Decision.Reason.STORE, request.resource(), request.key(), retryAfter);
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		boolean here = permit instanceof LocalPermit;
		if (!here && permit != Permit.spent()) {
			this.redis.refund(request, permit);
			return;
		}
		if (!limit().isHeld()) {
			this.redis.counts.admitted(-request.permits());
		}
		if (permit instanceof LocalPermit local) {
			local.share().refund(request, local.granted());
		}
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		this.redis.requireDefined();
		FailoverAcquire call = new FailoverAcquire(this, request);
		call.ask();
		return call;
	}

	void waitsHere(FailoverAcquire call) {
		synchronized (this.waiting) {
			this.waiting.add(call);
		}
	}

	void waitsNoLonger(FailoverAcquire call) {
		synchronized (this.waiting) {
			this.waiting.remove(call);
		}
	}

	/** Takes calls out of the line in Redis, if their policy wants no waiting for it. */
	public void whileAway() {
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
		synchronized (this.waiting) {
			return List.copyOf(this.waiting);
		}
	}

	/** Rejects all calls in line: in Redis, and here. */
	public void failAll() {
		this.redis.failAll();
		waiting().forEach(FailoverAcquire::reject);
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		StoredThrottle here = this.share.last();
		boolean released = here != null && here.limit().isHeld() && here.release(key, owner);
		return (released && isAway()) || this.redis.release(key, owner) || released;
	}

	@Override
	public boolean forget(String key) {
		StoredThrottle here = this.share.last();
		boolean forgotten = here != null && here.forget(key);
		return (forgotten && isAway()) || this.redis.forget(key) || forgotten;
	}

	@Override
	public KeyState state(String key) {
		FailurePolicy policy = policy();
		if (!isAway() || policy == FailurePolicy.CLOSED) {
			return this.redis.state(key);
		}
		return (policy == FailurePolicy.LOCAL) ? share().state(key) : unlimited(key);
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
