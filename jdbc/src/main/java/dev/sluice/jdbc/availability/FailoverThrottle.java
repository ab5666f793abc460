package dev.sluice.jdbc.availability;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.throttle.JdbcThrottle;
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
 * Limit in the database, with a fail-over policy for its calls while the database is
 * unavailable.
 */
public final class FailoverThrottle implements StoredThrottle {

	/*
	 * A call is put to the database unless that is unavailable, and is decided by the
	 * policy if the database was unavailable or has failed it. What is granted here is of
	 * other types than what the database grants, so everything goes back to where it came
	 * from, whatever holds by then.
	 *
	 * Attacked by JdbcFaultTests.
	 */

	private final JdbcThrottle stored;

	private final FailoverDecisions decisions;

	/** Calls in line here, first come first. */
	private final Set<FailoverAcquire> waiting = Collections.synchronizedSet(new LinkedHashSet<>());

	public FailoverThrottle(JdbcThrottle stored, FailurePolicy defaultPolicy, IntSupplier nodes,
			FailoverCounters counters) {
		this.stored = stored;
		this.decisions = new FailoverDecisions(stored, defaultPolicy, new LocalShare(stored.resource(), nodes),
				counters);
	}

	/** Returns what is in the database. */
	public JdbcThrottle stored() {
		return this.stored;
	}

	public FailurePolicy policy() {
		return this.decisions.policy();
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
		Database.requireMayBlock();
		if (!this.stored.isUnavailable()) {
			Decision decision = this.stored.tryAcquire(request);
			if (decision.reason() != Decision.Reason.STORE) {
				return decision;
			}
		}
		return this.decisions.decide(request);
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		this.decisions.refund(request, permit);
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		this.stored.requireDefined();
		FailoverAcquire call = new FailoverAcquire(request, this.stored, this.decisions, this.waiting);
		call.ask();
		return call;
	}

	/**
	 * Takes calls out of the line in the database, if their policy wants no waiting for
	 * it.
	 */
	public void whileUnavailable() {
		if (policy() != FailurePolicy.CLOSED) {
			this.stored.leaveLine();
		}
	}

	/** Sends calls in line here to the line in the database, in their order. */
	public void whenBack() {
		waiting().forEach(FailoverAcquire::goBack);
	}

	/** Returns the calls in line here. */
	List<FailoverAcquire> waiting() {
		return List.copyOf(this.waiting);
	}

	/** Rejects all calls in line: in the database, and here. */
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
		int limit = limit().maxPermits();
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
