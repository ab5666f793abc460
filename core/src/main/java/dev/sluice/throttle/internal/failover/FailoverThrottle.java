package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.store.StoredThrottle;

/**
 * Limit at a server, with a fail-over policy for calls while the server is unavailable.
 *
 * @param <T> the limit at the server
 */
public final class FailoverThrottle<T extends ServerThrottle> implements StoredThrottle {

	/*
	 * A call is sent to the server while that is available. If the server is unavailable
	 * or the command fails, the policy decides. Permits granted here and permits granted
	 * by the server have different types, so that each is returned to its origin,
	 * independent of the availability at that time.
	 *
	 * Attacked by FailoverTests and JdbcFailoverTests.
	 */

	private final T stored;

	private final Confirmation confirmation;

	private final FailoverDecisions decisions;

	/** Calls in line at this node, in the order of arrival. */
	private final Set<FailoverAcquire> waiting = Collections.synchronizedSet(new LinkedHashSet<>());

	/**
	 * Creates a limit without sending a command.
	 * @param stored the limit at the server
	 * @param defaultPolicy the policy that applies if the options of the limit have none
	 * @param nodes the supplier of the number of nodes that share the limit
	 * @param confirmation the confirmation of grants by the server
	 * @param counters the counters of decisions without the server
	 */
	public FailoverThrottle(T stored, FailurePolicy defaultPolicy, IntSupplier nodes, Confirmation confirmation,
			FailoverCounters counters) {
		this.stored = stored;
		this.confirmation = confirmation;
		this.decisions = new FailoverDecisions(stored, defaultPolicy, new LocalShare(stored.resource(), nodes),
				counters);
	}

	/** Returns the limit at the server. */
	public T stored() {
		return this.stored;
	}

	public FailurePolicy policy() {
		return this.decisions.policy();
	}

	/** Returns the names of the limits that reject while the server is unavailable. */
	public static List<String> closed(Map<String, ? extends FailoverThrottle<?>> throttles) {
		return throttles.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().policy() == FailurePolicy.CLOSED)
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

	@Override
	public boolean isRemoved() {
		return this.stored.isRemoved();
	}

	@Override
	public Limit limit() {
		return this.stored.limit();
	}

	@Override
	public LimitOptions options() {
		return this.stored.options();
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		this.stored.requireDefined();
		this.stored.requireMayBlock();
		if (!this.stored.isUnavailable()) {
			long since = System.nanoTime();
			Decision decision = this.stored.tryAcquire(request);
			if (decision.reason() != Decision.Reason.STORE && isConfirmed(request, decision, since)) {
				return decision;
			}
		}
		return this.decisions.decide(request);
	}

	/** Returns whether a decision is confirmed. If not, its permit is returned. */
	private boolean isConfirmed(AcquireRequest request, Decision decision, long since) {
		if (!decision.admitted()) {
			return true;
		}
		try {
			this.confirmation.awaitConfirmed(since);
			return true;
		}
		catch (StoreUnavailableException ex) {
			this.stored.refund(request, decision.permit());
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
		this.stored.requireDefined();
		FailoverAcquire call = new FailoverAcquire(request, this.stored, this.confirmation, this.decisions,
				this.waiting);
		call.ask();
		return call;
	}

	/**
	 * Removes calls from the line at the server, if their policy is not to wait for it.
	 */
	public void whileUnavailable() {
		if (policy() != FailurePolicy.CLOSED) {
			this.stored.leaveLine();
		}
	}

	/** Moves the calls in line at this node to the line at the server, in order. */
	public void whenBack() {
		waiting().forEach(FailoverAcquire::returnToServer);
	}

	/** Returns the calls in line at this node. */
	List<FailoverAcquire> waiting() {
		return List.copyOf(this.waiting);
	}

	/** Rejects all calls in line at the server and at this node. */
	public void failAll() {
		this.stored.failAll();
		waiting().forEach(FailoverAcquire::reject);
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		StoredThrottle here = this.decisions.lastShare();
		boolean released = here != null && here.limit().isHeld() && here.release(key, owner);
		return (released && this.stored.isUnavailable()) || this.stored.release(key, owner) || released;
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		StoredThrottle here = this.decisions.lastShare();
		boolean released = here != null && here.limit().isHeld() && here.release(key, owner);
		CompletableFuture<Boolean> there = this.stored.releaseAsync(key, owner);
		return released ? CompletableFuture.completedFuture(true) : there;
	}

	@Override
	public boolean forget(String key) {
		StoredThrottle here = this.decisions.lastShare();
		boolean forgotten = here != null && here.forget(key);
		return (forgotten && this.stored.isUnavailable()) || this.stored.forget(key) || forgotten;
	}

	@Override
	public KeyState state(String key) {
		FailurePolicy policy = policy();
		if (!this.stored.isUnavailable() || policy == FailurePolicy.CLOSED) {
			return this.stored.state(key);
		}
		return (policy == FailurePolicy.LOCAL) ? this.decisions.share().state(key) : unlimited(key);
	}

	private KeyState unlimited(String key) {
		int limit = limit().maxUsed();
		return new KeyState(key, limit, 0, limit, 0, 0, Duration.ZERO, Duration.ZERO, Optional.empty());
	}

	@Override
	public ThrottleSnapshot snapshot(int top) {
		return this.stored.snapshot(top);
	}

	@Override
	public boolean change(Limit limit, LimitOptions options) {
		return this.stored.change(limit, options);
	}

	@Override
	public void remove() {
		this.stored.remove();
	}

}
