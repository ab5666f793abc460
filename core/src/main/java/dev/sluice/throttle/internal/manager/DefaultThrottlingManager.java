package dev.sluice.throttle.internal.manager;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.internal.GuardedClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.UnknownThrottleException;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.throttle.internal.concurrency.ConcurrencyThrottle;
import dev.sluice.throttle.internal.joint.JointRequest;
import dev.sluice.throttle.internal.line.Completions;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.throttle.internal.rate.RateThrottle;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Registry of an application's throttles by name. */
public final class DefaultThrottlingManager implements ThrottlingManager {

	/*
	 * A throttle is created under "definitions", so the store opens it once; look-ups
	 * take no lock. If a look-up takes a throttle over from the store meanwhile, both
	 * threads use the one that was put first. "closed" is written before the throttles
	 * are closed, and read after one was put, so that the lines of every throttle are
	 * closed. Attacked by SharedStoreTests, StoredThrottleTests and ManagerCloseTests.
	 */

	private final ConcurrentHashMap<String, ManagedThrottle> throttles = new ConcurrentHashMap<>();

	private final NanoClock clock;

	private final Completions completions;

	private final @Nullable ThrottleStore store;

	private final @Nullable Listening listening;

	/**
	 * Held while a throttle is opened in the store, so that this happens once. Not held
	 * by queries.
	 */
	private final ReentrantLock definitions = new ReentrantLock();

	/** Written before the throttles are closed, and read after one was put. */
	private volatile boolean closed;

	public DefaultThrottlingManager(NanoClock clock, Executor completionExecutor, @Nullable ThrottleStore store,
			List<ThrottleListener> listeners) {
		this.clock = GuardedClock.of(clock);
		this.store = store;
		this.listening = listeners.isEmpty() ? null : new Listening(listeners);
		this.completions = new Completions(completionExecutor);
	}

	@Override
	public Throttle addOrUpdate(String resource, Limit limit, LimitOptions options) {
		Checks.resource(resource);
		Checks.notNull("limit", limit);
		Checks.notNull("options", options);
		while (true) {
			ManagedThrottle throttle = this.throttles.get(resource);
			if (throttle == null) {
				throttle = define(resource, limit, options);
			}
			if (throttle.update(limit, options)) {
				return throttle;
			}
			this.throttles.remove(resource, throttle);
		}
	}

	private ManagedThrottle define(String resource, Limit limit, LimitOptions options) {
		this.definitions.lock();
		try {
			ManagedThrottle throttle = this.throttles.get(resource);
			return (throttle != null) ? throttle : put(resource, create(resource, limit, options));
		}
		finally {
			this.definitions.unlock();
		}
	}

	/** Registers a throttle, unless another one was registered concurrently. */
	private ManagedThrottle put(String resource, ManagedThrottle created) {
		ManagedThrottle put = this.throttles.merge(resource, created,
				(present, by) -> isDefined(present) ? present : by);
		if (this.closed) {
			put.closeLines();
		}
		return put;
	}

	private ManagedThrottle create(String resource, Limit limit, LimitOptions options) {
		Optional<StoredThrottle> stored = (this.store != null) ? this.store.open(resource, limit, options)
				: Optional.empty();
		if (stored.isPresent()) {
			return remote(resource, stored.get());
		}
		CompiledLimit terms = new CompiledLimit(resource, limit, options, this.clock);
		return limit.isHeld() ? new ConcurrencyThrottle(terms, this.completions, this.listening)
				: new RateThrottle(terms, this.completions, this.listening);
	}

	@Override
	public Optional<Throttle> find(String resource) {
		Checks.notNull("resource", resource);
		return Optional.ofNullable(known(resource));
	}

	/**
	 * Returns the throttle of a resource; if another node has defined it, or again after
	 * it was removed, takes it over from the store.
	 */
	private @Nullable ManagedThrottle known(String resource) {
		ManagedThrottle throttle = this.throttles.get(resource);
		if (this.store == null || isDefined(throttle)) {
			return throttle;
		}
		Optional<StoredThrottle> stored = this.store.find(resource);
		if (stored.isPresent()) {
			return put(resource, remote(resource, stored.get()));
		}
		return this.throttles.computeIfPresent(resource, (name, present) -> isDefined(present) ? present : null);
	}

	private static boolean isDefined(@Nullable ManagedThrottle throttle) {
		return throttle != null && !(throttle instanceof RemoteThrottle remote && remote.isRemoved());
	}

	private ManagedThrottle remote(String resource, StoredThrottle stored) {
		return new RemoteThrottle(resource, stored, this.completions, this.clock, this.listening);
	}

	@Override
	public Throttle get(String resource) {
		return defined(resource);
	}

	private ManagedThrottle defined(String resource) {
		Checks.notNull("resource", resource);
		ManagedThrottle throttle = known(resource);
		if (throttle == null) {
			throw new UnknownThrottleException(resource, this.throttles.keySet());
		}
		return throttle;
	}

	@Override
	public boolean remove(String resource) {
		Checks.notNull("resource", resource);
		ManagedThrottle throttle = known(resource);
		if (throttle == null) {
			return false;
		}
		boolean removed = throttle.remove();
		this.throttles.remove(resource, throttle);
		return removed;
	}

	@Override
	public List<Throttle> throttles() {
		return this.throttles.values()
			.stream()
			.<Throttle>map((throttle) -> throttle)
			.sorted(Comparator.comparing(Throttle::resource))
			.toList();
	}

	@Override
	public long listenerFailures() {
		return (this.listening != null) ? this.listening.failures() : 0;
	}

	@Override
	public Decision tryAcquire(AcquireRequest... requests) {
		Checks.notNull("requests", requests);
		if (requests.length == 1) {
			AcquireRequest request = requests[0];
			Checks.notNull("request", request);
			ManagedThrottle throttle = defined(request.resource());
			throttle.checkPermits(request.permits());
			return throttle.tryAcquire(request);
		}
		return JointRequest.of(requests, this::defined, this.clock).tryAcquire();
	}

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest... requests) {
		return JointRequest.of(Checks.notNull("requests", requests), this::defined, this.clock).acquire();
	}

	@Override
	public void close() {
		this.closed = true;
		this.throttles.values().forEach(ManagedThrottle::closeLines);
	}

}
