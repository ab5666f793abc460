package dev.sluice.throttle;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.sluice.time.NanoClock;

/** The throttles of one application by name. */
final class DefaultThrottlingManager implements ThrottlingManager {

	private final ConcurrentHashMap<String, MemoryThrottle<?>> throttles = new ConcurrentHashMap<>();

	private final NanoClock clock;

	private final Completions completions;

	DefaultThrottlingManager(NanoClock clock, Executor completionExecutor) {
		this.clock = clock;
		this.completions = new Completions(completionExecutor);
	}

	@Override
	public Throttle addOrUpdate(String resource, Limit limit, LimitOptions options) {
		Checks.resource(resource);
		Checks.notNull("limit", limit);
		Checks.notNull("options", options);
		while (true) {
			MemoryThrottle<?> throttle = this.throttles.computeIfAbsent(resource,
					(name) -> create(new Terms(name, limit, options, this.clock)));
			if (throttle.update(limit, options)) {
				return throttle;
			}
			this.throttles.remove(resource, throttle);
		}
	}

	private MemoryThrottle<?> create(Terms terms) {
		return terms.limit.isHeld() ? new HeldThrottle(terms, this.completions)
				: new RateThrottle(terms, this.completions);
	}

	@Override
	public Optional<Throttle> find(String resource) {
		Checks.notNull("resource", resource);
		return Optional.ofNullable(this.throttles.get(resource));
	}

	@Override
	public Throttle get(String resource) {
		return defined(resource);
	}

	private MemoryThrottle<?> defined(String resource) {
		Checks.notNull("resource", resource);
		MemoryThrottle<?> throttle = this.throttles.get(resource);
		if (throttle == null) {
			throw new UnknownThrottleException(resource, this.throttles.keySet());
		}
		return throttle;
	}

	@Override
	public boolean remove(String resource) {
		Checks.notNull("resource", resource);
		MemoryThrottle<?> throttle = this.throttles.get(resource);
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
	public Decision tryAcquire(AcquireRequest... requests) {
		return Step.of(requests, this::defined).tryAcquire();
	}

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest... requests) {
		return Step.of(requests, this::defined).acquire();
	}

}
